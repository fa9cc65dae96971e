package transcript

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/theme"
)

// longModel holds commands with an output of so many lines in all.
func longModel(lines int) *Model {
	m := New(Options{Theme: theme.Dark(), ExpandKey: "ctrl+o"})
	m.SetSize(120, 36)
	for i := 0; i < lines; i += 1000 {
		code := 0
		run := chat.BashRun{ID: fmt.Sprint(i), Command: "seq", Output: strings.Repeat("a line of output, as they are\n", 1000), RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}
		m.Apply(session.Appended{Entry: session.Entry{Type: session.TypeMessage, Message: &chat.Message{Role: chat.RoleBashExecution, Run: &run}}})
	}
	m.ToggleExpanded()
	m.View()
	return m
}

// BenchmarkView compares the cost of a frame with a long transcript with that
// of a short one.
func BenchmarkView(b *testing.B) {
	for _, lines := range []int{1000, 20000, 200000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			m := longModel(lines)
			for b.Loop() {
				m.View()
			}
		})
	}
}
