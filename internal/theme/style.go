package theme

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// Reset ends every style.
const Reset = "\x1b[m"

// Style is a lipgloss style that also knows its own escape sequence, so that
// text can be styled by joining strings where a call per word would be slow.
// The embedded style is there for layout (Width, Align, Border, …).
type Style struct {
	lipgloss.Style
	open string
}

// NewStyle makes a Style. Only colours and text attributes count for Open and
// Render; padding, borders and sizes belong to the embedded style.
func NewStyle(s lipgloss.Style) Style {
	open, _, found := strings.Cut(s.Render("x"), "x")
	if !found {
		open = ""
	}
	return Style{Style: s, open: open}
}

// Open is the sequence that switches the style on, empty for unstyled text.
// Reset switches it off.
func (s Style) Open() string { return s.open }

// Render styles each line of text by itself, so that the result can be cut at
// its newlines. It neither pads nor wraps.
func (s Style) Render(text ...string) string {
	joined := strings.Join(text, " ")
	if s.open == "" || joined == "" {
		return joined
	}
	if !strings.Contains(joined, "\n") {
		return s.open + joined + Reset
	}
	return s.open + strings.ReplaceAll(joined, "\n", Reset+"\n"+s.open) + Reset
}
