package tools

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Change describes what happened to a file, with a diff of three lines of
// context.
func Change(name, before, after string) chat.FileChange {
	c := chat.FileChange{Path: name}
	if before == after {
		return c
	}
	text := udiff.Unified(name, name, before, after)
	var b strings.Builder
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "--- ") && b.Len() == 0, strings.HasPrefix(line, "+++ ") && b.Len() == 0:
			continue
		case strings.HasPrefix(line, "+"):
			c.Added++
		case strings.HasPrefix(line, "-"):
			c.Removed++
		}
		b.WriteString(line)
	}
	c.Diff = b.String()
	return c
}
