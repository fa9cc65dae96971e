package exec

import (
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// launcher starts processes through a supervisor, which is started when it is
// first needed, and again should a command have killed it.
type launcher struct {
	runDir func() (string, error)

	mu     sync.Mutex
	now    *supervisor
	used   bool
	closed bool
}

func (l *launcher) get() (*supervisor, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, errClosed
	}
	if l.now != nil && !l.now.isDead() {
		return l.now, nil
	}
	dir, err := l.runDir()
	if err != nil {
		return nil, err
	}
	// Should the supervisor die, what is below it comes to us.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return nil, fmt.Errorf("become a subreaper: %w", err)
	}
	s, err := startSupervisor(dir)
	if err != nil {
		return nil, fmt.Errorf("start the supervisor: %w", err)
	}
	l.now, l.used = s, true
	return s, nil
}

func (l *launcher) start(s spec) (*child, error) {
	sup, err := l.get()
	if err != nil {
		return nil, err
	}
	return sup.start(s)
}

// root is the process below which everything is, 0 before the first start.
func (l *launcher) root() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.used {
		return 0
	}
	return os.Getpid()
}

// reaper is the process that orphans come to, 0 if there is none.
func (l *launcher) reaper() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil || l.now.isDead() {
		return 0
	}
	return l.now.proc.Pid
}

// started lists the processes that came from here: all below the supervisor,
// and what a dead one left to us, which bears a call's mark.
func (l *launcher) started() []process {
	root, reaper := l.root(), l.reaper()
	if root == 0 {
		return nil
	}
	inside := map[int]bool{}
	var out []process
	for _, p := range below(root) {
		if p.pid == reaper {
			inside[p.pid] = true
			continue
		}
		if inside[p.parent] || p.comm != supervisorName && callOf(p.pid) != "" {
			inside[p.pid] = true
			out = append(out, p)
		}
	}
	return out
}

// close ends the supervisor, which ends what is left.
func (l *launcher) close() {
	l.mu.Lock()
	s := l.now
	l.now, l.closed = nil, true
	l.mu.Unlock()
	if s != nil {
		s.close()
	}
}
