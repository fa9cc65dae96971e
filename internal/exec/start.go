package exec

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// waiting is a shell that has its state and waits for a command.
type waiting struct {
	x       *Executor
	child   *child
	id      string    // marks its processes
	nonce   string    // signs its state
	state   *state    // what it was given
	command *os.File  // write end: the command goes here
	output  *os.File  // read end of stdout and stderr, or the terminal's master
	screen  io.Writer // of the terminal; nil: there is none
	fifo    *os.File
	path    string   // of the FIFO
	jobs    []string // that it left, as it lists them
}

// ends makes files of a pipe's descriptors.
func ends(p [2]int, oursReads bool) (ours, theirs *os.File, err error) {
	our, their := p[1], p[0]
	if oursReads {
		our, their = p[0], p[1]
	}
	if err := unix.SetNonblock(our, true); err != nil {
		_, _ = unix.Close(our), unix.Close(their)
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	return os.NewFile(uintptr(our), "pipe"), os.NewFile(uintptr(their), "pipe"), nil
}

// startShell starts a shell of a session that loads a state and waits. It is
// connected to the terminal, or if that is nil to a pipe.
func (x *Executor) startShell(s *Shell, st *state, terminal *os.File) (*waiting, error) {
	if x.isClosed() {
		return nil, errClosed
	}
	w := &waiting{x: x, id: newNonce(), nonce: newNonce(), state: st}
	if err := w.openState(); err != nil {
		return nil, err
	}
	restore, restoreEnd, err1 := pipe(false)
	command, commandEnd, err2 := pipe(false)
	w.command = command
	stdio, closing, err3 := w.connect(terminal)
	err := errors.Join(err1, err2, err3)
	if err == nil {
		env, later := startEnv(x.env)
		env = append(env[:len(env):len(env)], callVariable+"="+w.id)
		x.starts(w.id)
		w.child, err = x.launcher.start(spec{
			Path: s.key.Path, Env: toBytes(env), Dir: "/", files: append(stdio, restoreEnd, commandEnd), Terminal: terminal != nil,
			Args: toBytes(append(append([]string{s.key.Path}, s.dialect.args...), "-c", s.dialect.driver, filepath.Base(s.key.Path))),
		})
		x.watch(w)
		if err == nil {
			script := s.dialect.restore(st, later, s.dialect.saverFor(w.nonce, w.path), w.nonce)
			go feed(restore, script)
			restore = nil
		}
	}
	closeAll(append(closing, restoreEnd, commandEnd, restore)...)
	if err != nil {
		w.drop()
		return nil, fmt.Errorf("start %s: %w", s.key.Path, err)
	}
	return w, nil
}

// connect makes stdin, stdout and stderr of a shell, and names those that are
// to be closed once it has them.
func (w *waiting) connect(terminal *os.File) (stdio, closing []*os.File, err error) {
	if terminal != nil {
		return []*os.File{terminal, terminal, terminal}, nil, nil
	}
	output, theirs, err1 := pipe(true)
	null, err2 := os.Open(os.DevNull)
	w.output = output
	return []*os.File{null, theirs, theirs}, []*os.File{null, theirs}, errors.Join(err1, err2)
}

// openState makes the FIFO for the state. It is opened for reading and writing:
// so there is no end of it before the shell opened it, and the shell's open
// does not wait.
func (w *waiting) openState() error {
	dir, err := w.x.runDir()
	if err != nil {
		return err
	}
	w.path = filepath.Join(dir, w.nonce)
	if err := unix.Mkfifo(w.path, 0o600); err != nil {
		return fmt.Errorf("state of the shell: %w", err)
	}
	w.fifo, err = os.OpenFile(w.path, os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		_ = os.Remove(w.path) // nobody knows it
		return fmt.Errorf("state of the shell: %w", err)
	}
	return nil
}

func (x *Executor) starts(id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.starting[id] = true
}

// watch knows the shell as one while it lives. Without a child there is none.
func (x *Executor) watch(w *waiting) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.starting, w.id)
	if w.child == nil {
		return
	}
	x.live[w.child.pid] = w.id
	x.late.Go(func() {
		<-w.child.done
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.live[w.child.pid] == w.id {
			delete(x.live, w.child.pid)
		}
	})
}

// drop ends a shell that got no command: without one it exits by itself.
func (w *waiting) drop() {
	closeAll(w.command, w.output, w.fifo)
	_ = os.Remove(w.path) // of no more use
}

// feed writes a text to a pipe and closes it. The reader may die before.
func feed(to *os.File, text string) {
	_, _ = io.WriteString(to, text)
	_ = to.Close()
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // nothing is lost with it
		}
	}
}

// past makes a pending read return at once.
func past() time.Time { return time.Unix(1, 0) }

// readState collects what the shell saves. It returns when its deadline was
// set, after the shell has ended. A state that is too large is read to its end
// all the same: a closed FIFO would kill the shell.
func (w *waiting) readState() ([]byte, error) {
	defer func() {
		_ = w.fifo.Close()
		_ = os.Remove(w.path)
	}()
	var data []byte
	over := false
	buf := make([]byte, 32<<10)
	take := func(n int) {
		data = append(data, buf[:n]...)
		if len(data) > maxState {
			data, over = nil, true
		}
	}
	for {
		n, err := w.fifo.Read(buf)
		take(n)
		if err != nil {
			break
		}
	}
	if _, err := rest(w.fifo, buf, take); err != nil {
		return nil, err
	}
	switch {
	case over:
		return nil, fmt.Errorf("it is larger than %d MiB", maxState>>20)
	case len(data) == 0:
		return nil, errors.New("none was saved")
	}
	return data, nil
}

// rest reads what is in a pipe right now, without waiting, and no more than a
// pipe can hold: somebody may fill it as fast as it is read. atEnd says that
// nobody holds the other end any more.
func rest(f *os.File, buf []byte, take func(n int)) (atEnd bool, err error) {
	if err := f.SetReadDeadline(time.Time{}); err != nil {
		return false, fmt.Errorf("read a pipe: %w", err)
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false, fmt.Errorf("read a pipe: %w", err)
	}
	for most := floodPipe; most > 0; {
		var n int
		var readErr error
		err := raw.Read(func(fd uintptr) bool {
			n, readErr = unix.Read(int(fd), buf)
			return true
		})
		switch {
		case err != nil:
			return false, fmt.Errorf("read a pipe: %w", err)
		case n > 0:
			take(n)
			most -= n
		case errors.Is(readErr, unix.EINTR):
		case readErr == nil:
			return true, nil
		default: // EAGAIN: it is empty
			return false, nil
		}
	}
	return false, nil
}

// newNonce is a word that nobody can guess.
func newNonce() string { return strings.ToLower(rand.Text()) }
