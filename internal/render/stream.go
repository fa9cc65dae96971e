package render

import (
	"strings"

	"github.com/seed7484d81d/agent/internal/theme"
)

// Stream draws a model's text while it comes in. What is finished is drawn once;
// only the last block, which can still change, is drawn again. The zero value
// is ready.
type Stream struct {
	text string

	done  int // bytes of text that are drawn for good
	drawn []string
	width int
	theme *theme.Theme
}

// Set replaces the text: usually by a longer one.
func (s *Stream) Set(text string) {
	if !strings.HasPrefix(text, s.text[:min(s.done, len(s.text))]) {
		s.done, s.drawn = 0, nil
	}
	s.text = text
}

// Append adds to the text.
func (s *Stream) Append(text string) { s.text += text }

// Text is the text so far.
func (s *Stream) Text() string { return s.text }

// Lines draws the text. The lines must not be changed.
func (s *Stream) Lines(o Options) []string {
	if o.Width != s.width || o.Theme != s.theme {
		s.done, s.drawn, s.width, s.theme = 0, nil, o.Width, o.Theme
	}
	if cut := boundary(s.text, s.done); cut > s.done {
		s.drawn = joinBlocks(s.drawn, Markdown(s.text[s.done:cut], o))
		s.done = cut
	}
	tail := s.text[s.done:]
	if strings.TrimSpace(tail) == "" {
		return s.drawn
	}
	return joinBlocks(s.drawn[:len(s.drawn):len(s.drawn)], Markdown(tail, o))
}

func joinBlocks(a, b []string) []string {
	if len(a) > 0 && len(b) > 0 {
		a = append(a, "")
	}
	return append(a, b...)
}

// boundary is the end of the last blank line from from on that ends a block for
// sure: outside of fences, and not before something that may go on a list.
func boundary(text string, from int) int {
	cut, at, fence := from, from, ""
	blank := false
	for at < len(text) {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			break // an open line may become anything
		}
		line := text[at : at+end]
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]+" ") == "" {
				fence = ""
			}
		case strings.TrimSpace(line) == "":
			blank = true
			at += end + 1
			continue
		default:
			if blank && !continues(line) {
				cut = at
			}
			if f := fenceOf(trimmed); f != "" {
				fence = f
			}
		}
		blank = false
		at += end + 1
	}
	return cut
}

func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return strings.Repeat(c, n)
		}
	}
	return ""
}

// continues says that a line may belong to what stands before a blank line.
func continues(line string) bool {
	if line[0] == ' ' || line[0] == '\t' {
		return true
	}
	rest := strings.TrimLeft(line, "0123456789")
	if rest != line && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' ' {
		return true
	}
	return len(line) > 1 && strings.ContainsRune("-*+", rune(line[0])) && line[1] == ' '
}
