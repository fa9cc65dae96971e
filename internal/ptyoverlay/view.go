package ptyoverlay

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
	"github.com/seed7484d81d/agent/internal/vterm"
)

// picture is what was drawn last.
type picture struct {
	seq    uint64      // of what it shows
	view   string      // "" when nothing was drawn yet
	frame  vterm.Frame // the program's part
	scroll bool        // which was a look back
}

// View is the overlay, Height rows of at most the window's width.
func (m *Model) View() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw()
	return m.picture.view
}

// Cursor is where the program's cursor stands in the View, nil if it shows
// none.
func (m *Model) Cursor() *tea.Cursor {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw()
	f := m.picture.frame
	title, _ := m.frame()
	if m.ended || m.scroll != nil || f.Modes.Hidden || f.X >= m.width || f.Y >= m.rows {
		return nil
	}
	c := tea.NewCursor(f.X, f.Y+title)
	style := f.Modes.CursorStyle
	switch style {
	case 3, 4:
		c.Shape = tea.CursorUnderline
	case 5, 6:
		c.Shape = tea.CursorBar
	}
	c.Blink = style == 0 || style%2 == 1
	return c
}

// draw makes the picture again if something may have changed.
func (m *Model) draw() {
	seq := m.seq.Load()
	p := &m.picture
	if p.view != "" && p.seq == seq {
		return
	}
	hold := p.view != "" && p.scroll == (m.scroll != nil) && m.scroll == nil && m.holding()
	if !hold {
		p.frame, p.scroll, p.seq = m.content(), m.scroll != nil, seq
	}
	title, footer := m.frame()
	rows := make([]string, 0, title+len(p.frame.Lines)+footer)
	if title > 0 {
		rows = append(rows, m.title())
	}
	rows = append(rows, p.frame.Lines...)
	if footer > 0 {
		rows = append(rows, m.footer())
	}
	p.view = strings.Join(rows, "\n")
	if hold {
		p.seq = 0 // what was held back is still to be drawn
	}
}

// holding says that the program is in the middle of a frame.
func (m *Model) holding() bool {
	return !m.syncSince.IsZero() && m.o.Now().Sub(m.syncSince) < holdFrame
}

// content is the program's part: exactly the rows that are there for it.
func (m *Model) content() vterm.Frame {
	f := m.screen.Frame()
	title, footer := m.frame()
	height := max(1, m.outer()-title-footer)
	switch {
	case m.scroll != nil:
		m.scroll.clamp(m)
		f.Lines = m.screen.RenderLines(m.scroll.top, height, m.width)
	case m.cols > m.width || len(f.Lines) > height: // an ended program that was larger
		_, end := m.screen.Extent()
		below := len(f.Lines) - min(max(f.Y+1, height), len(f.Lines))
		f.Lines = m.screen.RenderLines(end-below-min(height, len(f.Lines)), height, m.width)
	}
	for len(f.Lines) < height {
		f.Lines = append(f.Lines, "")
	}
	return f
}

// title is the command and what became of it.
func (m *Model) title() string {
	t := m.o.Theme
	state := m.stateText()
	const rim = 7 // "─ ", " ", at least one "─", " ", " ─"
	const roomForHint, roomForShortHint = 64, 34
	hint := ""
	switch {
	case !m.o.ByModel:
	case m.width >= roomForHint:
		hint = "started by the model" + t.Glyphs.Separator
	case m.width >= roomForShortHint:
		hint = "model" + t.Glyphs.Separator
	}
	right := ansi.StringWidth(hint) + ansi.StringWidth(state)
	if m.width < right+rim+2 { // no room for a command worth the name
		return m.stateStyle().Render(ansi.Truncate(state, m.width, ""))
	}
	command := ansi.Truncate(oneLine("$ ", m.o.Title), m.width-right-rim, t.Glyphs.Ellipsis)
	fill := m.width - right - rim - ansi.StringWidth(command) + 1
	return m.rule(1) + " " + t.BashCommand.Render(command) + " " + m.rule(fill) + " " +
		t.Dim.Render(hint) + m.stateStyle().Render(state) + " " + m.rule(1)
}

// oneLine is a text in one row whose width everybody counts alike, also when it
// is cut.
func oneLine(before, text string) string {
	text = before + sanitize.OneLine(text)
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	for g := graphemes.FromString(text); g.Next(); {
		if c := g.Value(); alike(c) {
			b.WriteString(c)
		} else {
			b.WriteByte('?')
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func alike(s string) bool { return ansi.StringWidth(s) == ansi.StringWidthWc(s) }

// rule is a line of n cells, blank in a plain theme.
func (m *Model) rule(n int) string {
	t := m.o.Theme
	if t.Glyphs.Rule == "" {
		return strings.Repeat(" ", n)
	}
	return t.BashRule.Render(strings.Repeat(t.Glyphs.Rule, n))
}

func (m *Model) stateText() string {
	g, glyph := m.o.Theme.Glyphs, ""
	switch {
	case m.o.Theme.Plain:
	case !m.ended:
		glyph = g.Running + " "
	case m.failed:
		glyph = g.Failure + " "
	default:
		glyph = g.Success + " "
	}
	return oneLine(glyph, m.state)
}

func (m *Model) stateStyle() theme.Style {
	t := m.o.Theme
	switch {
	case !m.ended:
		return t.Accent
	case m.failed:
		return t.Error
	default:
		return t.Success
	}
}

// hint is a key and what it does at the moment; no key for a remark.
type hint struct{ key, does string }

// hints are what the keys do at the moment, the most important first.
func (m *Model) hints() []hint {
	screen, arrows := "full screen", "↑↓"
	if m.o.Theme.Plain {
		arrows = "up down"
	}
	if m.full {
		screen = "smaller"
	}
	switch {
	case m.ended:
		return []hint{{"esc", "close"}, {arrows + " pgup pgdn", "scroll"}, {"f", screen}}
	case m.leader:
		return []hint{
			{"k", "stop"}, {"esc", "send esc"}, {"f", screen}, {"[", "scroll back"}, {"ctrl+]", "send ctrl+]"},
		}
	case m.scroll != nil:
		return m.scrollHints(arrows)
	}
	stop, secret := "stop the program", "what you type is neither shown nor stored"
	if m.width < narrow {
		stop, secret = "stop", "not shown, not stored"
	}
	out := make([]hint, 0, 5)
	if m.note != "" {
		out = append(out, hint{"", m.note})
	}
	if m.secret {
		out = append(out, hint{"", secret})
	}
	if m.escKills(m.screen.Modes()) {
		return append(out, hint{"esc", stop}, hint{"ctrl+]", "more keys"})
	}
	return append(out, hint{"ctrl+] k", stop}, hint{"esc", "for the program"}, hint{"ctrl+]", "more keys"})
}

// narrow is the width below which hints are short.
const narrow = 60

func (m *Model) scrollHints(arrows string) []hint {
	first, end := m.screen.Extent()
	m.scroll.clamp(m)
	from := m.scroll.top - first
	return []hint{
		{"q", "back to the program"},
		{"", fmt.Sprintf("lines %d-%d of %d", from+1, min(from+m.rows, end-first), end-first)},
		{arrows + " pgup pgdn home end", "scroll"},
	}
}

// footer is as many hints as there is room for, at least the first.
func (m *Model) footer() string {
	t := m.o.Theme
	parts := make([]string, 0, 6)
	for _, h := range m.hints() {
		text := t.Dim.Render(h.does)
		if h.key != "" {
			text = t.Key.Render(h.key) + " " + text
		}
		parts = append(parts, text)
	}
	separator := t.Dim.Render(t.Glyphs.Separator)
	for len(parts) > 1 && ansi.StringWidth(strings.Join(parts, separator))+2 > m.width {
		parts = slices.Delete(parts, len(parts)-1, len(parts))
	}
	line := strings.Join(parts, separator)
	const margin = 2
	if ansi.StringWidth(line)+margin <= m.width {
		return strings.Repeat(" ", margin) + line
	}
	return ansi.Truncate(line, m.width, t.Glyphs.Ellipsis)
}
