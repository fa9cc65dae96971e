package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/sanitize"
)

// longTurn is how long a turn takes that the person may have turned away from.
const longTurn = 10 * time.Second

// attention calls a person who looks at another window: by a notification (OSC
// 9, which terminals without them ignore) and by the bell. Terminals that do not
// tell about the focus are never disturbed.
func (a *App) attention(text string) tea.Cmd {
	if !a.away {
		return nil
	}
	text = strings.ReplaceAll(sanitize.OneLine(text), ";", ",") // "9;4;" would be a progress bar
	return tea.Raw("\x1b]9;" + text + "\x1b\\\a")
}

// turnEnded calls if the turn was long.
func (a *App) turnEnded() tea.Cmd {
	if a.began.IsZero() || a.o.Now().Sub(a.began) < longTurn {
		return nil
	}
	return a.attention("agent is done: " + a.title())
}
