package render

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/theme"
)

// span is text in one style: the escape sequence that switches it on, empty
// for plain text, and the address it links to, empty for none.
type span struct {
	open, link, text string
}

func styled(s theme.Style, text string) span { return span{open: s.Open(), text: text} }

func plain(text string) span { return span{text: text} }

// Joint says how a line belongs to the line above it.
type Joint int

// The joints. A line that starts something of its own is Separate.
const (
	Separate Joint = iota
	Joined         // goes on where the line above was cut
	Spaced         // goes on after a space that the cut swallowed
)

// row is a line before it becomes a string: decoration, then content.
type row struct {
	gutter, text []span
	joint        Joint
}

// Marks inside a line. They are resets where nothing is switched on, so they
// change no cell; styles in this package end with theme.Reset, which is spelt
// differently from gutterEnd, and no line starts with a reset otherwise.
const (
	gutterEnd = "\x1b[0m"
	joinMark  = theme.Reset
	spaceMark = theme.Reset + theme.Reset
)

func (r row) String() string {
	var b strings.Builder
	switch r.joint {
	case Joined:
		b.WriteString(joinMark)
	case Spaced:
		b.WriteString(spaceMark)
	case Separate:
	}
	if len(r.gutter) > 0 {
		writeSpans(&b, r.gutter)
		b.WriteString(gutterEnd)
	}
	writeSpans(&b, r.text)
	return b.String()
}

// writeSpans writes styled text with everything closed at its end. Neighbours
// of one style share their sequences.
func writeSpans(b *strings.Builder, spans []span) {
	open, link := "", ""
	for _, s := range spans {
		if s.text == "" {
			continue
		}
		if s.link != link {
			if link != "" {
				b.WriteString(ansi.ResetHyperlink())
			}
			if s.link != "" {
				b.WriteString(ansi.SetHyperlink(s.link))
			}
			link = s.link
		}
		if s.open != open {
			if open != "" {
				b.WriteString(theme.Reset)
			}
			b.WriteString(s.open)
			open = s.open
		}
		b.WriteString(s.text)
	}
	if open != "" {
		b.WriteString(theme.Reset)
	}
	if link != "" {
		b.WriteString(ansi.ResetHyperlink())
	}
}

func lines(rows []row) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.String()
	}
	return out
}

// Split takes a line of this package apart for copying: its decoration, its
// content, both with their styles, and how it belongs to the line above. Lines
// of other origin are all content.
func Split(line string) (gutter, content string, joint Joint) {
	if rest, ok := strings.CutPrefix(line, spaceMark); ok {
		line, joint = rest, Spaced
	} else if rest, ok := strings.CutPrefix(line, joinMark); ok {
		line, joint = rest, Joined
	}
	gutter, content, found := strings.Cut(line, gutterEnd)
	if !found {
		return "", line, joint
	}
	return gutter, content, joint
}

// Copy is the text that drawn lines hold: without decoration and styles, and
// with the breaks that only the width made undone.
func Copy(drawn []string) string {
	var b strings.Builder
	for i, line := range drawn {
		_, content, joint := Split(line)
		switch {
		case i == 0 || joint == Joined:
		case joint == Spaced:
			b.WriteByte(' ')
		default:
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(ansi.Strip(content), " "))
	}
	return b.String()
}
