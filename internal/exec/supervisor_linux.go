package exec

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// What the supervisor is called in argv and in the process list.
const (
	supervisorArg  = "agent-supervisor"
	supervisorName = "agent-superv" // at most 15 bytes
)

// Main has to be the first line of main. In the agent it returns false at once.
// In the supervisor, which is this binary started again by an Executor, it
// returns true when its work is done, and main has to return.
//
// The supervisor is the parent of every shell and the subreaper of all that
// they start. When its socket closes, because the agent ended, however it did,
// it kills everything below it, removes the run directory and ends.
func Main() bool {
	if len(os.Args) != 2 || os.Args[0] != supervisorArg {
		return false
	}
	if err := supervise(os.Args[1]); err != nil {
		os.Exit(1) //nolint:forbidigo // this is a main
	}
	return true
}

// request is a message with the descriptors that came with it.
type request struct {
	message
	fds []int
}

// boss is the state of a supervisor. One goroutine reaps, starts and signals,
// so that no signal can reach a number that was given to another process.
type boss struct {
	conn *net.UnixConn
	live map[int]bool // children that were started and not reaped
}

func supervise(dir string) error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	_ = os.WriteFile("/proc/self/comm", []byte(supervisorName), 0) // only a name
	runtime.LockOSThread()                                         // the death signal of the children follows this thread
	const socket = 3
	// Whatever else the agent inherited from its parent, no command gets it.
	_ = unix.CloseRange(socket, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) // unknown to old kernels
	unix.CloseOnExec(socket)
	// Caught, not ignored: an ignored signal would be ignored by every command.
	signals := make(chan os.Signal, 64)
	signal.Notify(signals, syscall.SIGCHLD, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	f := os.NewFile(socket, "agent")
	conn, err := net.FileConn(f)
	_ = f.Close() // duplicated by FileConn
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	unixConn, ok := conn.(*net.UnixConn)
	if !ok {
		return errors.New("fd 3 is no unix socket")
	}
	b := &boss{conn: unixConn, live: map[int]bool{}}
	b.work(signals, b.requests())
	endAll(os.Getpid())
	_ = os.RemoveAll(dir) // nobody is left to tell
	return nil
}

// requests reads what the agent asks for, until it is gone.
func (b *boss) requests() <-chan request {
	in := make(chan request)
	go func() {
		defer close(in)
		for {
			m, fds, err := receive(b.conn)
			if err != nil {
				return
			}
			in <- request{m, fds}
		}
	}()
	return in
}

func (b *boss) work(signals <-chan os.Signal, in <-chan request) {
	for {
		select {
		case <-signals:
			b.reap()
		case r, ok := <-in:
			if !ok {
				return
			}
			b.answer(r)
			b.reap()
		}
	}
}

func (b *boss) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if pid <= 0 || err != nil {
			return
		}
		if b.live[pid] {
			delete(b.live, pid)
			b.tell(message{Op: "exit", PID: pid, Status: int(status)})
		}
	}
}

func (b *boss) answer(r request) {
	out := message{Op: "done", ID: r.ID}
	switch r.Op {
	case "start":
		out.Op = "started"
		pid, err := launch(*r.Spec, r.fds)
		if err != nil {
			out.Error = err.Error()
			break
		}
		out.PID, b.live[pid] = pid, true
	case "group":
		if b.live[r.PID] {
			_ = syscall.Kill(-r.PID, syscall.Signal(r.Signal)) // its group may be empty
		}
	}
	b.tell(out)
}

// tell may fail when the agent is gone, which requests will notice.
func (b *boss) tell(m message) { _ = send(b.conn, m, nil) }

// launch starts a child with the descriptors as fd 0 and up, and closes them.
func launch(s spec, fds []int) (int, error) {
	files := make([]uintptr, len(fds))
	for i, fd := range fds {
		unix.CloseOnExec(fd)
		files[i] = uintptr(fd)
	}
	defer func() {
		for _, fd := range fds {
			_ = unix.Close(fd)
		}
	}()
	pid, _, err := syscall.StartProcess(s.Path, toStrings(s.Args), &syscall.ProcAttr{
		Dir: s.Dir, Env: toStrings(s.Env), Files: files,
		Sys: &syscall.SysProcAttr{Setsid: true, Setctty: s.Terminal, Pdeathsig: syscall.SIGKILL},
	})
	if err != nil {
		return 0, errors.New("start " + s.Path + ": " + err.Error())
	}
	return pid, nil
}

// endAll kills everything below root until nothing is left.
func endAll(root int) {
	const rounds = 100
	for range rounds {
		left := below(root)
		for _, p := range left {
			p.kill()
		}
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if pid <= 0 || err != nil {
				break
			}
		}
		if len(left) == 0 {
			return
		}
		<-time.After(3 * time.Millisecond)
	}
}
