package tui

import (
	"context"
	"fmt"
	"time"

	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/ptyoverlay"
	"github.com/seed7484d81d/agent/internal/tools/bash"
)

// Console puts programs that need a terminal in front of the person. It is made
// before the face and given to it; without a face Show waits for one.
type Console struct{ asked chan *terminal }

// NewConsole makes a console.
func NewConsole() *Console { return &Console{asked: make(chan *terminal)} }

// terminal is a program in front of the person.
type terminal struct {
	ctx     context.Context //nolint:containedctx // ends with the program; Bubble Tea gives its commands none
	about   bash.Interactive
	overlay *ptyoverlay.Model // made by the face, which knows its size
	placed  chan struct{}     // closed when overlay is there
}

// program is a run as the overlay sees it.
type program struct{ *exec.PTY }

// Resize gives the terminal another size.
func (p program) Resize(cols, rows int) error {
	return p.PTY.Resize(exec.Size{Cols: cols, Rows: rows})
}

// Show puts a terminal in front of the person, starts the program in it and
// waits for its end.
func (c *Console) Show(ctx context.Context, about bash.Interactive) (exec.Result, bash.Screen) {
	here, leave := context.WithCancel(ctx)
	defer leave()
	t := &terminal{ctx: here, about: about, placed: make(chan struct{})}
	select {
	case c.asked <- t:
		<-t.placed
	case <-ctx.Done():
		return exec.Result{Outcome: exec.Cancelled}, bash.Screen{}
	}
	cols, rows := t.overlay.Size()
	pty, err := about.Start(ctx, exec.Size{Cols: cols, Rows: rows}, t.overlay)
	switch {
	case err != nil && ctx.Err() != nil:
		return exec.Result{Outcome: exec.Cancelled}, bash.Screen{}
	case err != nil:
		return exec.Result{Err: fmt.Errorf("PTY error: %w", err)}, bash.Screen{}
	}
	t.overlay.Attach(program{pty})
	t.watchSecret(pty)
	res := pty.Wait()
	t.overlay.Finish(ending(res))
	return res, t.left()
}

// watchSecret looks whether the program asks for a password, until it ends.
func (t *terminal) watchSecret(pty *exec.PTY) {
	const pace = 100 * time.Millisecond
	every := time.NewTicker(pace)
	defer every.Stop()
	was := false
	for {
		select {
		case <-pty.Done():
			return
		case <-every.C:
			if is := pty.Secret(); is != was {
				was = is
				t.overlay.SetSecret(is)
			}
		}
	}
}

// left is what the terminal holds at the end.
func (t *terminal) left() bash.Screen {
	styled, plain := t.overlay.Transcript()
	return bash.Screen{Text: plain, Styled: styled, Own: t.overlay.HadScreen()}
}

// ending says in a few words how a run ended.
func ending(res exec.Result) (state string, failed bool) {
	switch res.Outcome {
	case exec.Exited:
		return fmt.Sprintf("exit %d", res.Code), res.Code != 0
	case exec.TimedOut:
		return "timed out", true
	case exec.Signalled, exec.Cancelled:
		return "killed", true
	default:
		return "ended", true
	}
}
