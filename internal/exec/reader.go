package exec

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

const (
	// readSize is enough for what a widened pipe holds between two turns of the
	// scheduler; reading less costs a fifth of the speed.
	readSize = 256 << 10
	lateSize = 4 << 10 // of what nobody gets
	// flood is the output after which a pipe is made wider. Most runs print
	// less, and the pages of all pipes of a user are bounded.
	flood     = 1 << 20
	usualPipe = 64 << 10 // bytes that a pipe holds
	floodPipe = 1 << 20
)

var buffers = sync.Pool{New: func() any { b := make([]byte, readSize); return &b }} //nolint:gochecknoglobals // a cache

// reader owns the read end of one run's output until nobody holds the other
// end, also after the run has ended.
type reader struct {
	from      *os.File
	screen    io.Writer // nil unless the output is a terminal's, which ends with the run
	sink      *Sink
	limit     *headLimit // nil: none
	onChange  func()
	exited    chan struct{} // closed when the shell has ended
	drained   chan bool     // tells once that the output is whole; true: a child holds the pipe
	idle, max time.Duration
	read      int  // bytes so far, up to the flood
	wide      bool // the pipe is wider than usual
}

// run reads until the end. It has four parts: the output while the shell runs,
// what is in the pipe when it has ended, what late writers such as >(tee) say
// within a moment, and what a child that goes on says after that. The last is
// nobody's, but a closed pipe would kill the child.
func (r *reader) run() {
	defer func() { _ = r.from.Close() }() // read only
	held := r.output()
	if held && r.wide {
		widen(r.from, usualPipe) // a server may hold it for long
	}
	r.drained <- held
	if !held || r.screen != nil {
		return // closing a terminal hangs up on whoever still has it
	}
	buf := make([]byte, lateSize)
	_ = r.from.SetReadDeadline(time.Time{}) // a pipe has deadlines
	for {
		if _, err := r.from.Read(buf); err != nil {
			return
		}
	}
}

// output reads what belongs to the run. It says whether somebody still holds
// the pipe.
func (r *reader) output() (held bool) {
	pooled, _ := buffers.Get().(*[]byte)
	defer buffers.Put(pooled)
	buf := *pooled
	if r.live(buf) {
		return false
	}
	<-r.exited
	atEnd, err := rest(r.from, buf, func(n int) { r.take(buf[:n]) })
	return !atEnd && err == nil && !r.limit.reached() && !r.linger(buf)
}

// live reads while the shell runs. It says whether the pipe is at its end.
func (r *reader) live(buf []byte) bool {
	for {
		n, err := r.from.Read(buf)
		r.take(buf[:n])
		switch {
		case r.limit.reached():
			return true // closing the pipe tells the command that it is enough
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false
		case r.screen != nil && errors.Is(err, syscall.EIO):
			if r.nobodyThere() {
				return false
			}
		case err != nil:
			return true
		}
	}
}

// nobodyThere waits a moment while no process has the terminal open: one may
// open it again as /dev/tty, and closing it now would hang up on them all. It
// says whether the shell has ended.
func (r *reader) nobodyThere() bool {
	const pace = 20 * time.Millisecond
	t := time.NewTimer(pace)
	defer t.Stop()
	select {
	case <-r.exited:
		return true
	case <-t.C:
		return false
	}
}

// linger reads until nothing came for a moment. It says whether the pipe is at
// its end.
func (r *reader) linger(buf []byte) bool {
	end := time.Now().Add(r.max)
	for {
		next := time.Now().Add(r.idle)
		if next.After(end) {
			next = end
		}
		_ = r.from.SetReadDeadline(next) // a pipe has deadlines
		n, err := r.from.Read(buf)
		r.take(buf[:n])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false
		case err != nil:
			return true
		}
	}
}

func (r *reader) take(p []byte) {
	if len(p) == 0 {
		return
	}
	if r.limit != nil {
		p = r.limit.cut(p)
	}
	_, _ = r.sink.Write(p) // never fails
	if !r.wide && r.screen == nil {
		if r.read += len(p); r.read > flood {
			r.wide = true
			widen(r.from, floodPipe)
		}
	}
	if r.screen != nil {
		_, _ = r.screen.Write(p) // never fails
	}
	if r.onChange != nil {
		r.onChange()
	}
}

// headLimit lets the first lines through.
type headLimit struct{ left int }

func (h *headLimit) reached() bool { return h != nil && h.left <= 0 }

// cut returns the part of p that is within the limit.
func (h *headLimit) cut(p []byte) []byte {
	for i, b := range p {
		if h.left <= 0 {
			return p[:i]
		}
		if b == '\n' {
			h.left--
		}
	}
	return p
}
