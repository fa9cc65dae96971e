package ptyoverlay

import "sync"

// input is the way to the program. Before it runs, what is typed waits; after
// it ended, what is typed is dropped. The program is never called with a lock
// held.
type input struct {
	mu      sync.Mutex
	to      Program
	killed  bool
	closed  bool
	early   []byte // typed before the program ran
	replies []byte // answers of the terminal that were not sent yet
}

// maxWaiting is how much may wait for a program that does not run yet, or for
// the end of a write that asks for ever.
const maxWaiting = 64 << 10

// full is the answer to input that has no room.
type full struct{}

func (full) Error() string { return "too much input waits" }

// attach lets the program have its input, what came early first.
func (in *input) attach(p Program) {
	in.mu.Lock()
	for len(in.early) > 0 {
		early := in.early
		in.early = nil
		in.mu.Unlock()
		_ = p.Write(early)
		in.mu.Lock()
	}
	in.to = p
	killed := in.killed
	in.mu.Unlock()
	if killed {
		p.Kill()
	}
}

func (in *input) program() Program {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.to
}

// write sends b whole or not at all.
func (in *input) write(b []byte) error {
	in.mu.Lock()
	p := in.to
	if p == nil && !in.closed {
		defer in.mu.Unlock()
		if len(in.early)+len(b) > maxWaiting {
			return full{}
		}
		in.early = append(in.early, b...)
		return nil
	}
	in.mu.Unlock()
	if p == nil {
		return nil
	}
	return p.Write(b)
}

// reply keeps an answer of the terminal; the screen is locked meanwhile.
func (in *input) reply(b []byte) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.replies)+len(b) <= maxWaiting {
		in.replies = append(in.replies, b...)
	}
}

// answer sends the answers that were kept.
func (in *input) answer() {
	in.mu.Lock()
	b := in.replies
	in.replies = nil
	in.mu.Unlock()
	if len(b) > 0 {
		_ = in.write(b) // a program that does not read misses its answer too
	}
}

// kill ends the program, at once or as soon as it runs.
func (in *input) kill() {
	in.mu.Lock()
	p := in.to
	in.killed = true
	in.mu.Unlock()
	if p != nil {
		p.Kill()
	}
}

// close drops what comes from now on.
func (in *input) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.to, in.closed, in.early = nil, true, nil
}
