package ptyoverlay

import (
	"strings"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// HadScreen says that the program had the alternate screen at some time, of
// which Transcript has nothing.
func (m *Model) HadScreen() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.hadScreen
}

// Transcript is what the program leaves: the scrollback and the last main
// screen as lines of text, once with colours for a person and once plain for a
// model. What stood on the alternate screen is gone, as in any terminal.
func (m *Model) Transcript() (styled, plain string) {
	rows := append(m.screen.Scrollback(), m.screen.Main()...)
	for len(rows) > 0 && vterm.LineText(rows[len(rows)-1]) == "" {
		rows = rows[:len(rows)-1]
	}
	var s, p strings.Builder
	var line []byte
	for i, row := range rows {
		if i > 0 {
			s.WriteByte('\n')
			p.WriteByte('\n')
		}
		line = vterm.AppendLine(line[:0], vterm.TrimLine(row))
		s.Write(line)
		p.WriteString(vterm.LineText(row))
	}
	return s.String(), p.String()
}
