package vterm

import (
	"bytes"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// line is a row of the scrollback, without its blanks at the end. It is kept
// as text and runs of styles, which takes a twentieth of what cells take.
type line struct {
	text  string
	runs  []run // none: all of it has no style
	wraps wraps
}

// run is a number of cells that look alike.
type run struct {
	style Style
	cells int
}

// pushHistory keeps a row that is about to leave the screen at its top.
func (sc *Screen) pushHistory(y int) {
	if sc.o.Scrollback <= 0 {
		return
	}
	sc.sync()
	sc.glyphs = sc.readRow(y, sc.glyphs[:0])
	sc.pushRow(sc.glyphs)
}

// pushRow keeps a row. Old ones go in large steps, so that a flood costs little.
func (sc *Screen) pushRow(row []vt10x.Glyph) {
	keep := sc.o.Scrollback
	if keep <= 0 {
		return
	}
	if len(sc.history) >= keep+keep/4 {
		sc.dropped += len(sc.history) - keep
		sc.history = append([]line(nil), sc.history[len(sc.history)-keep:]...)
	}
	sc.history = append(sc.history, sc.pack(row))
}

func (sc *Screen) pack(row []vt10x.Glyph) line {
	l := line{wraps: sc.wraps(row)}
	if text, ok := sc.packPlain(row); ok {
		if l.wraps == wrapsNot {
			text = bytes.TrimRight(text, " ")
		}
		l.text = string(text)
		return l
	}
	sc.cells = sc.decode(row, sc.cells)
	cells := sc.cells
	if l.wraps == wrapsNot {
		cells = TrimLine(cells)
	}
	b := sc.text8[:0]
	for _, c := range cells {
		b = append(b, c.Text...)
		if n := len(l.runs); n > 0 && l.runs[n-1].style == c.Style {
			l.runs[n-1].cells++
		} else {
			l.runs = append(l.runs, run{c.Style, 1})
		}
	}
	sc.text8 = b
	l.text = string(b)
	return l
}

// packPlain packs a row of plain ASCII without any style, which most are.
func (sc *Screen) packPlain(row []vt10x.Glyph) ([]byte, bool) {
	b := sc.text8[:0]
	for _, g := range row {
		switch {
		case g.FG != 0 && g.FG != vt10x.DefaultFG && sc.styleOf(g.FG) != (Style{wraps: true}):
			return nil, false
		case g.Char == 0:
			b = append(b, ' ')
		case g.Char < 0x7f:
			b = append(b, byte(g.Char))
		default:
			return nil, false
		}
	}
	sc.text8 = b
	return b, true
}

// unpack makes cells of a line again.
func (l line) unpack(dst []Cell) []Cell {
	dst = dst[:0]
	for i := 0; i < len(l.text); {
		n := clusterLen(l.text[i:])
		text := l.text[i : i+n]
		i += n
		w := textWidth(text)
		dst = append(dst, Cell{Text: text, Width: uint8(w)})
		if w == 2 {
			dst = append(dst, Cell{})
		}
	}
	x := 0
	for _, r := range l.runs {
		for range r.cells {
			dst[x].Style = r.style
			x++
		}
	}
	return dst
}

// clusterLen is how many bytes of s are one cell: a character and those without
// width that follow it.
func clusterLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	for n < len(s) && s[n] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[n:])
		if runeWidth(r) > 0 {
			break
		}
		n += size
	}
	return n
}
