package vterm

import "github.com/hinshun/vt10x"

// row reads one line of the grid into dst.
func (sc *Screen) row(y int, dst []Cell) []Cell {
	sc.glyphs = sc.readRow(y, sc.glyphs[:0])
	return sc.decode(sc.glyphs, dst)
}

// readRow appends what the grid has in one line.
func (sc *Screen) readRow(y int, dst []vt10x.Glyph) []vt10x.Glyph {
	for x := range sc.cols {
		dst = append(dst, sc.grid.Cell(x, y))
	}
	return dst
}

// decode makes cells of what the grid has.
func (sc *Screen) decode(row []vt10x.Glyph, dst []Cell) []Cell {
	dst = dst[:0]
	lead := false // the cell before is the left half of a wide one
	for x := range row {
		c := sc.cell(row, x, lead)
		lead = c.Width == 2
		dst = append(dst, c)
	}
	return dst
}

func (sc *Screen) cell(row []vt10x.Glyph, x int, afterLead bool) Cell {
	g := row[x]
	style := sc.styleOf(g.FG).visible()
	switch ch := g.Char; {
	case ch == filler && afterLead:
		return Cell{Style: style}
	case ch == filler: // its left half was overwritten
		return Cell{Text: " ", Width: 1, Style: Style{BG: style.BG}}
	case ch == 0 || ch == ' ' || ch == gap:
		return Cell{Text: " ", Width: 1, Style: style}
	case ch < 0x7f:
		return Cell{Text: ascii[ch : ch+1], Width: 1, Style: style}
	}
	text := sc.textOf(g.Char)
	switch {
	case textWidth(text) != 2:
		return Cell{Text: text, Width: 1, Style: style}
	case x+1 < len(row) && row[x+1].Char == filler:
		return Cell{Text: text, Width: 2, Style: style}
	default: // its right half was overwritten
		return Cell{Text: " ", Width: 1, Style: style}
	}
}

// textOf is what a rune of the grid stands for.
func (sc *Screen) textOf(r rune) string {
	if n := int(r - clusterLow); n >= 0 && n < len(sc.clusters.values) {
		return sc.clusters.values[n]
	}
	return string(r)
}

// wraps says whether the text of a row goes on in the next one.
type wraps uint8

const (
	wrapsNot   wraps = iota
	wrapsFull        // it does
	wrapsShort       // it does, and the last column is no part of it
)

func (sc *Screen) wraps(row []vt10x.Glyph) wraps {
	last := len(row) - 1
	switch {
	case last < 0 || !sc.styleOf(row[last].FG).wraps:
		return wrapsNot
	case row[last].Char == gap:
		return wrapsShort
	default:
		return wrapsFull
	}
}

// ascii holds each character at its own index, so that a cell's text is a
// slice of it and costs no allocation.
const ascii = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f" +
	" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7f"
