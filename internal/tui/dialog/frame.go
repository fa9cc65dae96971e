package dialog

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"

	"github.com/seed7484d81d/agent/internal/theme"
)

// framed is the smallest height at which a dialog has a rule above and below.
const framed = 4

// frame is the rectangle of a dialog: a rule with the title, the content, and
// a rule with the keys that work.
type frame struct {
	theme         *theme.Theme
	width, height int
}

// SetTheme changes the colours.
func (f *frame) SetTheme(t *theme.Theme) { f.theme = t }

// resize sets the rectangle.
func (f *frame) resize(width, height int) { f.width, f.height = max(0, width), max(0, height) }

// rows is how many lines of content there are.
func (f *frame) rows() int {
	if f.height < framed {
		return f.height
	}
	return f.height - 2
}

// first is the line on which the content starts.
func (f *frame) first() int {
	if f.height < framed {
		return 0
	}
	return 1
}

// labels is what stands in the rules: the title and a note above, what the
// keys do below.
type labels struct {
	title, note, hint string
	style             theme.Style // of the title and its rule
}

// draw puts the content between the rules. It is cut, or filled with empty
// lines, to the rectangle.
func (f *frame) draw(content []string, l labels) string {
	lines := make([]string, 0, f.height)
	if f.first() > 0 {
		lines = append(lines, f.rule(l.title, l.note, l.style, f.theme.BorderFocus))
	}
	for i := range f.rows() {
		line := ""
		if i < len(content) {
			line = content[i]
		}
		lines = append(lines, line)
	}
	if f.first() > 0 {
		lines = append(lines, f.rule(l.hint, "", f.theme.Dim, f.theme.BorderFocus))
	}
	for i, l := range lines {
		lines[i] = clip(l, f.width)
	}
	return strings.Join(lines, "\n")
}

// clip cuts a styled line at a width.
func clip(l string, width int) string {
	if ansi.StringWidth(l) <= width {
		return l
	}
	// Truncate takes a letter that a variation selector makes wide for narrow.
	if l = ansi.Truncate(l, width, ""); ansi.StringWidth(l) <= width {
		return l
	}
	return displaywidth.TruncateString(ansi.Strip(l), width, "")
}

// ruleLead is how much of a rule is seen outside its labels.
const ruleLead = 2

// rule is a line over the whole width with a label near either end. The left
// one is shortened to fit; there must be room for the right one beside it.
func (f *frame) rule(left, right string, style, ruled theme.Style) string {
	line := func(n int) string { return ruled.Render(strings.Repeat(f.theme.Glyphs.Rule, max(0, n))) }
	wide := func(s string) int {
		if s == "" {
			return 0
		}
		return displaywidth.String(s) + 2 + ruleLead
	}
	left = f.fit(left, f.width-2*ruleLead-2)
	if wide(left)+wide(right) > f.width {
		right = ""
	}
	out := line(f.width - wide(left) - wide(right))
	if left != "" {
		out = line(ruleLead) + " " + style.Render(left) + " " + out
	}
	if right != "" {
		out += " " + f.theme.Dim.Render(right) + " " + line(ruleLead)
	}
	return out
}

// fit shortens text without styles to a width.
func (f *frame) fit(s string, width int) string {
	return displaywidth.TruncateString(s, max(0, width), f.theme.Glyphs.Ellipsis)
}

// bar draws a chosen row over the whole width.
func (f *frame) bar(row string) string {
	row = f.fit(row, f.width)
	return f.theme.Selection.Render(row + strings.Repeat(" ", max(0, f.width-displaywidth.String(row))))
}

// sign stands before the rows of a list.
func (f *frame) sign(chosen bool) string {
	if chosen {
		return f.theme.Glyphs.Pointer + " "
	}
	return strings.Repeat(" ", displaywidth.String(f.theme.Glyphs.Pointer)+1)
}

// hint joins keys and what they do, for the lower rule.
func (f *frame) hint(pairs ...string) string {
	var parts []string
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] != "" {
			parts = append(parts, pairs[i]+" "+pairs[i+1])
		}
	}
	return strings.Join(parts, f.theme.Glyphs.Separator)
}

// window is where the part of n rows starts that is shown in height rows, such
// that the chosen one is seen; from is where it started before.
func window(from, chosen, n, height int) int {
	if chosen < from {
		from = chosen
	}
	if chosen >= from+height {
		from = chosen - height + 1
	}
	return max(0, min(from, n-height))
}

func wide(s string) int { return displaywidth.String(s) }
