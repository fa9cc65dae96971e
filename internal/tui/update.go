package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/theme"
	"github.com/seed7484d81d/agent/internal/tui/dialog"
	"github.com/seed7484d81d/agent/internal/tui/editor"
)

// Update takes a message. It returns within a millisecond: what takes time is a
// Cmd.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return a, tea.Batch(a.route(msg), a.tick())
}

func (a *App) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h = msg.Width, msg.Height
		a.resizeTerminals()
		return a.resizePager()
	case tea.KeyPressMsg:
		return a.key(msg)
	case tea.PasteMsg:
		return a.paste(msg.Content)
	case tea.MouseMsg:
		return a.mouse(msg)
	case tea.FocusMsg:
		a.focused(true)
	case tea.BlurMsg:
		a.focused(false)
	case eventsMsg:
		return a.events(msg)
	case askedMsg:
		return a.place(msg.t)
	case shownMsg:
		return a.shown(msg.t)
	case typedMsg:
		return a.typeIn(string(msg))
	case tickMsg:
		a.ticking = false
		a.spin++
		a.transcript.Tick()
	case hintMsg:
		if msg.id == a.hintID {
			a.hint, a.armed = "", ""
		}
	case branchMsg:
		if msg.dir == a.dir {
			a.branch = msg.branch
		}
	case tea.BackgroundColorMsg:
		if a.o.AutoTheme {
			a.setTheme(themeFor(msg.IsDark()))
		}
	case settledMsg:
		return tea.Batch(a.lookAtBranch(), a.loadPrompts())
	case tea.ResumeMsg:
		return a.lookAtBranch()
	case editor.Completed:
		return a.editor.Update(msg)
	case doneMsg:
		return msg(a)
	default:
		if a.pager != nil {
			return a.pager.Update(msg)
		}
	}
	return nil
}

// doneMsg is the outcome of something that took time: what to do with it.
type doneMsg func(a *App) tea.Cmd

// later does something that takes time, and then something quick with its
// outcome.
func later(work func() func(a *App) tea.Cmd) tea.Cmd {
	return func() tea.Msg { return doneMsg(work()) }
}

func themeFor(dark bool) *theme.Theme {
	if dark {
		return theme.Dark()
	}
	return theme.Light()
}

func (a *App) setTheme(t *theme.Theme) {
	a.o.Theme = t
	a.transcript.SetTheme(t)
	a.editor.SetTheme(t)
	if a.box != nil {
		a.box.SetTheme(t)
	}
	if a.pager != nil {
		a.pager.SetTheme(t)
	}
	for _, t2 := range a.terminals {
		t2.overlay.SetTheme(t)
	}
}

// events takes what happened in the session.
func (a *App) events(msg eventsMsg) tea.Cmd {
	if msg.feed != a.feed {
		return nil // of a conversation that was left
	}
	cmds := []tea.Cmd{a.listen(frame)}
	for _, ev := range msg.events {
		a.transcript.Apply(ev)
		cmds = append(cmds, a.event(ev))
	}
	a.refresh()
	return tea.Batch(cmds...)
}

func (a *App) event(ev session.Event) tea.Cmd {
	switch ev := ev.(type) {
	case session.TurnStarted:
		a.began = a.o.Now()
	case session.TurnEnded:
		return a.turnEnded()
	case session.Asked:
		a.ask(ev.Question)
		return a.attention("agent asks: " + ev.Question.Reason)
	case session.Answered:
		if a.box != nil && a.box.question == ev.ID {
			a.box = nil
		}
	case session.Returned:
		a.editor.Insert(ev.Text)
		for _, img := range ev.Images {
			a.editor.AddImage(img)
		}
	case session.Appended:
		if e := ev.Entry; e.Type == session.TypeTitle || a.name == "" {
			a.identify()
		}
	case session.Moved:
		a.identify()
		return a.lookAtBranch()
	case session.Switched:
		a.transcript.Reset(a.talk.Session.Branch())
		a.identify()
	case session.Compacting:
		return a.tell("Summarising the conversation…")
	default:
	}
	return nil
}

func (a *App) paste(text string) tea.Cmd {
	if t := a.front(); t != nil {
		t.overlay.HandlePaste(text)
		return nil
	}
	if a.box != nil {
		a.box.HandlePaste(text)
		return nil
	}
	if a.pager != nil {
		a.pager.HandlePaste(text)
		return nil
	}
	a.transcript.Blur()
	a.editor.SetFocus(true)
	return a.editor.HandlePaste(text)
}

// mouse goes to the program in front if it is over it, else to what is there.
func (a *App) mouse(m tea.MouseMsg) tea.Cmd {
	if t := a.front(); t != nil {
		at := m.Mouse()
		if top := a.overlayTop(t.overlay.Height()); at.Y >= top {
			t.overlay.HandleMouse(m, at.X, at.Y-top)
			return nil
		}
	}
	switch m := m.(type) {
	case tea.MouseWheelMsg:
		return a.wheel(m)
	case tea.MouseClickMsg:
		return a.click(m)
	}
	return nil
}

// wheelLines is how far one notch of the wheel goes.
const wheelLines = 3

func (a *App) wheel(m tea.MouseWheelMsg) tea.Cmd {
	by := 0
	switch m.Button {
	case tea.MouseWheelUp:
		by = -wheelLines
	case tea.MouseWheelDown:
		by = wheelLines
	default:
		return nil
	}
	l := a.layout()
	switch {
	case a.box != nil && m.Y >= l.below:
		a.box.HandleWheel(by)
	case a.pager != nil:
		return a.pager.HandleWheel(by)
	default:
		a.transcript.ScrollBy(by)
	}
	return nil
}

func (a *App) click(m tea.MouseClickMsg) tea.Cmd {
	if m.Button != tea.MouseLeft {
		return nil
	}
	l := a.layout()
	switch {
	case a.box != nil && m.Y >= l.below:
		return a.close(a.box.HandleClick(m.X, m.Y-l.below))
	case m.Y < l.transcript && a.pager == nil:
		if id := a.transcript.Click(m.Y); id != 0 {
			return a.openArtifact(id)
		}
	}
	return nil
}

// open shows a dialog. done is called once with what the person decided.
func (a *App) open(d dialogModel, done func(dialog.Action) tea.Cmd) {
	a.box = &box{dialogModel: d, done: done}
}

// close ends the dialog if something was decided.
func (a *App) close(act dialog.Action) tea.Cmd {
	if act == nil || a.box == nil {
		return nil
	}
	b := a.box
	a.box = nil
	return b.done(act)
}

// complain tells of something that went wrong.
func (a *App) complain(err error) {
	a.transcript.Remark("error", fmt.Sprint(err))
}
