package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/ptyoverlay"
)

// askedMsg is a program that wants to be in front of the person.
type askedMsg struct{ t *terminal }

// shownMsg says that a program has drawn something, or has ended.
type shownMsg struct{ t *terminal }

// awaitTerminal waits for the next program that needs a terminal.
func (a *App) awaitTerminal() tea.Cmd {
	if a.o.Console == nil {
		return nil
	}
	asked, ctx := a.o.Console.asked, a.ctx
	return func() tea.Msg {
		select {
		case t := <-asked:
			return askedMsg{t}
		case <-ctx.Done():
			return nil
		}
	}
}

// place puts a program in front of what is there.
func (a *App) place(t *terminal) tea.Cmd {
	t.overlay = ptyoverlay.New(ptyoverlay.Options{Theme: a.o.Theme, Title: t.about.Command, ByModel: t.about.ByModel, Esc: a.o.Esc})
	t.overlay.SetSize(a.w, a.h)
	a.terminals = append(a.terminals, t)
	close(t.placed)
	return tea.Batch(a.awaitTerminal(), follow(t))
}

// follow waits until a program has drawn something or has ended.
func follow(t *terminal) tea.Cmd {
	return func() tea.Msg {
		_ = t.overlay.Next(t.ctx) // of the context, which shown looks at
		return shownMsg{t}
	}
}

// shown goes on with a program. One that has ended goes, unless the person is
// looking back at what it printed.
func (a *App) shown(t *terminal) tea.Cmd {
	if t.ctx.Err() == nil {
		return follow(t)
	}
	if !t.overlay.Scrolling() {
		a.remove(t)
	}
	return nil
}

func (a *App) remove(t *terminal) {
	a.terminals = slices.DeleteFunc(a.terminals, func(other *terminal) bool { return other == t })
}

// front is the program in front, or nil.
func (a *App) front() *terminal {
	if len(a.terminals) == 0 {
		return nil
	}
	return a.terminals[len(a.terminals)-1]
}

func (a *App) resizeTerminals() {
	for _, t := range a.terminals {
		t.overlay.SetSize(a.w, a.h)
	}
}

// terminalKey gives a key to the program in front.
func (a *App) terminalKey(t *terminal, k tea.KeyPressMsg) {
	if _, closed := t.overlay.HandleKey(k).(ptyoverlay.Closed); closed {
		a.remove(t)
	}
}

// focused takes whether the window has the focus, and tells programs.
func (a *App) focused(on bool) {
	a.away = !on
	for _, t := range a.terminals {
		t.overlay.HandleFocus(on)
	}
}

// overlayRows draws the program in front, below what fits above it.
func (a *App) overlayRows(t *terminal) []string {
	height := min(t.overlay.Height(), a.h)
	above := a.overlayTop(height)
	a.transcript.SetSize(a.w, above)
	a.transcript.SetBelow(true)
	rows := make([]string, 0, a.h)
	if above > 0 {
		rows = append(rows, a.upper(above)...)
	}
	return append(rows, split(t.overlay.View(), height)...)
}

// overlayTop is the row where an overlay of a height begins. Below it there is
// only the status line.
func (a *App) overlayTop(height int) int {
	if height >= a.h {
		return 0
	}
	return a.h - height - 1
}

func (a *App) overlayCursor(t *terminal) *tea.Cursor {
	c := t.overlay.Cursor()
	if c == nil {
		return nil
	}
	c.Y += a.overlayTop(min(t.overlay.Height(), a.h))
	if c.Y >= a.h || c.X >= a.w {
		return nil
	}
	return c
}
