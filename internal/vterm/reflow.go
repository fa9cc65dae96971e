package vterm

import (
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// spot is a place of the cursor. With pending set the next character begins a
// new row.
type spot struct {
	x, y    int
	pending bool
}

// flow lays rows out again for another width. Rows that flowed into one another
// are one line; the spot moves with the text.
type flow struct {
	sc   *Screen
	cols int
	at   spot // in the rows that come in
	to   spot // in those that come out

	line   []vt10x.Glyph
	offset int             // of the spot in the line, −1 if it is in another one
	row    []vt10x.Glyph   // that is being filled
	rows   [][]vt10x.Glyph // that are done
}

// reflow lays rows out again for a width. Blank rows at the end, below the spot,
// are left out. Until settle has written it, the styles of a flow stay known.
func (sc *Screen) reflow(rows [][]vt10x.Glyph, at spot, cols int) *flow {
	f := &flow{sc: sc, cols: cols, at: at, offset: -1}
	sc.flow = f
	last := len(rows) - 1
	for last > at.y && len(sc.trimRow(rows[last])) == 0 {
		last--
	}
	for y, row := range rows[:last+1] {
		on := sc.wraps(row)
		f.add(y, row, on)
		if on == wrapsNot || y == last {
			f.lay()
		}
	}
	return f
}

// add appends a row to the line.
func (f *flow) add(y int, row []vt10x.Glyph, on wraps) {
	n := len(row)
	switch on {
	case wrapsFull:
	case wrapsShort:
		n--
	case wrapsNot:
		n = len(f.sc.trimRow(row))
	}
	if y == f.at.y {
		f.offset = len(f.line) + f.at.x
		if f.at.pending {
			f.offset++
		}
		n = max(n, min(f.offset-len(f.line), len(row)))
	}
	start := len(f.line)
	f.line = append(f.line, row[:n]...)
	if n > 0 && on != wrapsNot {
		f.mark(f.line[start:], false)
	}
}

func isBlank(g vt10x.Glyph) bool { return g.Char == 0 || g.Char == ' ' }

// mark says of the last cell of a row whether the text goes on.
func (f *flow) mark(row []vt10x.Glyph, on bool) {
	g := &row[len(row)-1]
	s := f.sc.styleOf(g.FG)
	if s.wraps != on {
		s.wraps = on
		g.FG = vt10x.Color(f.sc.intern(s))
	}
}

// lay cuts the line into rows. Colour behind its text begins no new one.
func (f *flow) lay() {
	end := len(f.line)
	for end > 0 && isBlank(f.line[end-1]) {
		end--
	}
	for i := 0; i < len(f.line); i++ {
		g := f.line[i]
		width := f.width(i)
		if width == 0 || g.Char == gap { // half a character
			g.Char, width = ' ', 1
		}
		if width > f.cols {
			if i++; f.offset == i || f.offset == i-1 {
				f.offset = i + 1
			}
			continue
		}
		if len(f.row)+width > f.cols {
			if i >= end && i > f.offset {
				break
			}
			f.wrap()
		}
		if f.offset >= i && f.offset < i+width {
			f.to = spot{x: len(f.row) + f.offset - i, y: len(f.rows)}
		}
		f.row = append(f.row, g)
		if width == 2 {
			i++
			f.row = append(f.row, f.line[i])
		}
	}
	if f.offset >= len(f.line) {
		f.to = spot{x: len(f.row), y: len(f.rows)}
		if f.to.x >= f.cols {
			f.to.x, f.to.pending = f.cols-1, true
		}
	}
	f.rows = append(f.rows, f.row)
	f.row, f.line, f.offset = nil, f.line[:0], -1
}

// width is how many columns the character at i takes, 0 for a half one.
func (f *flow) width(i int) int {
	ch := f.line[i].Char
	switch {
	case ch == filler:
		return 0
	case ch < 0x300 || ch == gap || textWidth(f.sc.textOf(ch)) != 2:
		return 1
	case i+1 < len(f.line) && f.line[i+1].Char == filler:
		return 2
	default:
		return 0
	}
}

// wrap ends a row whose text goes on.
func (f *flow) wrap() {
	if len(f.row) < f.cols {
		f.row = append(f.row, vt10x.Glyph{Char: gap, FG: vt10x.DefaultFG})
	}
	f.mark(f.row, true)
	f.rows = append(f.rows, f.row)
	f.row = nil
}

// settle writes the rows on the screen, which may have another size by now. The
// rows at the top that have no room go to the scrollback, so that the end of the
// text and the spot are on the screen.
func (f *flow) settle() {
	sc := f.sc
	up := min(f.to.y, max(0, len(f.rows)-sc.rows))
	up = max(up, f.to.y-sc.rows+1)
	for _, row := range f.rows[:up] {
		sc.pushRow(row)
	}
	f.to.y -= up
	sc.selectPen(0)
	sc.emit("\x1b[2J")
	for y, row := range f.rows[up:min(len(f.rows), up+sc.rows)] {
		sc.goTo(0, y)
		for _, g := range row {
			if g.FG == vt10x.DefaultFG {
				g.FG = 0
			}
			sc.selectPen(uint32(g.FG))
			sc.pending = utf8.AppendRune(sc.pending, max(g.Char, ' '))
		}
	}
	sc.sync()
	sc.flow = nil
	sc.putCursor(f.to)
}
