package ptyoverlay

import (
	"strings"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// HadScreen says that the program had the alternate screen at some time, of
// which Transcript has nothing.
func (m *Model) HadScreen() bool { return m.screen.HadAlt() }

// Transcript is what the program leaves: the scrollback and the last main
// screen as lines of text, joined where they only were too long for the terminal, once with colours for a person and once plain for a
// model. What stood on the alternate screen is gone, as in any terminal.
func (m *Model) Transcript() (styled, plain string) {
	var s, p strings.Builder
	var line []byte
	for row := range m.screen.Document() {
		line = append(vterm.AppendLine(line[:0], row), '\n')
		s.Write(line)
		p.WriteString(vterm.LineText(row))
		p.WriteByte('\n')
	}
	return strings.TrimSuffix(s.String(), "\n"), strings.TrimSuffix(p.String(), "\n")
}
