package tui

import (
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tui/dialog"
)

// begin starts a new conversation.
func (a *App) begin() tea.Cmd {
	if a.o.New == nil {
		return nil
	}
	if a.refuseBusy() {
		return a.tell("Something still runs; " + "interrupt it first")
	}
	return later(func() func(*App) tea.Cmd {
		c, err := a.o.New()
		return arrived(c, "", err)
	})
}

// refuseBusy says that this conversation cannot be left now.
func (a *App) refuseBusy() bool { return a.talk.Agent.State().Busy }

func (a *App) resumeCommand(id string) tea.Cmd {
	if id == "" {
		return a.pickSession()
	}
	return a.resume(id)
}

func (a *App) resume(id string) tea.Cmd {
	if a.o.Open == nil {
		return nil
	}
	if a.refuseBusy() {
		return a.tell("Something still runs; interrupt it first")
	}
	if id == a.talk.Session.ID() {
		return a.tell("You are in it")
	}
	return later(func() func(*App) tea.Cmd {
		c, note, err := a.o.Open(id)
		return arrived(c, note, err)
	})
}

// arrived shows a conversation that was opened.
func arrived(c Conversation, note string, err error) func(*App) tea.Cmd {
	return func(a *App) tea.Cmd {
		if err != nil {
			a.complain(err)
			return nil
		}
		a.show(c)
		if note != "" {
			a.transcript.Remark("warning", note)
		}
		return tea.Batch(a.listen(0), a.lookAtBranch(), a.loadPrompts())
	}
}

// pickSession offers the conversations of this directory.
func (a *App) pickSession() tea.Cmd {
	if a.o.Sessions == nil || a.o.Open == nil {
		return nil
	}
	p := dialog.NewPicker(dialog.PickerOptions[session.Summary]{
		Keys: a.o.Keys, Theme: a.o.Theme, Title: "Conversations of this directory", Empty: "there are none yet", Verb: "go on",
	})
	a.open(p, func(act dialog.Action) tea.Cmd {
		if picked, ok := act.(dialog.Picked[session.Summary]); ok {
			return a.resume(picked.Value.ID)
		}
		return nil
	})
	return later(func() func(*App) tea.Cmd {
		list, err := a.o.Sessions()
		return func(a *App) tea.Cmd {
			if err != nil {
				a.complain(err)
				return nil
			}
			p.SetItems(a.sessionItems(list))
			return nil
		}
	})
}

func (a *App) sessionItems(list []session.Summary) []dialog.Item[session.Summary] {
	items := make([]dialog.Item[session.Summary], 0, len(list))
	for _, s := range list {
		title := s.Title
		if title == "" {
			title = "(nothing said)"
		}
		items = append(items, dialog.Item[session.Summary]{
			Value: s, Title: title, Description: s.ID[:min(8, len(s.ID))], Right: ago(a.o.Now().Sub(s.Modified)), Current: s.ID == a.talk.Session.ID(),
		})
	}
	return items
}

// ago says how long something is past.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return d.Truncate(time.Minute).String()[:len(d.Truncate(time.Minute).String())-2] + " ago"
	case d < 48*time.Hour:
		h := int(d.Hours())
		if h == 1 {
			return "1 hour ago"
		}
		return itoa(h) + " hours ago"
	default:
		return itoa(int(d.Hours()/24)) + " days ago"
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
