package exec

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// supervisor is the agent's side of a supervisor process.
type supervisor struct {
	conn *net.UnixConn
	proc *os.Process
	dead chan struct{} // closed when it has ended

	mu       sync.Mutex
	lastID   int
	answers  map[int]chan answer
	children map[int]*child
}

type answer struct {
	child *child
	err   error
}

var errSupervisorDied = errors.New("the supervisor process died; try again")

// startSupervisor runs this binary again, as what Main describes. It removes
// dir at its end.
func startSupervisor(dir string) (*supervisor, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "supervisor"), os.NewFile(uintptr(pair[1]), "agent")
	defer func() { _, _ = ours.Close(), theirs.Close() }() // duplicated below
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = null.Close() }() // nothing was written
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	proc, err := os.StartProcess("/proc/self/exe", []string{supervisorArg, dir}, &os.ProcAttr{
		Env: []string{"GOGC=50", "GOMAXPROCS=1"}, Dir: "/",
		Files: []*os.File{null, null, null, theirs}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		_ = conn.Close() // nobody is at the other end
		return nil, err
	}
	s := &supervisor{
		conn: conn.(*net.UnixConn), //nolint:forcetypeassert // of a unix socket
		proc: proc, dead: make(chan struct{}), answers: map[int]chan answer{}, children: map[int]*child{},
	}
	go s.read()
	return s, nil
}

func (s *supervisor) isDead() bool {
	select {
	case <-s.dead:
		return true
	default:
		return false
	}
}

// read hands out what the supervisor says, until it dies.
func (s *supervisor) read() {
	for {
		m, _, err := receive(s.conn)
		if err != nil {
			break
		}
		s.handle(m)
	}
	_ = s.conn.Close()   // it is of no more use
	_, _ = s.proc.Wait() // reap it; how it ended makes no difference
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.children {
		c.lost = true
		close(c.done)
	}
	for _, a := range s.answers {
		a <- answer{err: errSupervisorDied}
	}
	s.children, s.answers = nil, nil
	close(s.dead)
}

func (s *supervisor) handle(m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.Op == "exit" {
		if c := s.children[m.PID]; c != nil {
			delete(s.children, m.PID)
			c.status = syscall.WaitStatus(m.Status)
			close(c.done)
		}
		return
	}
	a := answer{}
	switch {
	case m.Error != "":
		a.err = errors.New(m.Error)
	case m.Op == "started":
		a.child = &child{pid: m.PID, done: make(chan struct{})}
		if p, ok := stat(m.PID); ok {
			a.child.started = p.start
		}
		a.child.signalGroup = func(sig syscall.Signal) {
			_, _ = s.ask(message{Op: "group", PID: m.PID, Signal: int(sig)}, nil) // gone by itself
		}
		s.children[m.PID] = a.child // here, because it may end before start looks
	}
	if to := s.answers[m.ID]; to != nil {
		delete(s.answers, m.ID)
		to <- a
	}
}

func (s *supervisor) ask(m message, files []*os.File) (*child, error) {
	to := make(chan answer, 1)
	s.mu.Lock()
	if s.answers == nil {
		s.mu.Unlock()
		return nil, errSupervisorDied
	}
	s.lastID++
	m.ID = s.lastID
	s.answers[m.ID] = to
	err := send(s.conn, m, files)
	if err != nil {
		delete(s.answers, m.ID)
	}
	s.mu.Unlock()
	if err != nil {
		return nil, err
	}
	a := <-to
	return a.child, a.err
}

func (s *supervisor) start(what spec) (*child, error) {
	return s.ask(message{Op: "start", Spec: &what}, what.files)
}

// close lets the supervisor end what is left and itself, and waits for it.
func (s *supervisor) close() {
	_ = s.conn.CloseWrite() // it is told, or it is dead
	<-s.dead
}
