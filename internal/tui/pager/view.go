package pager

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/sanitize"
)

// clean makes raw lines fit for the screen.
func clean(raw []string) []string {
	out := make([]string, len(raw))
	for i, l := range raw {
		out[i] = sanitize.ExpandTabs(strings.ReplaceAll(sanitize.ForScreen(strings.TrimRight(l, "\r")), "\n", " "), tabWidth)
	}
	return out
}

const tabWidth = 8

// View draws exactly the rectangle.
func (m *Model) View() string {
	if m.w < 1 || m.h < 1 {
		return ""
	}
	rows := make([]string, 0, m.h)
	if m.h >= 3 {
		rows = append(rows, m.title())
	}
	for i := range int64(m.rows()) {
		rows = append(rows, m.row(m.top+i))
	}
	if m.h >= 2 {
		rows = append(rows, m.footer())
	}
	return strings.Join(rows, "\n")
}

func (m *Model) row(n int64) string {
	t := m.o.Theme
	text, here := m.line(n)
	switch {
	case here && n == m.hit:
		return m.marked(text)
	case here:
		return t.Output.Render(m.cut(text))
	case m.failed != nil && n == m.top:
		return t.Error.Render(ansi.Truncate(sanitize.OneLine(m.failed.Error()), m.w, ""))
	case m.total < 0 || n <= m.total:
		return t.Dim.Render(ansi.Truncate(t.Glyphs.Ellipsis, m.w, "")) // on its way
	default:
		return ""
	}
}

// marked is the line that was found, with what was looked for.
func (m *Model) marked(text string) string {
	t := m.o.Theme
	at := strings.Index(text, m.needle)
	if at < 0 {
		at = strings.Index(strings.ToLower(text), strings.ToLower(m.needle))
	}
	end := at + len(m.needle)
	if at < 0 || end > len(text) {
		return t.Match.Render(m.cut(text))
	}
	styled := t.Output.Render(text[:at]) + t.MatchCurrent.Render(text[at:end]) + t.Output.Render(text[end:])
	return ansi.Truncate(ansi.Cut(styled, m.left, m.left+m.w), m.w, "") // a wide one at the edge
}

// cut is the part of a line that is seen.
func (m *Model) cut(text string) string {
	if m.left == 0 {
		return ansi.Truncate(text, m.w, "")
	}
	return ansi.Truncate(ansi.Cut(text, m.left, m.left+m.w), m.w, "") // a wide one at the edge
}

func (m *Model) title() string {
	t := m.o.Theme
	right := ""
	if m.total >= 0 {
		right = fmt.Sprintf(" %d–%d of %d ", min(m.top, m.total), min(m.top+int64(m.rows())-1, m.total), m.total)
	}
	rule := t.Glyphs.Rule
	if rule == "" {
		rule = " "
	}
	left := rule + " " + ansi.Truncate(sanitize.OneLine(m.o.Title), max(0, m.w-ansi.StringWidth(right)-5), t.Glyphs.Ellipsis) + " "
	gap := m.w - ansi.StringWidth(left) - ansi.StringWidth(right) - 1
	if gap < 0 {
		return t.Title.Render(ansi.Truncate(sanitize.OneLine(m.o.Title), m.w, t.Glyphs.Ellipsis))
	}
	return t.Title.Render(left) + t.Border.Render(strings.Repeat(rule, gap)) + t.Dim.Render(right) + t.Border.Render(rule)
}

func (m *Model) footer() string {
	t := m.o.Theme
	switch {
	case m.typing:
		return ansi.Truncate(t.Key.Render("/")+t.Text.Render(sanitize.OneLine(m.needle)), m.w, "")
	case m.searching != nil:
		return t.Dim.Render(ansi.Truncate("Searching"+t.Glyphs.Ellipsis+" "+m.o.Keys.Key(keymap.Interrupt)+" stops", m.w, ""))
	case m.note != "":
		return t.Warning.Render(ansi.Truncate(sanitize.OneLine(m.note), m.w, t.Glyphs.Ellipsis))
	}
	parts := []string{
		m.hint(keymap.Leave, "close"), m.hint(keymap.Search, "search"), m.hint(keymap.SearchNext, "next"),
		m.hint(keymap.Top, "top"), m.hint(keymap.Bottom, "bottom"), t.Key.Render("← →") + t.Dim.Render(" long lines"),
	}
	sep := t.Dim.Render(t.Glyphs.Separator)
	for len(parts) > 1 && ansi.StringWidth(strings.Join(parts, sep)) > m.w {
		parts = parts[:len(parts)-1]
	}
	return ansi.Truncate(strings.Join(parts, sep), m.w, "")
}

func (m *Model) hint(a keymap.Action, does string) string {
	return m.o.Theme.Key.Render(m.o.Keys.Key(a)) + m.o.Theme.Dim.Render(" "+does)
}

// Cursor stands in what is being typed.
func (m *Model) Cursor() (x, y int, ok bool) {
	x = 1 + ansi.StringWidth(sanitize.OneLine(m.needle))
	return x, m.h - 1, m.typing && m.h >= 2 && x < m.w
}
