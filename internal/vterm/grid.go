package vterm

// This file is the only one that speaks to the grid. Commands are collected in
// pending and handed over before anything is read back.

import "strconv"

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
	x, y = within(x, sc.cols-1), within(y, sc.rows-1)
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
