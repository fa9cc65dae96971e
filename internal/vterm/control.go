package vterm

// Replies of a VT220 with colour, as xterm gives them.
const (
	primaryAttributes   = "\x1b[?62;22c"
	secondaryAttributes = "\x1b[>1;10;0c"
)

// c0 takes the control characters of ASCII and DEL.
func (sc *Screen) c0(c byte) {
	switch c {
	case 0x1b:
		sc.state, sc.inter = escape, sc.inter[:0]
		return
	case 0x18, 0x1a: // CAN, SUB
		sc.state = ground
		return
	case '\a':
		if sc.o.Bell != nil {
			sc.o.Bell()
		}
		return
	case '\b':
		x, y, _ := sc.cursor()
		sc.goTo(x-1, y)
	case '\t':
		sc.tab(1)
	case '\n', '\v', '\f':
		if sc.modes.NewLine {
			sc.emit("\r")
		}
		sc.lineFeed()
	case '\r':
		sc.emit("\r")
	case 0x0e: // SO
		sc.shift = 1
	case 0x0f: // SI
		sc.shift = 0
	default:
		return
	}
	sc.endRun()
}

// endRun ends a run of characters: no mark joins the last one, and REP does not
// repeat it.
func (sc *Screen) endRun() { sc.last.ok, sc.last.repeat = false, "" }

// c1 takes the control characters U+0080 to U+009F.
func (sc *Screen) c1(r rune) {
	switch r {
	case 0x84:
		sc.lineFeed()
	case 0x85:
		sc.emit("\r")
		sc.lineFeed()
	case 0x88:
		sc.setTab()
	case 0x8d:
		sc.reverseIndex()
	case 0x90:
		sc.startText('P')
	case 0x98, 0x9e, 0x9f:
		sc.startText('^')
	case 0x9b:
		sc.startCSI()
	case 0x9d:
		sc.startText(']')
	}
	if r != 0x9b { // what a control sequence does is known at its end
		sc.endRun()
	}
}

// escape takes the byte after ESC.
func (sc *Screen) escape(c byte) {
	sc.state = ground
	if c >= 0x20 && c < 0x30 {
		sc.inter = append(sc.inter[:0], c)
		sc.state = escapeInter
		return
	}
	if c == '[' {
		sc.startCSI() // what it does is known at its end
		return
	}
	sc.endRun()
	switch c {
	case ']', 'P', '^', '_', 'X':
		sc.startText(c)
	case 'D':
		sc.lineFeed()
	case 'E':
		sc.emit("\r")
		sc.lineFeed()
	case 'H':
		sc.setTab()
	case 'M':
		sc.reverseIndex()
	case '7':
		sc.saveCursor()
	case '8':
		sc.restoreCursor()
	case '=':
		sc.modes.AppKeypad = true
	case '>':
		sc.modes.AppKeypad = false
	case 'N', 'O': // SS2, SS3
		sc.single = int(c-'N') + 2
	case 'n': // LS2
		sc.shift = 2
	case 'o': // LS3
		sc.shift = 3
	case 'Z':
		sc.reply(primaryAttributes)
	case 'c':
		sc.fullReset()
	}
}

// escapeWithInter takes the final byte after ESC and intermediate bytes.
func (sc *Screen) escapeWithInter(c byte) {
	sc.endRun()
	switch first := sc.inter[0]; first {
	case '(', ')', '*', '+':
		if len(sc.inter) > 1 || c != '0' && c != 'A' {
			c = 'B' // every other set reads as ASCII
		}
		sc.charsets[first-'('] = c
	case '#':
		if c == '8' { // DECALN
			sc.setRegion(0, sc.rows-1)
			sc.selectPen(0)
			sc.emit("\x1b#8")
			sc.goTo(0, 0)
		}
	}
}

func (sc *Screen) tab(n int) {
	x, y, pending := sc.cursor()
	if pending {
		return
	}
	for ; n > 0 && x < sc.cols-1; n-- {
		for x++; x < sc.cols-1 && !sc.tabs[x]; x++ {
		}
	}
	sc.goTo(x, y)
}

func (sc *Screen) backTab(n int) {
	x, y, _ := sc.cursor()
	for ; n > 0 && x > 0; n-- {
		for x--; x > 0 && !sc.tabs[x]; x-- {
		}
	}
	sc.goTo(x, y)
}

func (sc *Screen) setTab() {
	x, _, _ := sc.cursor()
	sc.tabs[x] = true
}

func (sc *Screen) resetTabs() {
	sc.tabs = make([]bool, sc.cols)
	for i := 0; i < sc.cols; i += 8 {
		sc.tabs[i] = true
	}
}

// saved is the slot of DECSC for the screen that shows.
func (sc *Screen) saved() *savedCursor {
	if sc.modes.Alt {
		return &sc.cursors[1]
	}
	return &sc.cursors[0]
}

func (sc *Screen) saveCursor() {
	x, y, pending := sc.cursor()
	*sc.saved() = savedCursor{
		spot: spot{x, y, pending}, style: sc.style, origin: sc.modes.Origin,
		charsets: sc.charsets, shift: sc.shift, set: true,
	}
}

func (sc *Screen) restoreCursor() {
	s := *sc.saved()
	if !s.set {
		s.charsets = defaultCharsets()
	}
	sc.setStyle(s.style)
	sc.modes.Origin, sc.charsets, sc.shift = s.origin, s.charsets, s.shift
	sc.putCursor(s.spot)
}

// putCursor moves the cursor, with its pending wrap.
func (sc *Screen) putCursor(at spot) {
	if at.pending && at.x == sc.cols-1 && at.y < sc.rows && !sc.modes.NoWrap {
		sc.restorePending(at.x, at.y)
	} else {
		sc.goTo(at.x, at.y)
	}
}

// fullReset is RIS.
func (sc *Screen) fullReset() {
	sc.setAlt(false)
	sc.softReset()
	sc.modes = Modes{}
	sc.emit("\x1b[?7h")
	sc.selectPen(0)
	sc.emit("\x1b[2J\x1b[H")
	sc.resetTabs()
	sc.cursors = [2]savedCursor{}
}

// softReset is DECSTR.
func (sc *Screen) softReset() {
	x, y, _ := sc.cursor()
	sc.setRegion(0, sc.rows-1)
	sc.goTo(x, y)
	sc.setStyle(Style{})
	m := &sc.modes
	m.Origin, m.Insert, m.AppCursor, m.AppKeypad, m.Hidden = false, false, false, false, false
	sc.setPrivate(7, true)
	sc.charsets, sc.shift = defaultCharsets(), 0
	*sc.saved() = savedCursor{}
}

// setAlt shows the other screen. The engine flips on every request, so it only
// hears of real changes.
func (sc *Screen) setAlt(on bool) {
	if on == sc.modes.Alt {
		return
	}
	x, y, pending := sc.cursor()
	if on {
		sc.covered, sc.coveredAt, sc.resized = sc.readRows(), spot{x, y, pending}, false
		sc.hadAlt = true
		sc.emit("\x1b[?47h")
	} else {
		sc.selectPen(0)
		sc.emit("\x1b[?47l")
	}
	sc.modes.Alt = on
	if !on {
		sc.uncover()
	}
	sc.goTo(x, y)
}

// uncover fits the main screen to a size that changed while it was covered.
func (sc *Screen) uncover() {
	if sc.resized {
		f := sc.reflow(sc.covered, sc.coveredAt, sc.cols)
		f.settle()
		sc.cursors[0].follow(f)
	}
	sc.covered = nil
}
