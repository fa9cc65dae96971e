package vterm

import (
	"slices"
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
	if l.wraps == wrapsNot {
		row = sc.trimRow(row)
	}
	text, runs := sc.textBuf[:0], sc.runs[:0]
	for i, g := range row {
		if g.Char >= 0x7f {
			text, runs = sc.packCells(sc.decode(row, sc.cells), text[:0], runs[:0])
			break
		}
		text = append(text, max(byte(g.Char), ' '))
		if i > 0 && g.FG == row[i-1].FG {
			runs[len(runs)-1].cells++
		} else {
			runs = append(runs, run{sc.styleOf(g.FG).visible(), 1})
		}
	}
	sc.textBuf, sc.runs = text, runs
	l.text = string(text)
	if len(runs) > 1 || len(runs) == 1 && runs[0].style != (Style{}) {
		l.runs = slices.Clone(runs)
	}
	return l
}

// packCells is pack for rows that have more than ASCII.
func (sc *Screen) packCells(cells []Cell, text []byte, runs []run) ([]byte, []run) {
	sc.cells = cells
	for _, c := range cells {
		text = append(text, c.Text...)
		if n := len(runs); n > 0 && runs[n-1].style == c.Style {
			runs[n-1].cells++
		} else {
			runs = append(runs, run{c.Style, 1})
		}
	}
	return text, runs
}

// trimRow leaves out the blanks at the end of a row that have no style.
func (sc *Screen) trimRow(row []vt10x.Glyph) []vt10x.Glyph {
	n := len(row)
	for n > 0 && (row[n-1].Char == 0 || row[n-1].Char == ' ') && sc.styleOf(row[n-1].FG) == (Style{}) {
		n--
	}
	return row[:n]
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
