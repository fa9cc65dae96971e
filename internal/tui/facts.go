package tui

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tui/dialog"
)

// Fact is a line of a list: what it is about, and what there is to say.
type Fact struct{ Name, Text string }

// Job is a process that a command left running.
type Job struct {
	PID     int
	Command string
	Run     string // names the run that started it; "" if that is not known
}

// list tells facts in the transcript.
func (a *App) list(title string, facts []Fact) {
	width := 0
	for _, f := range facts {
		width = max(width, len([]rune(f.Name)))
	}
	var b strings.Builder
	b.WriteString(title)
	for _, f := range facts {
		fmt.Fprintf(&b, "\n%-*s  %s", width, f.Name, f.Text)
	}
	a.transcript.Remark("info", b.String())
	a.transcript.Bottom()
}

// toolsCommand lists what the model can call.
func (a *App) toolsCommand(string) tea.Cmd {
	if a.o.Tools != nil {
		a.list("The model can call:", a.o.Tools())
	}
	return nil
}

// contextCommand tells what the model gets with the next request.
func (a *App) contextCommand(string) tea.Cmd {
	st := a.talk.Agent.State()
	facts := []Fact{{"tokens", fmt.Sprintf("about %d", st.Context)}}
	if p, ok := st.ContextPercent(); ok {
		facts[0].Text += fmt.Sprintf(" of %d (%.0f%%)", st.Model.Window, p)
	}
	messages, runs, private := 0, 0, 0
	for _, e := range a.talk.Session.Branch() {
		switch {
		case e.Message == nil:
		case e.Message.Run == nil:
			messages++
		case e.Message.Run.Outcome == chat.Running:
		case e.Message.Run.Private:
			private++
		default:
			runs++
		}
	}
	facts = append(facts, Fact{"messages", fmt.Sprint(messages)}, Fact{"commands", fmt.Sprintf("%d of yours, and %d that the model does not see", runs, private)})
	if a.o.ContextFiles != nil {
		for _, f := range a.o.ContextFiles() {
			facts = append(facts, Fact{"file", a.short(f)})
		}
	}
	a.list("The next request carries:", facts)
	return nil
}

// doctorCommand checks what the program needs.
func (a *App) doctorCommand(string) tea.Cmd {
	if a.o.Doctor == nil {
		return nil
	}
	return later(func() func(a *App) tea.Cmd {
		facts := a.o.Doctor()
		return func(a *App) tea.Cmd {
			a.list("What agent needs:", facts)
			return nil
		}
	})
}

// jobsCommand offers to stop what commands left running.
func (a *App) jobsCommand(string) tea.Cmd {
	if a.o.Jobs == nil {
		return nil
	}
	return later(func() func(a *App) tea.Cmd {
		jobs := a.o.Jobs()
		return func(a *App) tea.Cmd {
			if len(jobs) == 0 {
				return a.tell("No command left anything running")
			}
			items := make([]dialog.Item[Job], 0, len(jobs))
			for _, j := range jobs {
				items = append(items, dialog.Item[Job]{Value: j, Title: sanitize.OneLine(j.Command), Right: fmt.Sprintf("pid %d", j.PID)})
			}
			a.open(dialog.NewPicker(dialog.PickerOptions[Job]{Keys: a.o.Keys, Theme: a.o.Theme, Title: "Still running", Items: items, Verb: "stop"}), func(act dialog.Action) tea.Cmd {
				picked, ok := act.(dialog.Picked[Job])
				if !ok {
					return nil
				}
				return later(func() func(a *App) tea.Cmd {
					a.o.StopJob(picked.Value)
					return func(a *App) tea.Cmd { return a.tell("Stopped " + sanitize.OneLine(picked.Value.Command)) }
				})
			})
			return nil
		}
	})
}

// initCommand lets the model write down how to work in this project.
func (a *App) initCommand(hint string) tea.Cmd {
	text := "Look at this project and write AGENTS.md in its root, or bring it up to date if it is there: how to build, test and lint it, how it is laid out, and which conventions its code follows. Be brief and exact; leave out what every project has."
	if hint != "" {
		text += "\n\n" + hint
	}
	a.talk.Agent.Prompt([]chat.Part{chat.TextPart(text)})
	return nil
}

// treeCommand offers the ends of all branches of the conversation.
func (a *App) treeCommand(string) tea.Cmd {
	leaves := ends(a.talk.Session.Entries())
	if len(leaves) < 2 {
		return a.tell("This conversation has one branch; going back to an earlier prompt makes another")
	}
	now := a.talk.Session.Leaf()
	items := make([]dialog.Item[string], 0, len(leaves))
	for i := len(leaves) - 1; i >= 0; i-- {
		l := leaves[i]
		items = append(items, dialog.Item[string]{
			Value: l.id, Title: sanitize.OneLine(l.text), Description: fmt.Sprintf("%d messages", l.messages), Right: ago(a.o.Now().Sub(l.last.Timestamp)), Current: l.id == now,
		})
	}
	a.open(dialog.NewPicker(dialog.PickerOptions[string]{Keys: a.o.Keys, Theme: a.o.Theme, Title: "Branches", Items: items, Verb: "go on"}), func(act dialog.Action) tea.Cmd {
		if picked, ok := act.(dialog.Picked[string]); ok && picked.Value != now {
			a.talk.Agent.GoTo(picked.Value)
		}
		return nil
	})
	return nil
}

// end is the end of a branch. text is what the person said there last.
type end struct {
	id, text string
	messages int
	last     session.Entry
}

// ends finds the entries that nothing follows.
func ends(entries []session.Entry) []end {
	byID, followed := map[string]session.Entry{}, map[string]bool{}
	for _, e := range entries {
		byID[e.ID] = e
		followed[e.ParentID] = true
	}
	var list []end
	for _, e := range entries {
		if followed[e.ID] {
			continue
		}
		l := end{id: e.ID, last: e}
		for at, ok := e, true; ok; at, ok = byID[at.ParentID] {
			if at.Message == nil {
				continue
			}
			l.messages++
			if at.Message.Role == chat.RoleUser && l.text == "" {
				l.text = at.Message.Text()
			}
		}
		list = append(list, l)
	}
	return list
}

// forkCommand goes on in a copy of the conversation.
func (a *App) forkCommand(string) tea.Cmd {
	if a.o.Fork == nil {
		return nil
	}
	if a.refuseBusy() {
		return a.tell("Something still runs; interrupt it first")
	}
	c := a.talk
	return later(func() func(*App) tea.Cmd {
		next, err := a.o.Fork(c)
		return arrived(next, "You work on a copy; the conversation that you came from stays as it is.", err)
	})
}

// scrollbackCommand prints the conversation where the terminal keeps it.
func (a *App) scrollbackCommand(string) tea.Cmd {
	return tea.Exec(&printout{text: a.transcript.Print(a.w), in: a.o.In, out: a.o.Out}, func(error) tea.Msg { return nil })
}

// printout writes a text to the terminal and waits for Enter.
type printout struct {
	text string
	in   io.Reader
	out  io.Writer
}

// Run prints.
func (p *printout) Run() error {
	if _, err := fmt.Fprintf(p.out, "%s\nPress Enter to go on. ", p.text); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	_, err := bufio.NewReaderSize(p.in, 1).ReadString('\n')
	if err != nil {
		return fmt.Errorf("wait: %w", err)
	}
	return nil
}

// SetStdin takes the terminal's input.
func (p *printout) SetStdin(r io.Reader) { p.in = r }

// SetStdout takes the terminal's output.
func (p *printout) SetStdout(w io.Writer) { p.out = w }

// SetStderr is not used.
func (p *printout) SetStderr(io.Writer) {}
