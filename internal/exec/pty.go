package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// Size is that of a terminal in cells. What is below 1 counts as 1.
type Size struct{ Cols, Rows int }

func (s Size) window() *unix.Winsize {
	const most = 1 << 15 // of a 16-bit number, with room to spare
	clamp := func(n int) uint16 { return uint16(min(max(n, 1), most)) }
	return &unix.Winsize{Row: clamp(s.Rows), Col: clamp(s.Cols)}
}

// PTY is a run in a terminal of its own. Its methods may be called from any
// goroutine, also after its end.
type PTY struct {
	master *os.File
	input  *input
	cancel context.CancelCauseFunc
	done   chan struct{}
	result Result
}

// StartPTY runs a line in a terminal of its own: the shell leads a session that
// the terminal belongs to, and children that it leaves behind get SIGHUP with
// its end. What the terminal prints goes to the request's sink and to screen,
// which is called from one goroutine and must not block; nil is nobody. State, deadline and
// cancelling are those of Run; Head is not looked at. The error says why
// nothing was started.
func (x *Executor) StartPTY(ctx context.Context, r Request, size Size, screen io.Writer) (*PTY, error) {
	r.terminal = true
	if screen == nil {
		screen = io.Discard
	}
	if r.Sink == nil {
		r.Sink = NewSink(SinkOptions{})
	}
	master, slave, err := openTerminal(size)
	if err != nil {
		return nil, err
	}
	defer closeAll(slave) // at once, or the master never reports the end
	start, res := x.begin(ctx, r, func(s *Shell) (*waiting, error) {
		w, err := s.x.startShell(s, s.position().state, slave)
		if err == nil {
			w.output, w.screen = master, screen
		}
		return w, err
	})
	if start == nil {
		closeAll(master)
		if res.Err == nil {
			res.Err = context.Cause(ctx)
		}
		return nil, res.Err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	p := &PTY{master: master, input: newInput(), cancel: cancel, done: make(chan struct{})}
	go p.run(ctx, x, r, start)
	return p, nil
}

func (p *PTY) run(ctx context.Context, x *Executor, r Request, start *started) {
	defer close(p.done)
	defer p.cancel(nil)
	var typing sync.WaitGroup
	typing.Go(func() { p.input.copyTo(p.master) })
	p.result = x.finish(ctx, r, start) // closes the master
	p.input.close()
	typing.Wait()
}

// Write types into the terminal. It queues the bytes and returns at once; a
// program that reads nothing fills the queue, and then bytes are refused with an
// error. What is typed is kept nowhere.
func (p *PTY) Write(b []byte) error { return p.input.add(b) }

// Resize gives the terminal another size, which its program is told by
// SIGWINCH.
func (p *PTY) Resize(size Size) error {
	return p.control(func(fd int) error { return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, size.window()) })
}

// Secret says that the program asks for something that does not show, such as
// a password: it reads lines, and the terminal does not echo them.
func (p *PTY) Secret() bool {
	secret := false
	_ = p.control(func(fd int) error { // at the end nobody asks
		t, err := unix.IoctlGetTermios(fd, getTermios)
		if err != nil {
			return err
		}
		secret = t.Lflag&unix.ICANON != 0 && t.Lflag&unix.ECHO == 0
		return nil
	})
	return secret
}

func (p *PTY) control(do func(fd int) error) error {
	raw, err := p.master.SyscallConn()
	if err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	if failed != nil {
		return fmt.Errorf("terminal: %w", failed)
	}
	return nil
}

// Kill ends the run as cancelled. It returns at once.
func (p *PTY) Kill() { p.cancel(context.Canceled) }

// Done is closed when the run has ended.
func (p *PTY) Done() <-chan struct{} { return p.done }

// Wait waits for the end.
func (p *PTY) Wait() Result {
	<-p.done
	return p.result
}

// openTerminal opens a terminal of the right size. creack/pty makes its master
// blocking for good, so it is duplicated into one that deadlines and Close work
// on. Blocking is a property that the two ends of a descriptor share with all
// its copies, so the slave has to be made blocking for the programs.
func openTerminal(size Size) (master, slave *os.File, err error) {
	m, slave, err := pty.Open()
	if err != nil {
		return nil, nil, fmt.Errorf("open a terminal: %w", err)
	}
	defer closeAll(m)
	const firstFree = 3
	fd, err := unix.FcntlInt(m.Fd(), unix.F_DUPFD_CLOEXEC, firstFree)
	if err == nil {
		err = errors.Join(
			unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, size.window()),
			unix.SetNonblock(fd, true),
			unix.SetNonblock(int(slave.Fd()), false), //nolint:gosec // a descriptor
		)
	}
	if err != nil {
		closeAll(slave)
		return nil, nil, fmt.Errorf("open a terminal: %w", err)
	}
	return os.NewFile(uintptr(fd), "terminal"), slave, nil
}

// maxTyped bounds what was typed and not read by the program.
const maxTyped = 8 << 20

var errNotReading = errors.New("the program does not read what is typed")

// input is what was typed and not read by the program.
type input struct {
	wake chan struct{} // holds one

	mu     sync.Mutex
	queue  []byte
	closed bool
}

func newInput() *input { return &input{wake: make(chan struct{}, 1)} }

func (in *input) add(b []byte) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case in.closed:
		return os.ErrClosed
	case len(in.queue)+len(b) > maxTyped:
		return errNotReading
	}
	in.queue = append(in.queue, b...)
	in.ring()
	return nil
}

func (in *input) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.closed = true
	in.ring()
}

func (in *input) ring() {
	select {
	case in.wake <- struct{}{}:
	default:
	}
}

// take returns the next bytes for the terminal, which buf holds.
func (in *input) take(buf []byte) (n int, closed bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	n = copy(buf, in.queue)
	if in.queue = in.queue[n:]; len(in.queue) == 0 {
		in.queue = nil
	}
	return n, in.closed
}

// copyTo writes what is typed until the input is closed, or the terminal is. A
// program that does not read makes it wait; what is typed meanwhile queues up.
func (in *input) copyTo(to io.Writer) {
	buf := make([]byte, 4<<10)
	for range in.wake {
		for {
			n, closed := in.take(buf)
			if closed {
				return
			}
			if n == 0 {
				break
			}
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
	}
}
