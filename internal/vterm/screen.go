package vterm

import (
	"sync"

	"github.com/hinshun/vt10x"
)

const (
	filler     = rune(0x10FFFF) // the right half of a wide cell
	gap        = rune(0x10FFFE) // the last column of a row where a wide character had no room
	clusterLow = rune(0x100000) // first id of a cluster of several runes
	clusterTop = rune(0x10FFFD)
	maxStyles  = 1 << 20
	maxParam   = 1 << 14 // clamp of every parameter of a control sequence
	maxText    = 4096    // bytes kept of a string sequence such as OSC
	maxCluster = 64      // bytes of one grapheme cluster
	maxLinks   = 1024
	maxURI     = 2048
)

// Options configure a Screen; the zero value is a terminal that answers nobody.
type Options struct {
	// Scrollback is how many lines above the screen are kept: 0 means 10,000,
	// a negative number none.
	Scrollback int
	// Light says that the background is light, which programs ask for.
	Light bool
	// Reply gets what the terminal answers to a program's questions, to be
	// written to the program. It is called with the screen locked and must not
	// block; nil drops the answers.
	Reply func([]byte)
	// Bell is called, under the same rule, when the program rings.
	Bell func()
}

// Screen is a terminal of a fixed size that bytes are written to.
type Screen struct {
	mu          sync.Mutex
	o           Options
	grid        vt10x.Terminal
	pending     []byte // canonical bytes not yet given to the grid
	cols, rows  int
	top, bottom int // the scroll region, 0-based and inclusive
	modes       Modes
	title       string
	links       []string
	tabs        []bool
	history     []line
	dropped     int             // lines of history that had to go
	covered     [][]vt10x.Glyph // the main screen while the alternate one shows
	coveredAt   spot            // where its cursor was
	resized     bool            // the size has changed since
	hadAlt      bool            // the alternate screen showed at some time
	flow        *flow           // rows on their way

	style   Style  // what the program selected
	pen     uint32 // its number
	penSent uint32 // the number that the grid has
	styles  table[Style]

	clusters table[string]

	charsets [4]byte // G0 to G3: 'B' ASCII, '0' DEC graphics, 'A' UK
	shift    int     // the one in use
	single   int     // the one for the next character only, 0 if none
	cursors  [2]savedCursor

	last last // what was printed last, for combining marks and REP

	parser
	painter painter

	// Buffers that are used again and again.
	glyphs  []vt10x.Glyph
	cells   []Cell
	textBuf []byte
	runs    []run
}

// savedCursor is what DECSC keeps; each of the two screens has one.
type savedCursor struct {
	spot
	style    Style
	origin   bool
	charsets [4]byte
	shift    int
	set      bool
}

// last is the character printed last and where it stands.
type last struct {
	text   string
	x, y   int
	width  int
	ok     bool   // a combining mark may still join it
	repeat string // what REP repeats, "" after a control
}

func defaultCharsets() [4]byte { return [4]byte{'B', 'B', 'B', 'B'} }

// New makes a blank screen of at least one column and one row.
func New(cols, rows int, o Options) *Screen {
	if o.Scrollback == 0 {
		o.Scrollback = 10_000
	}
	cols, rows = max(cols, 1), max(rows, 1)
	sc := &Screen{
		o: o, cols: cols, rows: rows, bottom: rows - 1,
		grid:     vt10x.New(vt10x.WithSize(cols, rows)),
		styles:   newTable[Style](maxStyles),
		clusters: newTable[string](int(clusterTop - clusterLow + 1)),
		charsets: defaultCharsets(),
	}
	sc.resetTabs()
	return sc
}

// Resize changes the size; sizes below 1 are ignored. The main screen is laid
// out again, the alternate one is left to its program. Rows that have no room
// above the cursor go to the scrollback.
func (sc *Screen) Resize(cols, rows int) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if cols < 1 || rows < 1 || cols == sc.cols && rows == sc.rows {
		return
	}
	x, y, pending := sc.cursor()
	var f *flow
	if sc.modes.Alt {
		sc.resized = true
	} else {
		f = sc.reflow(sc.readRows(), spot{x, y, pending}, cols)
	}
	sc.selectPen(0)
	sc.sync()
	sc.grid.Resize(cols, rows)
	sc.cols, sc.rows, sc.top, sc.bottom = cols, rows, 0, rows-1
	sc.resetTabs()
	sc.last.ok = false
	if f != nil {
		f.settle()
		sc.cursors[0].follow(f)
	}
	c := &sc.cursors[1]
	c.pending = false
	c.x, c.y = min(c.x, cols-1), within(c.y-max(0, y-rows+1), rows-1)
}

// readRows is what the grid has.
func (sc *Screen) readRows() [][]vt10x.Glyph {
	sc.sync()
	rows := make([][]vt10x.Glyph, sc.rows)
	for y := range rows {
		rows[y] = sc.readRow(y, make([]vt10x.Glyph, 0, sc.cols))
	}
	return rows
}

// follow moves a saved cursor with the text around the real one.
func (s *savedCursor) follow(f *flow) {
	if s.y == f.at.y && s.x == f.at.x {
		s.spot = f.to
		return
	}
	s.pending = false
	s.x, s.y = min(s.x, f.cols-1), max(0, s.y-f.at.y+f.to.y)
}

// SetLight says whether the background is light.
func (sc *Screen) SetLight(on bool) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	sc.o.Light = on
}

// HadAlt says whether the program ever showed the alternate screen.
func (sc *Screen) HadAlt() bool {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.hadAlt
}

// Size is the size in columns and rows.
func (sc *Screen) Size() (cols, rows int) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.cols, sc.rows
}

// Modes are the switches as they are at the moment.
func (sc *Screen) Modes() Modes {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.modes
}

// Snapshot copies the whole screen.
func (sc *Screen) Snapshot() Snapshot {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	s := Snapshot{Cols: sc.cols, Rows: sc.rows, Modes: sc.modes, Title: sc.title, Scrollback: len(sc.history)}
	s.X, s.Y, s.Pending = sc.cursor()
	s.Lines = sc.screenRows()
	return s
}

// screenRows copies the rows that show.
func (sc *Screen) screenRows() [][]Cell {
	sc.sync()
	rows := make([][]Cell, sc.rows)
	for y := range rows {
		rows[y] = sc.row(y, make([]Cell, 0, sc.cols))
	}
	return rows
}

// Scrollback is every line above the screen, oldest first, without trailing
// blanks.
func (sc *Screen) Scrollback() [][]Cell {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	out := make([][]Cell, len(sc.history))
	for i, l := range sc.history {
		out[i] = l.unpack(nil)
	}
	return out
}

// Link is the address of the hyperlink with this number, "" if there is none.
func (sc *Screen) Link(n uint16) string {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	if n == 0 || int(n) > len(sc.links) {
		return ""
	}
	return sc.links[n-1]
}

// within is v, or the end of 0 to most that is nearest to it.
func within(v, most int) int { return max(0, min(v, most)) }
