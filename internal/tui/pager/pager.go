// Package pager shows a text of any size that lies on disk, by the lines that
// are seen: opening it, scrolling and jumping cost the same anywhere in it.
// Reading is done beside the screen, by commands whose outcome comes back to
// Update.
package pager

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

// Source is where the lines come from. *artifact.Pages is one. Its methods are
// called from other goroutines.
type Source interface {
	// Lines returns up to n lines from line first on, counted from 1.
	Lines(ctx context.Context, first int64, n int) ([]string, error)
	// Count is the number of lines.
	Count(ctx context.Context) (int64, error)
	// Search finds the next line from line from on that holds a text, or the
	// last one before it.
	Search(ctx context.Context, needle string, from int64, forward bool) (line int64, ok bool, err error)
	Close() error
}

// Options is what a pager needs; all of it.
type Options struct {
	Keys   *keymap.Map
	Theme  *theme.Theme
	Title  string // names the text
	Source Source
}

// Model is a pager. It belongs to the goroutine of the user interface.
type Model struct {
	o      Options
	ctx    context.Context //nolint:containedctx // ends with the pager; Bubble Tea gives its commands none
	cancel context.CancelFunc

	w, h  int
	top   int64 // the first line that is seen
	left  int   // the first column
	total int64 // −1 until it is known
	atEnd bool  // show the end as soon as that is known

	first  int64    // of the lines that are here
	lines  []string // clean
	asked  int64    // the first line of what is being read, 0 if nothing is
	failed error

	typing    bool // the needle
	needle    string
	hit       int64 // the line that was found, 0 if none
	searching context.CancelFunc
	note      string
}

// New makes a pager of no size that begins at the end of its text. Close it in
// the end.
func New(ctx context.Context, o Options) *Model {
	ctx, cancel := context.WithCancel(ctx)
	return &Model{o: o, ctx: ctx, cancel: cancel, top: 1, total: -1, atEnd: true}
}

// Close stops what is being read and closes the source.
func (m *Model) Close() {
	m.cancel()
	_ = m.o.Source.Close() // it was only read
}

// Init begins to count the lines.
func (m *Model) Init() tea.Cmd {
	return func() tea.Msg {
		n, err := m.o.Source.Count(m.ctx)
		return countedMsg{m, n, err}
	}
}

// SetTheme changes the look.
func (m *Model) SetTheme(t *theme.Theme) { m.o.Theme = t }

// SetSize sets the rectangle.
func (m *Model) SetSize(w, h int) {
	m.w, m.h = max(0, w), max(0, h)
	m.clamp()
}

// rows are those for the text: a title stands above, a footer below.
func (m *Model) rows() int {
	if m.h < 3 {
		return max(1, m.h-1)
	}
	return m.h - 2
}

func (m *Model) clamp() {
	if m.total >= 0 {
		m.top = min(m.top, m.total-int64(m.rows())+1)
	}
	m.top, m.left = max(1, m.top), max(0, m.left)
}

type (
	countedMsg struct {
		m     *Model
		total int64
		err   error
	}
	readMsg struct {
		m     *Model
		first int64
		lines []string
		err   error
	}
	foundMsg struct {
		m    *Model
		line int64
		ok   bool
		err  error
	}
)

// Update takes the outcome of a command. Messages of others do nothing.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case countedMsg:
		if msg.m == m {
			m.counted(msg)
		}
	case readMsg:
		if msg.m == m {
			m.asked, m.failed = 0, msg.err
			m.first, m.lines = msg.first, msg.lines
		}
	case foundMsg:
		if msg.m == m {
			m.found(msg)
		}
	}
	return m.Load()
}

func (m *Model) counted(msg countedMsg) {
	if m.failed = msg.err; msg.err != nil {
		return
	}
	m.total = msg.total
	if m.atEnd {
		m.top, m.atEnd = m.total, false
	}
	m.clamp()
}

func (m *Model) found(msg foundMsg) {
	if m.searching != nil {
		m.searching()
		m.searching = nil
	}
	switch {
	case msg.err != nil && m.note != "":
	case msg.err != nil:
		m.note = "Search stopped"
	case !msg.ok:
		m.note = fmt.Sprintf("%q is not found", m.needle)
	default:
		m.hit, m.note = msg.line, ""
		if msg.line < m.top || msg.line >= m.top+int64(m.rows()) {
			m.top = msg.line - int64(m.rows()/3)
		}
		m.atEnd = false
		m.clamp()
	}
}

// Load reads what is to be seen and not here yet.
func (m *Model) Load() tea.Cmd {
	if m.atEnd || m.asked != 0 || m.failed != nil || m.have(m.top) && m.have(m.top+int64(m.rows())-1) {
		return nil
	}
	const around = 3 // screens
	n := m.rows() * around
	first := max(1, m.top-int64(m.rows()))
	m.asked = first
	return func() tea.Msg {
		raw, err := m.o.Source.Lines(m.ctx, first, n)
		return readMsg{m, first, clean(raw), err}
	}
}

// have says that a line is here, or that there is none.
func (m *Model) have(line int64) bool {
	if m.total >= 0 && line > m.total {
		return true
	}
	return line >= m.first && line < m.first+int64(len(m.lines)) && len(m.lines) > 0
}

// line is the text of a line, and whether it is here.
func (m *Model) line(n int64) (string, bool) {
	i := n - m.first
	if i < 0 || i >= int64(len(m.lines)) {
		return "", false
	}
	return m.lines[i], true
}

// HandlePaste types into the search.
func (m *Model) HandlePaste(text string) {
	if m.typing {
		m.needle += strings.SplitN(text, "\n", 2)[0]
	}
}

// HandleWheel scrolls.
func (m *Model) HandleWheel(lines int) tea.Cmd {
	m.scroll(int64(lines))
	return m.Load()
}

func (m *Model) scroll(by int64) {
	m.atEnd = false
	m.top += by
	m.clamp()
}
