package bash

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/exec"
)

// Console is a person in front of a terminal of their own, who sees what an
// interactive program shows and types into it.
type Console interface {
	// Show puts a terminal in front of the person, starts the program in it and
	// waits for its end; ctx cancels it. If nothing could be started the outcome
	// of the result says so. It may be called for several programs at once.
	Show(ctx context.Context, p Interactive) (exec.Result, Screen)
}

// Interactive is a program that gets a terminal.
type Interactive struct {
	Command string
	ByModel bool // a model started it, not the person
	// Start starts it in a terminal of a size. What it prints goes to screen.
	Start func(ctx context.Context, size exec.Size, screen io.Writer) (*exec.PTY, error)
}

// Screen is what a terminal holds at the end: what scrolled out of it, and the
// screen itself. Of a program that had a screen of its own it is what stood
// there before.
type Screen struct {
	Text   string // plain
	Styled string // the same with colours, as SGR sequences
	// Own says that the program had a screen of its own, of which nothing is
	// left.
	Own bool
}

// inTerminal runs a line in the console's terminal.
func (o Options) inTerminal(ctx context.Context, r exec.Request, byModel bool) (exec.Result, Screen) {
	return o.Console.Show(ctx, Interactive{
		Command: r.Command, ByModel: byModel,
		Start: func(ctx context.Context, size exec.Size, screen io.Writer) (*exec.PTY, error) {
			return o.Exec.StartPTY(ctx, r, size, screen)
		},
	})
}

// maxStyled bounds what is kept of a screen with its colours, in bytes.
const maxStyled = 256 << 10

// shapeScreen makes facts of a run in a terminal. Its output is what the screen
// holds, not the cursor movements that drew it; those are in the artifact.
func (out *output) shapeScreen(res exec.Result, screen Screen, timeout time.Duration, head, tail *int) shaped {
	text := strings.TrimRight(screen.Text, "\n")
	if text != "" {
		text += "\n"
	}
	sink := exec.NewSink(out.sinkOptions(tail))
	_, _ = sink.Write([]byte(firstLines(text, head))) // never fails
	s := out.shapeView(sink.View(), res, timeout)
	s.info.PTY, s.info.Screen = true, lastPart(strings.TrimRight(screen.Styled, "\n"))
	if screen.Own {
		s.note("ownScreen", "It had the whole screen, of which nothing stays, and "+s.ended())
	}
	return s
}

// ended says how a program ended.
func (s *shaped) ended() string {
	switch s.info.Outcome {
	case chat.Exited:
		return fmt.Sprintf("ended with exit code %d", *s.info.ExitCode)
	case chat.Signalled:
		return "was killed by " + s.info.Signal
	case chat.TimedOut:
		return "was stopped at its deadline"
	case chat.Cancelled:
		return "was stopped by the user"
	default:
		return "ended, nobody knows how"
	}
}

// firstLines keeps at most n lines; nil keeps all.
func firstLines(text string, n *int) string {
	if n == nil {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	return strings.Join(lines[:min(*n, len(lines))], "")
}

// lastPart keeps the last lines, as many as fit.
func lastPart(styled string) string {
	if len(styled) <= maxStyled {
		return styled
	}
	styled = styled[len(styled)-maxStyled:]
	return styled[strings.IndexByte(styled, '\n')+1:]
}
