package vterm

// This file is the only one that speaks to the grid. Commands are collected in
// pending and handed over before anything is read back.

import (
	"strconv"
	"unicode/utf8"
)

// wrapPending is the engine's flag for "the next character wraps first".
const wrapPending = 2

func (sc *Screen) sync() {
	if len(sc.pending) > 0 {
		_, _ = sc.grid.Write(sc.pending) // it cannot fail on whole runes
		sc.pending = sc.pending[:0]
	}
}

func (sc *Screen) emit(s string) { sc.pending = append(sc.pending, s...) }

// command emits a control sequence with one parameter.
func (sc *Screen) command(n int, final byte) {
	sc.pending = append(sc.pending, 0x1b, '[')
	sc.pending = strconv.AppendInt(sc.pending, int64(n), 10)
	sc.pending = append(sc.pending, final)
}

// cursor reads the position and whether the next character wraps first.
func (sc *Screen) cursor() (x, y int, pending bool) {
	sc.sync()
	c := sc.grid.Cursor()
	return c.X, c.Y, c.State&wrapPending != 0 && !sc.modes.NoWrap
}

func (sc *Screen) goTo(x, y int) {
	x, y = clamp(x, 0, sc.cols-1), clamp(y, 0, sc.rows-1)
	sc.pending = append(sc.pending, 0x1b, '[')
	sc.pending = strconv.AppendInt(sc.pending, int64(y+1), 10)
	sc.pending = append(sc.pending, ';')
	sc.pending = strconv.AppendInt(sc.pending, int64(x+1), 10)
	sc.pending = append(sc.pending, 'H')
}

func (sc *Screen) setRegion(top, bottom int) {
	sc.top, sc.bottom = top, bottom
	sc.pending = append(sc.pending, 0x1b, '[')
	sc.pending = strconv.AppendInt(sc.pending, int64(top+1), 10)
	sc.pending = append(sc.pending, ';')
	sc.pending = strconv.AppendInt(sc.pending, int64(bottom+1), 10)
	sc.pending = append(sc.pending, 'r')
}

// intern gives a style its number. At the limit a style without its direct
// colours has to do, so that a program that cycles through colours for ever
// does not grow the table for ever.
func (sc *Screen) intern(s Style) uint32 {
	if id, ok := sc.styleOf[s]; ok {
		return id
	}
	if len(sc.styles) >= maxStyles {
		s.FG, s.BG, s.UL, s.Link = 0, 0, 0, 0
		return sc.styleOf[s]
	}
	id := uint32(len(sc.styles))
	sc.styles = append(sc.styles, s)
	sc.styleOf[s] = id
	return id
}

func (sc *Screen) setStyle(s Style) { sc.style, sc.pen = s, sc.intern(s) }

// selectText selects the pen for characters, selectErase the one for blanks
// that an erasing operation leaves: those keep the background only (BCE).
func (sc *Screen) selectText()  { sc.selectPen(sc.pen) }
func (sc *Screen) selectErase() { sc.selectPen(sc.intern(Style{BG: sc.style.BG})) }

func (sc *Screen) selectPen(id uint32) {
	if id == sc.penSent {
		return
	}
	sc.penSent = id
	if id == 0 {
		sc.emit("\x1b[m")
		return
	}
	sc.emit("\x1b[38;2;")
	sc.pending = strconv.AppendUint(sc.pending, uint64(id>>16&0xff), 10)
	sc.pending = append(sc.pending, ';')
	sc.pending = strconv.AppendUint(sc.pending, uint64(id>>8&0xff), 10)
	sc.pending = append(sc.pending, ';')
	sc.pending = strconv.AppendUint(sc.pending, uint64(id&0xff), 10)
	sc.pending = append(sc.pending, 'm')
}

// clusterRune gives a cluster of several runes its stand-in. When all are
// taken the first rune has to do.
func (sc *Screen) clusterRune(s string) rune {
	if r, ok := sc.clusterOf[s]; ok {
		return r
	}
	r := clusterLow + rune(len(sc.clusters))
	if r > clusterTop {
		first, _ := utf8.DecodeRuneInString(s)
		return first
	}
	sc.clusters = append(sc.clusters, s)
	sc.clusterOf[s] = r
	return r
}

// row reads one line of the grid into dst.
func (sc *Screen) row(y int, dst []Cell) []Cell {
	dst = dst[:0]
	lead := false // the cell before is the left half of a wide one
	for x := range sc.cols {
		c := sc.cell(x, y, lead)
		lead = c.Width == 2
		dst = append(dst, c)
	}
	return dst
}

func (sc *Screen) cell(x, y int, afterLead bool) Cell {
	g := sc.grid.Cell(x, y)
	var style Style
	if id := uint32(g.FG); id < uint32(len(sc.styles)) {
		style = sc.styles[id]
	}
	switch ch := g.Char; {
	case ch == filler && afterLead:
		return Cell{Style: style}
	case ch == filler: // its left half was overwritten
		return Cell{Text: " ", Width: 1, Style: Style{BG: style.BG}}
	case ch == 0 || ch == ' ':
		return Cell{Text: " ", Width: 1, Style: style}
	case ch < 0x7f:
		return Cell{Text: ascii[ch : ch+1], Width: 1, Style: style}
	default:
		text := string(ch)
		if ch >= clusterLow && int(ch-clusterLow) < len(sc.clusters) {
			text = sc.clusters[ch-clusterLow]
		}
		switch {
		case textWidth(text) != 2:
			return Cell{Text: text, Width: 1, Style: style}
		case x+1 < sc.cols && sc.grid.Cell(x+1, y).Char == filler:
			return Cell{Text: text, Width: 2, Style: style}
		default: // its right half was overwritten
			return Cell{Text: " ", Width: 1, Style: style}
		}
	}
}

// ascii holds each character at its own index, so that a cell's text is a
// slice of it and costs no allocation.
const ascii = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f" +
	" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7f"

// pushHistory copies a row that is about to leave the screen at its top.
func (sc *Screen) pushHistory(y int) {
	keep := sc.o.Scrollback
	if keep <= 0 {
		return
	}
	if len(sc.history) >= keep+keep/4 { // trimmed in large steps, so that a flood costs little
		sc.dropped += len(sc.history) - keep
		sc.history = append([][]Cell(nil), sc.history[len(sc.history)-keep:]...)
	}
	sc.sync()
	sc.history = append(sc.history, TrimLine(sc.row(y, make([]Cell, 0, sc.cols))))
}

// lineFeed moves down; at the bottom of the region it scrolls, keeps the row
// that leaves and fills the new one with the background (BCE).
func (sc *Screen) lineFeed() {
	_, y, _ := sc.cursor()
	switch {
	case y == sc.bottom:
		if sc.top == 0 && !sc.modes.Alt {
			sc.pushHistory(0)
		}
		sc.emit("\n")
		if sc.style.BG != 0 {
			sc.selectErase()
			sc.emit("\x1b[2K")
		}
	case y < sc.rows-1:
		sc.emit("\n")
	default: // below the region, on the last row: only a pending wrap goes
		sc.emit("\x1b[B")
	}
}

// reverseIndex moves up and scrolls down at the top of the region (RI).
func (sc *Screen) reverseIndex() {
	x, y, _ := sc.cursor()
	if y == sc.top {
		sc.selectErase()
		sc.emit("\x1bM")
		sc.goTo(x, y)
	} else if y > 0 {
		sc.goTo(x, y-1)
	}
}
