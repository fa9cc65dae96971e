package tui

import (
	osexec "os/exec"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/tui/dialog"
	"github.com/seed7484d81d/agent/internal/tui/editor"
)

// key goes to the program in front, the dialog, the transcript if it has the focus, the editor, and
// then to the program.
func (a *App) key(k tea.KeyPressMsg) tea.Cmd {
	if t := a.front(); t != nil {
		a.terminalKey(t, k)
		return nil
	}
	if a.box != nil {
		return a.close(a.box.HandleKey(k))
	}
	if a.pager != nil {
		closed, cmd := a.pager.HandleKey(k)
		if closed {
			a.closePager()
		}
		return cmd
	}
	if a.transcript.Focused() {
		if used, cmd := a.transcriptKey(k); used {
			return cmd
		}
		a.blur()
	}
	used, act, cmd := a.editor.HandleKey(k)
	if used {
		a.armed = ""
		return tea.Batch(cmd, a.do(act))
	}
	for _, action := range a.o.Keys.Actions(k.String()) {
		if used, cmd := a.perform(action); used {
			return cmd
		}
	}
	return nil
}

// do does what the person wants with the text of the editor.
func (a *App) do(act editor.Action) tea.Cmd {
	switch act := act.(type) {
	case editor.Submit:
		return a.submit(act)
	case editor.OpenExternal:
		return a.external(act.Text)
	}
	return nil
}

// perform does what a key means for the program as a whole.
func (a *App) perform(action keymap.Action) (used bool, cmd tea.Cmd) {
	switch action {
	case keymap.Interrupt:
		return true, a.interrupt()
	case keymap.ClearOrQuit:
		return true, a.quitTwice()
	case keymap.QuitIfEmpty:
		return true, tea.Quit
	case keymap.Suspend:
		return true, tea.Suspend
	case keymap.ExpandAll:
		a.transcript.ToggleExpanded()
	case keymap.ToggleThinking:
		a.transcript.ToggleThinking()
	case keymap.PickModel:
		return true, a.pickModel()
	case keymap.CycleMode:
		return true, a.cycleMode()
	case keymap.Help:
		a.help()
	case keymap.TakeBack:
		a.talk.Agent.Unqueue()
	default:
		return a.scroll(action), nil
	}
	return true, nil
}

func (a *App) scroll(action keymap.Action) bool {
	switch action {
	case keymap.ScrollUp:
		a.transcript.ScrollBy(-1)
	case keymap.ScrollDown:
		a.transcript.ScrollBy(1)
	case keymap.PageUp:
		a.transcript.Page(-1)
	case keymap.PageDown:
		a.transcript.Page(1)
	case keymap.Top:
		a.transcript.Top()
	case keymap.Bottom:
		a.transcript.Bottom()
	case keymap.FocusPrev:
		a.focus(-1)
	case keymap.FocusNext:
		a.focus(1)
	default:
		return false
	}
	return true
}

func (a *App) focus(by int) {
	a.transcript.Focus(by)
	a.editor.SetFocus(!a.transcript.Focused())
}

func (a *App) blur() {
	a.transcript.Blur()
	a.editor.SetFocus(true)
}

// transcriptKey does what a key means while a block has the focus.
func (a *App) transcriptKey(k tea.KeyPressMsg) (used bool, cmd tea.Cmd) {
	for _, action := range a.o.Keys.Actions(k.String()) {
		switch action {
		case keymap.Leave:
			a.blur()
		case keymap.ToggleBlock:
			if id := a.transcript.FocusedArtifact(); id != 0 {
				return true, a.openArtifact(id)
			}
			a.transcript.ToggleFocused()
		case keymap.CopyBlock:
			return true, a.copyText(a.transcript.CopyFocused())
		case keymap.PrevPrompt:
			a.transcript.FocusPrompt(-1)
		case keymap.NextPrompt:
			a.transcript.FocusPrompt(1)
		case keymap.Search:
			a.search()
		case keymap.SearchNext:
			return true, a.find(1)
		case keymap.SearchPrev:
			return true, a.find(-1)
		default:
			if !a.scroll(action) {
				continue
			}
		}
		return true, nil
	}
	return false, nil
}

// interrupt stops the newest thing that runs. With nothing running and nothing
// typed, a second press goes back to an earlier prompt.
func (a *App) interrupt() tea.Cmd {
	if a.talk.Agent.State().Busy {
		a.talk.Agent.Interrupt()
		return nil
	}
	if !a.editor.Empty() {
		return nil
	}
	if a.armed == keymap.Rewind {
		a.armed = ""
		a.hint = ""
		return a.rewind()
	}
	if a.transcript.Empty() {
		return nil
	}
	cmd := a.tell(a.o.Keys.Key(keymap.Interrupt) + " again goes back to an earlier prompt")
	a.armed = keymap.Rewind
	return cmd
}

func (a *App) quitTwice() tea.Cmd {
	if a.armed == keymap.ClearOrQuit {
		return tea.Quit
	}
	cmd := a.tell(a.o.Keys.Key(keymap.ClearOrQuit) + " again quits")
	a.armed = keymap.ClearOrQuit
	return cmd
}

func (a *App) cycleMode() tea.Cmd {
	modes := permission.Modes()
	next := modes[0]
	for i, m := range modes {
		if m == a.state.Mode {
			next = modes[(i+1)%len(modes)]
		}
	}
	return a.setMode(next)
}

// modeMeans says what runs unasked.
func modeMeans(m permission.Mode) string {
	switch m {
	case permission.Edits:
		return "edits of the project's files run unasked"
	case permission.All:
		return "everything runs unasked"
	case permission.Plan:
		return "only reading is allowed"
	default:
		return "reading runs, everything else asks"
	}
}

func (a *App) setMode(m permission.Mode) tea.Cmd {
	a.talk.Agent.SetMode(m)
	a.refresh()
	return a.tell(string(m) + ": " + modeMeans(m))
}

// ask puts a question over whatever else is open.
func (a *App) ask(q chat.Question) {
	a.open(dialog.NewQuestion(dialog.QuestionOptions{Keys: a.o.Keys, Theme: a.o.Theme, About: q, Now: a.o.Now}), func(act dialog.Action) tea.Cmd {
		if answer, ok := act.(dialog.Answered); ok {
			a.talk.Agent.Answer(answer.ID, answer.Reply)
			return nil
		}
		a.talk.Agent.Interrupt()
		return nil
	})
	a.box.question = q.ID
}

// external opens the text in the person's own editor.
func (a *App) external(text string) tea.Cmd {
	if len(a.o.Editor) == 0 {
		return a.tell("Set $EDITOR to write in your own editor")
	}
	file, err := writeDraft(text)
	if err != nil {
		a.complain(err)
		return nil
	}
	args := append(append([]string{}, a.o.Editor[1:]...), file)
	cmd := osexec.CommandContext(a.ctx, a.o.Editor[0], args...)
	return tea.ExecProcess(cmd, func(err error) tea.Msg {
		back, readErr := readDraft(file)
		return doneMsg(func(a *App) tea.Cmd {
			switch {
			case err != nil:
				return a.tell("The editor ended with an error; the prompt is as it was")
			case readErr != nil:
				a.complain(readErr)
			default:
				a.editor.SetValue(back)
			}
			return nil
		})
	})
}

func (a *App) copyText(text string) tea.Cmd {
	if text == "" {
		return a.tell("There is nothing to copy")
	}
	return tea.Batch(tea.SetClipboard(text), a.tell("Copied"))
}
