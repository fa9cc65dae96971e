package vterm

import "strconv"

// flag is the switch behind a DEC private mode that is nothing but a switch.
func (m *Modes) flag(n int) *bool {
	switch n {
	case 1:
		return &m.AppCursor
	case 5:
		return &m.Reversed
	case 12:
		return &m.Blink
	case 66:
		return &m.AppKeypad
	case 1004:
		return &m.Focus
	case 1005:
		return &m.MouseUTF8
	case 1006:
		return &m.MouseSGR
	case 1015:
		return &m.MouseURXVT
	case 2004:
		return &m.Paste
	case 2026:
		return &m.Sync
	}
	return nil
}

// setPrivate is DECSET and DECRST.
func (sc *Screen) setPrivate(n int, on bool) {
	if f := sc.modes.flag(n); f != nil {
		*f = on
		return
	}
	switch n {
	case 9, 1000, 1002, 1003:
		sc.modes.setMouse(n, on)
	case 6:
		sc.modes.Origin = on
		sc.goToOrigin(0, 0)
	case 7:
		sc.modes.NoWrap = !on
		if on {
			sc.emit("\x1b[?7h")
		} else {
			sc.emit("\x1b[?7l")
		}
	case 25:
		sc.modes.Hidden = !on
	case 1048:
		sc.saveOrRestore(on)
	case 47, 1047, 1049:
		sc.setAltMode(n, on)
	}
}

// setMouse chooses what the mouse reports. One choice replaces another, and any
// of them switched off switches the mouse off, as in xterm.
func (m *Modes) setMouse(n int, on bool) {
	m.MouseX10, m.MouseButton = on && n == 9, on && n == 1000
	m.MouseDrag, m.MouseAny = on && n == 1002, on && n == 1003
}

func (sc *Screen) saveOrRestore(save bool) {
	if save {
		sc.saveCursor()
	} else {
		sc.restoreCursor()
	}
}

func (sc *Screen) setAltMode(n int, on bool) {
	if !on {
		sc.setAlt(false)
		if n == 1049 {
			sc.restoreCursor()
		}
		return
	}
	if n == 1049 {
		sc.saveCursor()
	}
	if sc.modes.Alt {
		return
	}
	sc.setAlt(true)
	sc.selectErase()
	sc.emit("\x1b[2J")
}

// setMode is SM and RM of ECMA-48.
func (sc *Screen) setMode(n int, on bool) {
	switch n {
	case 4:
		sc.modes.Insert = on
	case 20:
		sc.modes.NewLine = on
	}
}

// reportMode answers DECRQM: 1 set, 2 reset, 0 not known here.
func (sc *Screen) reportMode(n int) {
	state := 0
	if on, known := sc.modes.private(n); known {
		state = 2
		if on {
			state = 1
		}
	}
	sc.reply("\x1b[?" + strconv.Itoa(n) + ";" + strconv.Itoa(state) + "$y")
}

func (m *Modes) private(n int) (on, known bool) {
	switch n {
	case 5, 66: // kept, but not reported
		return false, false
	case 1000:
		return m.MouseButton, true
	case 1002:
		return m.MouseDrag, true
	case 1003:
		return m.MouseAny, true
	case 6:
		return m.Origin, true
	case 7:
		return !m.NoWrap, true
	case 25:
		return !m.Hidden, true
	case 47, 1047, 1049:
		return m.Alt, true
	}
	if f := m.flag(n); f != nil {
		return *f, true
	}
	return false, false
}
