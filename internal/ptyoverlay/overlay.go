package ptyoverlay

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/theme"
	"github.com/seed7484d81d/agent/internal/vterm"
)

// Program is the running program as the overlay sees it.
type Program interface {
	// Write is what the person types and what the terminal answers. It never
	// blocks; it takes all of p or, when too much waits to be read, nothing.
	Write(p []byte) error
	Resize(cols, rows int) error
	Kill()
}

// EscRule says what Esc does.
type EscRule int

// The rules for Esc.
const (
	// EscAuto ends the program unless it owns the alternate screen.
	EscAuto EscRule = iota
	// EscKill always ends it.
	EscKill
	// EscForward always leaves Esc to it.
	EscForward
)

// Options describe an overlay. Theme is required.
type Options struct {
	Theme   *theme.Theme
	Title   string // the command line
	ByModel bool   // the model started it
	Esc     EscRule
	// Scrollback is how many lines above the screen are kept: 0 means 10,000.
	Scrollback int
	// Now is the clock, time.Now if nil.
	Now func() time.Time
}

// Action is what a key meant for the owner; nil if nothing.
type Action interface{ action() }

// Killed says that the person ended the program. It was told so already.
type Killed struct{}

// Closed says that the person has seen enough of a program that has ended.
type Closed struct{}

func (Killed) action() {}
func (Closed) action() {}

// pieceSize is how many bytes are shown at once. The screen can be drawn in
// between, whatever it costs to show them.
const pieceSize = 512

// holdFrame is how long a program may keep the picture while it draws.
const holdFrame = 150 * time.Millisecond

// Model is the overlay.
type Model struct {
	o       Options
	screen  *vterm.Screen
	input   input
	seq     atomic.Uint64 // counts what may have changed the picture
	changed chan struct{}

	mu            sync.Mutex
	width, height int // of the window
	cols, rows    int // of the program
	full          bool
	secret        bool
	leader        bool   // Ctrl+] was pressed
	note          string // what went wrong with the last key
	scroll        *scroll
	ended         bool
	failed        bool
	state         string
	syncSince     time.Time // when the program began a frame it has not finished
	drew          time.Time // when Next returned last
	picture       picture
}

// New makes an overlay for a program that has not started yet.
func New(o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	const usualCols, usualRows = 80, 24
	m := &Model{o: o, changed: make(chan struct{}, 1), state: "running", cols: usualCols, rows: usualRows}
	m.screen = vterm.New(m.cols, m.rows, vterm.Options{Scrollback: o.Scrollback, Light: !o.Theme.Dark, Reply: m.input.reply})
	return m
}

// Attach says that the program runs. It gets what was typed before, and the
// size, which may have changed since it was asked for.
func (m *Model) Attach(p Program) {
	_ = p.Resize(m.Size())
	m.input.attach(p)
	m.touch()
}

// Write shows what the program printed and lets the terminal answer what it
// asked. It never fails.
func (m *Model) Write(b []byte) (int, error) {
	for piece := range slices.Chunk(b, pieceSize) {
		_, _ = m.screen.Write(piece)
	}
	drawing := m.screen.Modes().Sync
	m.mu.Lock()
	switch {
	case !drawing:
		m.syncSince = time.Time{}
	case m.syncSince.IsZero():
		m.syncSince = m.o.Now()
	}
	m.mu.Unlock()
	m.touch()
	m.input.answer()
	return len(b), nil
}

// Finish says how the program ended, for example "exit 0". Whoever looks back
// at what it printed goes on with that.
func (m *Model) Finish(state string, failed bool) {
	m.mu.Lock()
	m.ended, m.state, m.failed = true, state, failed
	m.leader, m.secret, m.note = false, false, ""
	m.syncSince = time.Time{}
	m.mu.Unlock()
	m.input.close()
	m.touch()
}

// SetSecret says whether the program reads a password.
func (m *Model) SetSecret(on bool) {
	m.mu.Lock()
	m.secret = on && !m.ended
	m.mu.Unlock()
	m.touch()
}

// SetTheme changes the look, and what the program is told of the background.
func (m *Model) SetTheme(t *theme.Theme) {
	m.mu.Lock()
	m.o.Theme = t
	m.mu.Unlock()
	m.screen.SetLight(!t.Dark)
	m.touch()
}

// SetSize takes the size of the window. The program's terminal follows.
func (m *Model) SetSize(width, height int) {
	m.mu.Lock()
	m.width, m.height = max(width, 1), max(height, 1)
	changed := m.layout()
	m.mu.Unlock()
	m.resized(changed)
}

// Size is what the program's terminal measures.
func (m *Model) Size() (cols, rows int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cols, m.rows
}

// Height is how many rows View has.
func (m *Model) Height() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.outer()
}

// outer is the height with the frame: four fifths of the window, at least five
// rows, or all of it.
func (m *Model) outer() int {
	if m.full {
		return m.height
	}
	const least = 5
	return max(1, min(m.height, max(least, m.height*4/5)))
}

// frame says which rows are not the program's.
func (m *Model) frame() (title, footer int) {
	switch m.outer() {
	case 1:
		return 0, 0
	case 2:
		return 0, 1
	default:
		return 1, 1
	}
}

// layout gives the program the inner rectangle and says whether that changed.
// What an ended program left is not cut.
func (m *Model) layout() bool {
	title, footer := m.frame()
	cols, rows := max(m.width, 1), max(m.outer()-title-footer, 1)
	m.picture = picture{}
	if m.ended || cols == m.cols && rows == m.rows {
		return false
	}
	m.cols, m.rows = cols, rows
	m.screen.Resize(cols, rows)
	m.scroll.clamp(m)
	return true
}

func (m *Model) resized(changed bool) {
	m.touch()
	if p := m.input.program(); changed && p != nil {
		_ = p.Resize(m.Size())
	}
}

// WantsMotion says that the program asks for the movements of the mouse while
// no button is pressed.
func (m *Model) WantsMotion() bool { return m.screen.Modes().MouseAny }

// Scrolling says that the person looks back at what the program printed.
func (m *Model) Scrolling() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.scroll != nil
}

// touch says that the picture may have changed.
func (m *Model) touch() {
	m.seq.Add(1)
	select {
	case m.changed <- struct{}{}:
	default:
	}
}

// Seq is a number that differs from the last one when the picture may have
// changed.
func (m *Model) Seq() uint64 { return m.seq.Load() }

// HandleKey takes a key press.
func (m *Model) HandleKey(k tea.KeyPressMsg) Action {
	m.mu.Lock()
	m.note = ""
	e := m.key(tea.Key(k))
	m.mu.Unlock()
	return m.perform(e)
}

// effect is what a key does outside the overlay's own state. It is done when
// the state is not locked any more: a Program may call back.
type effect struct {
	send   []byte
	kill   bool
	resize bool
	action Action
}

func (m *Model) perform(e effect) Action {
	m.resized(e.resize)
	m.send(e.send)
	if e.kill {
		m.input.kill()
		return Killed{}
	}
	return e.action
}

// send writes to the program, and tells if it does not take it.
func (m *Model) send(b []byte) {
	if len(b) == 0 || m.input.write(b) == nil {
		return
	}
	m.mu.Lock()
	m.note = "the program does not read its input: this was not sent"
	m.mu.Unlock()
	m.touch()
}
