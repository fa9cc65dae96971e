package vterm

import (
	"strconv"
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// csi acts on a control sequence that ended with the byte final.
func (sc *Screen) csi(final byte) {
	p := parseParams(sc.args)
	if final == 'b' && len(sc.inter) == 0 && sc.private == 0 {
		sc.last.ok = false
		sc.repeat(p.or(0, 1))
		return
	}
	sc.endRun()
	if len(sc.inter) > 0 {
		sc.csiWithInter(p, final)
		return
	}
	if sc.private != 0 {
		sc.csiPrivate(p, final)
		return
	}
	_ = sc.set(p, final) || sc.move(p, final) || sc.edit(p, final) || sc.report(p, final)
}

func (sc *Screen) csiWithInter(p params, final byte) {
	switch string(sc.inter) + string(final) {
	case " q":
		sc.modes.CursorStyle = p.or(0, 0)
	case "!p":
		sc.softReset()
	case "$p":
		if sc.private == '?' {
			sc.reportMode(p.or(0, 0))
		}
	}
}

// csiPrivate takes sequences with a private prefix. Those of keyboard
// protocols ("CSI > 1 u", "CSI > 4 ; 2 m") must not be taken for their public
// twins.
func (sc *Screen) csiPrivate(p params, final byte) {
	switch string(sc.private) + string(final) {
	case "?h", "?l":
		for _, mode := range p {
			sc.setPrivate(mode[0], final == 'h')
		}
	case "?J", "?K":
		sc.erase(final, p.or(0, 0))
	case "?n":
		if p.or(0, 0) == 6 {
			x, y, _ := sc.cursor()
			sc.reply("\x1b[?" + strconv.Itoa(y+1) + ";" + strconv.Itoa(x+1) + "R")
		}
	case "?W":
		if p.or(0, 0) == 5 {
			sc.resetTabs()
		}
	case ">c":
		sc.reply(secondaryAttributes)
	case ">q":
		sc.reply("\x1bP>|vterm\x1b\\")
	}
}

// move takes the sequences that only move the cursor.
func (sc *Screen) move(p params, final byte) bool {
	n := p.or(0, 1)
	x, y, _ := sc.cursor()
	switch final {
	case 'A':
		sc.goTo(x, sc.up(y, n))
	case 'F':
		sc.goTo(0, sc.up(y, n))
	case 'B':
		sc.goTo(x, sc.down(y, n))
	case 'E':
		sc.goTo(0, sc.down(y, n))
	case 'e':
		sc.goTo(x, y+n)
	case 'C', 'a':
		sc.goTo(x+n, y)
	case 'D', 'j':
		sc.goTo(x-n, y)
	case 'k':
		sc.goTo(x, y-n)
	case 'G', '`':
		sc.goTo(n-1, y)
	case 'd':
		sc.goToOrigin(x, n-1)
	case 'H', 'f':
		sc.goToOrigin(p.or(1, 1)-1, n-1)
	case 'I':
		sc.tab(min(n, sc.cols))
	case 'Z':
		sc.backTab(min(n, sc.cols))
	case 's':
		sc.saveCursor()
	case 'u':
		sc.restoreCursor()
	default:
		return false
	}
	return true
}

// up and down stop at the margin of the scroll region that they begin inside.
func (sc *Screen) up(y, n int) int {
	if y >= sc.top {
		return max(y-n, sc.top)
	}
	return y - n
}

func (sc *Screen) down(y, n int) int {
	if y <= sc.bottom {
		return min(y+n, sc.bottom)
	}
	return y + n
}

// goToOrigin counts rows from the top margin while DECOM is set.
func (sc *Screen) goToOrigin(x, y int) {
	if sc.modes.Origin {
		y = min(y+sc.top, sc.bottom)
	}
	sc.goTo(x, y)
}

// edit takes the sequences that change cells.
func (sc *Screen) edit(p params, final byte) bool {
	n := p.or(0, 1)
	switch final {
	case '@':
		if _, _, pending := sc.cursor(); !pending {
			sc.selectErase()
			sc.command(min(n, sc.cols), '@')
		}
	case 'P', 'X':
		x, y, _ := sc.cursor()
		sc.selectErase()
		sc.command(min(n, sc.cols), final)
		sc.goTo(x, y) // a pending wrap goes
	case 'L', 'M':
		if _, y, _ := sc.cursor(); y >= sc.top && y <= sc.bottom {
			sc.selectErase()
			sc.command(min(n, sc.rows), final)
			sc.emit("\r")
		}
	case 'S':
		sc.scrollUp(n)
	case 'T', '^':
		if len(p) == 1 { // more parameters: highlight mouse tracking
			sc.selectErase()
			sc.command(min(n, sc.bottom-sc.top+1), 'T')
		}
	case 'J', 'K':
		sc.erase(final, p.or(0, 0))
	default:
		return false
	}
	return true
}

func (sc *Screen) scrollUp(n int) {
	n = min(n, sc.bottom-sc.top+1)
	if sc.top == 0 && !sc.modes.Alt {
		for i := range n {
			sc.pushHistory(i)
		}
	}
	sc.selectErase()
	sc.command(n, 'S')
}

// repeat prints the last character n times more (REP).
func (sc *Screen) repeat(n int) {
	text := sc.last.repeat
	if text == "" {
		return
	}
	r, size := utf8.DecodeRuneInString(text)
	if size < len(text) || r >= clusterLow {
		r = sc.clusterRune(text)
	}
	if sc.modes.NoWrap {
		n = min(n, sc.cols) // the rest would only write the last column again
	}
	sc.putRun(r, text, textWidth(text), min(n, sc.cols*sc.rows))
}

func (sc *Screen) erase(final byte, mode int) {
	x, y, pending := sc.cursor()
	sc.selectErase()
	if final == 'K' {
		if mode <= 2 && (mode != 0 || !pending) {
			sc.command(mode, 'K')
		}
		return
	}
	switch {
	case mode == 0 && !pending:
		sc.emit("\x1b[J")
	case mode == 0 && y+1 < sc.rows: // the last column stays, and so does the pending wrap
		sc.goTo(0, y+1)
		sc.emit("\x1b[J")
		sc.restorePending(x, y)
	case mode == 1:
		if y == 1 { // the engine forgets row 0 here
			sc.emit("\x1b[1;1H\x1b[2K")
			sc.goTo(x, y)
		}
		sc.emit("\x1b[1J")
	case mode == 2:
		sc.emit("\x1b[2J")
	case mode == 3:
		sc.dropped += len(sc.history)
		sc.history = nil
	}
}

// restorePending puts the cursor on the last column with the wrap pending, by
// printing once more what is there.
func (sc *Screen) restorePending(x, y int) {
	sc.sync()
	from := x
	if sc.grid.Cell(x, y).Char == filler && x > 0 {
		from--
	}
	sc.goTo(from, y)
	for at := from; at <= x; at++ {
		g := sc.grid.Cell(at, y)
		id := uint32(0)
		if g.FG != vt10x.DefaultFG {
			id = uint32(g.FG)
		}
		sc.selectPen(id)
		sc.pending = utf8.AppendRune(sc.pending, g.Char)
	}
}

// set takes the sequences that change how later ones work.
func (sc *Screen) set(p params, final byte) bool {
	switch final {
	case 'g':
		switch p.or(0, 0) {
		case 0:
			x, _, _ := sc.cursor()
			sc.tabs[x] = false
		case 3:
			clear(sc.tabs)
		}
	case 'r':
		top, bottom := p.or(0, 1)-1, min(p.or(1, sc.rows), sc.rows)-1
		if top < bottom {
			sc.setRegion(top, bottom)
			sc.goToOrigin(0, 0)
		}
	case 'h', 'l':
		for _, mode := range p {
			sc.setMode(mode[0], final == 'h')
		}
	case 'm':
		sc.setStyle(sc.style.sgr(p))
	default:
		return false
	}
	return true
}

// report answers questions about the terminal.
func (sc *Screen) report(p params, final byte) bool {
	switch n := p.or(0, 0); {
	case final == 'n' && n == 5:
		sc.reply("\x1b[0n")
	case final == 'n' && n == 6:
		x, y, _ := sc.cursor()
		if sc.modes.Origin {
			y -= sc.top
		}
		sc.reply("\x1b[" + strconv.Itoa(y+1) + ";" + strconv.Itoa(x+1) + "R")
	case final == 'c' && n == 0:
		sc.reply(primaryAttributes)
	case final == 't' && n == 18:
		sc.reply("\x1b[8;" + strconv.Itoa(sc.rows) + ";" + strconv.Itoa(sc.cols) + "t")
	default:
		return false
	}
	return true
}
