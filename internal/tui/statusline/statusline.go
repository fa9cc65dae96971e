// Package statusline draws the line at the bottom of the screen: where one is,
// who answers, what may run and what it cost. It is a pure function of its
// State.
package statusline

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
)

// State is what the line shows. Empty fields are left out.
type State struct {
	Dir      string // as short as it can be named
	Branch   string
	Model    string
	Thinking string
	Mode     string // what may run unasked
	// Context is how full the model's window is, in percent; −1 if unknown.
	Context float64
	Cost    float64 // US dollars; 0 shows nothing
	Jobs    int     // commands that go on in the background
	// Hint takes the place of the directory for a moment.
	Hint string
}

// fact is a piece of the line. Facts with a high rank go first when there is no
// room.
type fact struct {
	text  string
	style theme.Style
	rank  int
}

// View draws the line: exactly width cells, or less.
func View(s State, width int, t *theme.Theme) string {
	if width < 1 {
		return ""
	}
	left, right := s.left(t), s.right(t)
	for worst := 9; worst > 0; worst-- {
		if total(left, t)+total(right, t)+2 <= width {
			break
		}
		left, right = without(left, worst), without(right, worst)
	}
	l, r := join(left, t), join(right, t)
	gap := width - total(left, t) - total(right, t)
	switch {
	case gap >= 0:
		return l + strings.Repeat(" ", gap) + r
	case len(left) > 0:
		return left[0].style.Render(displaywidth.TruncateString(left[0].text, width, t.Glyphs.Ellipsis))
	default:
		return ""
	}
}

func (s State) left(t *theme.Theme) []fact {
	if s.Hint != "" {
		return []fact{{sanitize.OneLine(s.Hint), t.Accent, 0}}
	}
	var out []fact
	if s.Dir != "" {
		out = append(out, fact{sanitize.OneLine(s.Dir), t.StatusBar, 0})
	}
	if s.Branch != "" {
		out = append(out, fact{sanitize.OneLine(s.Branch), t.StatusBar, 6})
	}
	return out
}

func (s State) right(t *theme.Theme) []fact {
	var out []fact
	add := func(text string, style theme.Style, rank int) {
		if text != "" {
			out = append(out, fact{sanitize.OneLine(text), style, rank})
		}
	}
	if s.Jobs > 0 {
		add(fmt.Sprintf("%d running", s.Jobs), t.Warning, 5)
	}
	add(s.Model, t.StatusBar, 3)
	if s.Thinking != "" {
		add("thinks "+s.Thinking, t.StatusBar, 8)
	}
	mode := t.StatusBar
	switch s.Mode {
	case "all":
		mode = t.Warning
	case "plan", "edits":
		mode = t.Accent
	}
	add(s.Mode, mode, 2)
	if s.Context >= 0 {
		style := t.StatusBar
		if s.Context >= 80 {
			style = t.Warning
		}
		add(fmt.Sprintf("%.0f%%", s.Context), style, 4)
	}
	if s.Cost >= 0.005 { // less would read as nothing
		add(fmt.Sprintf("$%.2f", s.Cost), t.StatusBar, 7)
	}
	return out
}

func without(facts []fact, rank int) []fact {
	var out []fact
	for _, f := range facts {
		if f.rank != rank {
			out = append(out, f)
		}
	}
	return out
}

func total(facts []fact, t *theme.Theme) int {
	n := 0
	for i, f := range facts {
		if i > 0 {
			n += displaywidth.String(t.Glyphs.Separator)
		}
		n += displaywidth.String(f.text)
	}
	return n
}

func join(facts []fact, t *theme.Theme) string {
	var b strings.Builder
	for i, f := range facts {
		if i > 0 {
			b.WriteString(t.StatusBar.Render(t.Glyphs.Separator))
		}
		b.WriteString(f.style.Render(f.text))
	}
	return b.String()
}
