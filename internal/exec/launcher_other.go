//go:build !linux

package exec

import (
	"fmt"
	"os"
	"sync"
	"syscall"
)

const supervisorName = ""

// Main is for systems with a supervisor process. Here it does nothing.
func Main() bool { return false }

// launcher starts processes as children of the agent. What leaves its session
// is found only while its parents live.
type launcher struct {
	runDir func() (string, error)

	mu     sync.Mutex
	closed bool
	used   bool
}

func (l *launcher) start(s spec) (*child, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	l.used = true
	proc, err := os.StartProcess(s.Path, toStrings(s.Args), &os.ProcAttr{
		Dir: s.Dir, Env: toStrings(s.Env), Files: s.files,
		Sys: &syscall.SysProcAttr{Setsid: true, Setctty: s.Terminal},
	})
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", s.Path, err)
	}
	c := &child{pid: proc.Pid, done: make(chan struct{})}
	var reaping sync.Mutex
	reaped := false
	c.signalGroup = func(sig syscall.Signal) {
		reaping.Lock()
		defer reaping.Unlock()
		if !reaped {
			_ = syscall.Kill(-c.pid, sig) // gone by itself
		}
	}
	go func() {
		defer close(c.done)
		state, err := proc.Wait()
		reaping.Lock()
		reaped = true
		reaping.Unlock()
		if err != nil {
			c.lost = true
			return
		}
		c.status, _ = state.Sys().(syscall.WaitStatus)
	}()
	return c, nil
}

func (l *launcher) root() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.used {
		return 0
	}
	return os.Getpid()
}

func (l *launcher) reaper() int        { return 0 }
func (l *launcher) started() []process { return nil }

func (l *launcher) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}
