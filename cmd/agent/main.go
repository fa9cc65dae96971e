// Command agent is a coding agent for the terminal: it opens a screen to work
// with a model in, or answers one prompt without a screen.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/headless"
)

// version is set by the linker.
var version = "dev"

// Exit codes beside 0 and 128+signal.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	if exec.Main() {
		return
	}
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ()))
}

// run is the program: everything that it knows of the outside comes in here.
func run(ctx context.Context, args []string, in, out *os.File, errs io.Writer, environ []string) int {
	ctx, stop := untilSignal(ctx)
	defer stop()
	p := &program{in: in, out: out, err: errs, environ: environ}
	root := p.command()
	root.SetArgs(joinResume(args))
	return p.exitCode(root.ExecuteContext(ctx))
}

// signalError is the cause of a context that a signal ended.
type signalError struct{ signal syscall.Signal }

func (e signalError) Error() string { return "stopped by " + e.signal.String() }

// untilSignal ends the context when the program is told to stop. A second
// signal does what it does by default, so that nothing can keep the program
// from ending.
func untilSignal(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-signals:
			signal.Stop(signals)
			number, _ := s.(syscall.Signal)
			cancel(signalError{number})
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// exitCode tells the person what went wrong, in one line, and the caller of the
// program by a number.
func (p *program) exitCode(err error) int {
	var bySignal signalError
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &bySignal):
		return 128 + int(bySignal.signal)
	case errors.Is(err, headless.ErrFailed):
		return exitFailed
	case errors.As(err, &usage):
		p.complain(err)
		return exitUsage
	default:
		p.complain(err)
		return exitFailed
	}
}

func (p *program) complain(err error) {
	_, _ = fmt.Fprintf(p.err, "agent: %v\n", err) // nobody is left to tell
}
