package tui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/tui/statusline"
)

// layout is how the rows of the screen are shared.
type layout struct {
	transcript int // rows of the transcript, from the top
	activity   int // 0 or 1
	queue      int
	below      int // where the editor or the dialog begins
	bottom     int // rows of it
	status     int // 0 or 1
}

// layout gives the editor or the dialog what it wants, within bounds, and the
// transcript the rest. The editor always has a row.
func (a *App) layout() layout {
	l := layout{}
	if a.h >= 4 {
		l.status = 1
	}
	room := a.h - l.status
	if a.box != nil {
		l.bottom = min(a.box.Want(a.w), max(room*3/4, min(room, 8)))
		a.box.SetSize(a.w, l.bottom)
	} else {
		want := max(3, a.h/3) // with its frame
		if a.h < smallHeight {
			want = 1
		}
		a.editor.SetSize(a.w, max(1, min(room, want)))
		l.bottom = min(room, a.editor.Height())
	}
	room -= l.bottom
	if a.state.Turn && a.box == nil && room >= 3 {
		l.activity = 1
	}
	l.queue = min(len(a.queued()), max(0, room-l.activity-2), 3)
	l.transcript = max(0, room-l.activity-l.queue)
	l.below = l.transcript + l.activity + l.queue
	a.transcript.SetSize(a.w, l.transcript)
	return l
}

// smallHeight is the height below which the editor has no frame.
const smallHeight = 8

// View draws the screen.
func (a *App) View() tea.View {
	v := tea.NewView("")
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = a.title()
	v.ReportFocus = true
	if a.state.Turn && !a.o.Theme.Plain {
		v.ProgressBar = tea.NewProgressBar(tea.ProgressBarIndeterminate, 0)
	}
	if a.w < 1 || a.h < 1 {
		return v
	}
	var rows []string
	if t := a.front(); t != nil {
		rows = a.overlayRows(t)
		v.Cursor = a.overlayCursor(t)
		if t.overlay.WantsMotion() {
			v.MouseMode = tea.MouseModeAllMotion
		}
	} else if a.pager != nil && a.box == nil {
		rows = split(a.pager.View(), a.pagerRows())
		v.Cursor = a.pagerCursor()
	} else {
		l := a.layout()
		rows = a.rows(l)
		v.Cursor = a.cursor(l)
	}
	if len(rows) < a.h {
		rows = append(rows, statusline.View(a.status(), a.w, a.o.Theme))
	}
	for i, r := range rows {
		if ansi.StringWidth(r) > a.w {
			rows[i] = ansi.Truncate(r, a.w, "")
		}
	}
	v.SetContent(strings.Join(rows[:min(len(rows), a.h)], "\n"))
	return v
}

// rows are those above the status line.
func (a *App) rows(l layout) []string {
	a.transcript.SetBelow(false)
	rows := make([]string, 0, a.h)
	if l.transcript > 0 {
		rows = append(rows, a.upper(l.transcript)...)
	}
	if l.activity > 0 {
		rows = append(rows, a.activity())
	}
	rows = append(rows, a.queueRows(l.queue)...)
	if a.box != nil {
		return append(rows, split(a.box.View(), l.bottom)...)
	}
	return append(rows, split(a.editor.View(), l.bottom)...)
}

// split makes exactly n rows of a drawing.
func split(view string, n int) []string {
	rows := strings.Split(view, "\n")
	for len(rows) < n {
		rows = append(rows, "")
	}
	return rows[:n]
}

func (a *App) cursor(l layout) *tea.Cursor {
	var x, y int
	var ok bool
	if a.box != nil {
		x, y, ok = a.box.Cursor()
	} else {
		x, y, ok = a.editor.Cursor()
	}
	if !ok || y >= l.bottom || x >= a.w {
		return nil
	}
	return tea.NewCursor(x, l.below+y)
}

// upper is the transcript, or a welcome while there is none.
func (a *App) upper(height int) []string {
	if !a.transcript.Empty() {
		return split(a.transcript.View(), height)
	}
	rows := make([]string, 0, height)
	welcome := a.o.Welcome[:min(len(a.o.Welcome), height)]
	for range height - len(welcome) - 1 {
		rows = append(rows, "")
	}
	for i, l := range welcome {
		style := a.o.Theme.Dim
		if i == 0 {
			style = a.o.Theme.Heading
		}
		rows = append(rows, "  "+style.Render(ansi.Truncate(l, max(0, a.w-4), a.o.Theme.Glyphs.Ellipsis)))
	}
	return split(strings.Join(rows, "\n"), height)
}

// activity says that the model works, and how to stop it.
func (a *App) activity() string {
	t := a.o.Theme
	text := "Working"
	switch {
	case a.state.Retry != nil:
		text = fmt.Sprintf("Trying again in %s", chat.Seconds(max(0, a.state.Retry.Until.Sub(a.o.Now()))))
	case len(a.state.Calls) > 0:
		text = "Running " + sanitize.OneLine(a.state.Calls[len(a.state.Calls)-1].Name)
	}
	if !a.began.IsZero() {
		text += " " + chat.Seconds(max(0, a.o.Now().Sub(a.began)))
	}
	key := a.o.Keys.Key(keymap.Interrupt)
	spin := t.Glyphs.Frame(a.spin)
	if spin != "" {
		spin += " "
	}
	return "  " + t.Accent.Render(spin) + t.Dim.Render(text+t.Glyphs.Separator+key+" to interrupt")
}

func (a *App) queued() []string {
	out := make([]string, 0, len(a.state.Steer)+len(a.state.FollowUp))
	out = append(out, a.state.Steer...)
	for _, f := range a.state.FollowUp {
		out = append(out, "then: "+f)
	}
	return out
}

// queueRows are the messages that wait, the newest if not all fit.
func (a *App) queueRows(n int) []string {
	all := a.queued()
	rows := make([]string, 0, n)
	for i, q := range all[len(all)-n:] {
		text := a.o.Theme.Glyphs.Queued + " " + sanitize.OneLine(q)
		if hidden := len(all) - n; i == 0 && hidden > 0 {
			text = fmt.Sprintf("%s (+%d)", text, hidden)
		}
		rows = append(rows, "  "+a.o.Theme.Dim.Render(ansi.Truncate(text, max(0, a.w-4), a.o.Theme.Glyphs.Ellipsis)))
	}
	return rows
}

func (a *App) status() statusline.State {
	s := statusline.State{
		Dir: a.short(a.dir), Branch: a.branch, Mode: string(a.state.Mode), Context: -1, Hint: a.hint,
		Thinking: string(a.state.Thinking), Model: a.state.Model.ID, Jobs: a.state.Bangs,
	}
	if p, ok := a.state.ContextPercent(); ok && p > 0 {
		s.Context = p
	}
	if a.state.CostKnown {
		s.Cost = a.state.Cost
	}
	return s
}

// short names a directory from the home directory.
func (a *App) short(dir string) string {
	if a.o.Home == "" {
		return dir
	}
	if dir == a.o.Home {
		return "~"
	}
	if rel, ok := strings.CutPrefix(dir, a.o.Home+string(filepath.Separator)); ok {
		return "~/" + rel
	}
	return dir
}

// title is what the window is called.
func (a *App) title() string {
	name := a.name
	if name == "" {
		name = filepath.Base(a.dir)
	}
	mark := ""
	if a.state.Turn {
		mark = "* "
	}
	const most = 60
	return mark + ansi.Truncate(sanitize.OneLine(name), most, "…") + " - agent"
}
