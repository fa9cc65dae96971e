package editor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"

	"github.com/seed7484d81d/agent/internal/theme"
)

// guttered is the width below which the text starts at the edge, without a
// prompt sign.
const guttered = 12

func (m *Model) gutter() int {
	if m.width < guttered {
		return 0
	}
	return 2
}

// View draws the completions and, under them, the framed text: Height lines of
// at most the width.
func (m *Model) View() string {
	s := m.shape()
	lines := make([]string, 0, s.height())
	lines = append(lines, m.viewPopup(s.popup)...)
	if s.rules {
		lines = append(lines, m.rule(m.topLabels(s)))
	}
	lines = append(lines, m.viewText(s)...)
	if s.rules {
		lines = append(lines, m.rule("", m.hiddenBelow(s.text)))
	}
	for i, l := range lines {
		if ansi.StringWidth(l) > m.width { // next to no width: a wide character, a chip
			lines[i] = displaywidth.TruncateString(ansi.Strip(l), m.width, "")
		}
	}
	return strings.Join(lines, "\n")
}

// Cursor is where the cursor stands in the View. ok is false when there is
// none: without the focus or without a place for it.
func (m *Model) Cursor() (x, y int, ok bool) {
	s := m.shape()
	if m.blurred || s.text == 0 || m.width == 0 {
		return 0, 0, false
	}
	y = s.popup
	if m.past.search != nil {
		x = displaywidth.String(m.searchLabel())
		if s.rules {
			x += ruleLead + 1
		}
		return min(x, m.width-1), y, true
	}
	if s.rules {
		y++
	}
	here := m.text.rowOf(m.cursor)
	for r := m.top; r != here; y++ {
		next, ok := m.text.below(r)
		if !ok {
			return 0, 0, false
		}
		r = next
	}
	return min(m.gutter()+m.text.column(m.cursor), m.width-1), y, true
}

func (m *Model) frameStyle() theme.Style {
	switch {
	case m.blurred:
		return m.theme.Border
	case m.bang() == sharedBang:
		return m.theme.BashRule
	case m.bang() == privateBang:
		return m.theme.BashRuleDim
	default:
		return m.theme.BorderFocus
	}
}

// ruleLead is how much of a rule is seen outside its labels.
const ruleLead = 2

// rule draws a line over the whole width with a label near either end. The
// left one is shortened to fit; there must be room for the right one beside it.
func (m *Model) rule(left, right string) string {
	style := m.frameStyle()
	line := func(n int) string { return style.Render(strings.Repeat(m.theme.Glyphs.Rule, max(0, n))) }
	label := func(s string) string { return " " + style.Render(s) + " " }
	wide := func(s string) int {
		if s == "" {
			return 0
		}
		return displaywidth.String(s) + 2 + ruleLead
	}
	if room := m.width - 2*ruleLead - 2; left != "" {
		left = displaywidth.TruncateString(left, max(0, room), m.theme.Glyphs.Ellipsis)
	}
	if wide(left)+wide(right) > m.width {
		right = ""
	}
	out := line(m.width - wide(left) - wide(right))
	if left != "" {
		out = line(ruleLead) + label(left) + out
	}
	if right != "" {
		out += label(right) + line(ruleLead)
	}
	return out
}

func (m *Model) topLabels(s shape) (left, right string) {
	if m.past.search != nil {
		return m.searchLabel(), ""
	}
	switch m.bang() {
	case sharedBang:
		left = "bash"
	case privateBang:
		left = "bash, not told to the model"
	case notBang:
	}
	switch {
	case m.popup.open() && len(m.popup.shown) > s.popup:
		right = fmt.Sprintf("%d of %d", m.popup.selected+1, len(m.popup.shown))
	case m.top.line > 0:
		right = fmt.Sprintf("%d more above", m.top.line)
	}
	return left, right
}

func (m *Model) searchLabel() string {
	if s := m.past.search; s.failed {
		return "not found: " + visible(s.query)
	}
	return "search: " + visible(m.past.search.query)
}

// hiddenBelow tells how many lines are under the last row that is shown.
func (m *Model) hiddenBelow(rows int) string {
	r := m.top
	for range rows - 1 {
		next, ok := m.text.below(r)
		if !ok {
			return ""
		}
		r = next
	}
	if n := len(m.text.lines) - 1 - r.line; n > 0 {
		return fmt.Sprintf("%d more below", n)
	}
	return ""
}

func (m *Model) viewText(s shape) []string {
	rows := s.text
	if rows == 0 {
		return nil
	}
	if m.past.search != nil && !s.rules { // there is no rule to say it
		return append([]string{m.searchRow()}, m.viewRows(rows)[1:]...)
	}
	return m.viewRows(rows)
}

// searchRow is the search and the first line that it found, in one row.
func (m *Model) searchRow() string {
	label := displaywidth.TruncateString(m.searchLabel(), max(0, m.width-1), m.theme.Glyphs.Ellipsis)
	room := m.width - displaywidth.String(label) - 2
	if room < 1 {
		return m.frameStyle().Render(label)
	}
	found := displaywidth.TruncateString(visible(m.chips.labelled(m.text.at(m.cursor.line))), room, m.theme.Glyphs.Ellipsis)
	return m.frameStyle().Render(label) + "  " + m.theme.Text.Render(found)
}

func (m *Model) viewRows(rows int) []string {
	if m.Empty() {
		hint := displaywidth.TruncateString(m.placeholder, max(0, m.width-m.gutter()), m.theme.Glyphs.Ellipsis)
		return []string{m.sign(true) + m.theme.Placeholder.Render(hint)}
	}
	lines := make([]string, 0, rows)
	for r, ok := m.top, true; ok && len(lines) < rows; r, ok = m.text.below(r) {
		start, _ := m.text.rowStart(r.line, r.n)
		end, _ := m.text.rowEnd(r.line, r.n)
		lines = append(lines, m.sign(r == row{})+m.viewRow(m.text.at(r.line)[start:end]))
	}
	return lines
}

// sign stands before a row: the prompt before the first.
func (m *Model) sign(first bool) string {
	switch {
	case m.gutter() == 0:
		return ""
	case first:
		return m.frameStyle().Render(m.theme.Glyphs.Prompt) + " "
	default:
		return "  "
	}
}

// unseen is drawn for a character that has no width of its own, such as one
// that reorders what stands around it.
const unseen = "·"

// visible is one line of text with a sign for all that would not be seen.
func visible(s string) string {
	if isClean(s) && !strings.ContainsAny(s, "\n\t") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		c := s[i : i+clusterAt(s, i)]
		switch {
		case c == "\n" || c == "\t":
			b.WriteByte(' ')
		case displaywidth.String(c) == 0:
			b.WriteString(unseen)
		default:
			b.WriteString(c)
		}
		i += len(c)
	}
	return b.String()
}

// viewRow draws the text of one row: tabs as spaces, chips by their label, and
// what has no width of its own by a sign.
func (m *Model) viewRow(s string) string {
	var out, plain strings.Builder
	styled := func(st theme.Style, s string) {
		out.WriteString(m.theme.Text.Render(plain.String()))
		plain.Reset()
		out.WriteString(st.Render(s))
	}
	for i, col := 0, 0; i < len(s) && col < m.text.width+1; {
		n := clusterAt(s, i)
		c := s[i : i+n]
		w := m.cells(c, col)
		switch r, _ := utf8.DecodeRuneInString(c); {
		case c == "\t":
			plain.WriteString(strings.Repeat(" ", min(w, m.text.width+1-col)))
		case isChip(r):
			styled(m.theme.Code, displaywidth.TruncateString(m.chips.label(r), m.text.width-col, m.theme.Glyphs.Ellipsis))
		case displaywidth.String(c) == 0:
			styled(m.theme.Warning, unseen)
		default:
			plain.WriteString(c)
		}
		col += w
		i += n
	}
	styled(m.theme.Text, "")
	return out.String()
}
