package ptyoverlay

import (
	"fmt"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// wheelLines is how far one notch of the wheel goes.
const wheelLines = 3

// HandleMouse takes what the mouse did at column x and row y of the View. It is
// the program's if that asked for it; the wheel scrolls otherwise.
func (m *Model) HandleMouse(msg tea.MouseMsg, x, y int) {
	m.mu.Lock()
	modes := m.screen.Modes()
	title, _ := m.frame()
	y -= title
	inside := x >= 0 && x < m.cols && y >= 0 && y < m.rows
	_, released := msg.(tea.MouseReleaseMsg)
	wants := modes.MouseX10 || modes.MouseButton || modes.MouseDrag || modes.MouseAny
	var send []byte
	switch {
	case m.ended || m.scroll != nil || !wants:
		if wheel, ok := msg.(tea.MouseWheelMsg); ok {
			send = m.wheel(wheel, modes)
		}
	case inside || released: // a button that went down inside must come up
		send = encodeMouse(msg, min(max(x, 0), m.cols-1), min(max(y, 0), m.rows-1), modes)
	}
	m.mu.Unlock()
	m.send(send)
}

// wheel scrolls back. A program on the alternate screen has nothing to scroll
// back to, so it gets arrows, as terminals do it.
func (m *Model) wheel(msg tea.MouseWheelMsg, modes vterm.Modes) []byte {
	lines, arrow := 0, tea.KeyUp
	switch msg.Button {
	case tea.MouseWheelUp:
		lines = -wheelLines
	case tea.MouseWheelDown:
		lines, arrow = wheelLines, tea.KeyDown
	default:
		return nil
	}
	if modes.Alt && m.scroll == nil && !m.ended {
		one := encode(tea.Key{Code: arrow}, modes)
		return []byte(strings.Repeat(string(one), wheelLines))
	}
	if m.scroll == nil {
		m.startScroll(true)
	}
	m.scroll.by(m, lines)
	if m.scroll.byWheel {
		m.scroll.leaveAtEnd(m)
	}
	m.touch()
	return nil
}

// encodeMouse is what xterm sends for what the mouse did, in the encoding that
// the program asked for.
func encodeMouse(msg tea.MouseMsg, x, y int, modes vterm.Modes) []byte {
	mouse := msg.Mouse()
	button, ok := buttonCode(mouse.Button)
	press, released := false, false
	switch msg.(type) {
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		press = true
	case tea.MouseReleaseMsg:
		released = true
	case tea.MouseMotionMsg:
		if !modes.MouseAny && (!modes.MouseDrag || mouse.Button == tea.MouseNone) {
			return nil
		}
		button += 32
	}
	tracking := modes.MouseButton || modes.MouseDrag || modes.MouseAny
	if !ok || !tracking && (!press || button > 2) {
		return nil
	}
	if tracking { // X10 knows no modifiers
		button += mouseModifiers(mouse.Mod)
	}
	return mouseReport(button, x+1, y+1, released, modes)
}

func mouseReport(button, x, y int, released bool, modes vterm.Modes) []byte {
	if modes.MouseSGR {
		final := 'M'
		if released {
			final = 'm'
		}
		return fmt.Appendf(nil, csi+"<%d;%d;%d%c", button, x, y, final)
	}
	if released { // which button it was cannot be said
		button |= 3
	}
	const offset, lastByte, lastUTF8 = 32, 255, 2047
	switch {
	case modes.MouseURXVT:
		return fmt.Appendf(nil, csi+"%d;%d;%dM", button+offset, x, y)
	case modes.MouseUTF8 && max(x, y)+offset <= lastUTF8:
		b := utf8.AppendRune([]byte(csi+"M"), rune(button+offset))
		return utf8.AppendRune(utf8.AppendRune(b, rune(x+offset)), rune(y+offset))
	case !modes.MouseUTF8 && max(x, y)+offset <= lastByte:
		return append([]byte(csi+"M"), byte(button+offset), byte(x+offset), byte(y+offset))
	default:
		return nil // farther than the encoding reaches
	}
}

// buttonCode is xterm's number of a button.
func buttonCode(b tea.MouseButton) (int, bool) {
	switch b {
	case tea.MouseLeft, tea.MouseMiddle, tea.MouseRight:
		return int(b - tea.MouseLeft), true
	case tea.MouseNone:
		return 3, true
	case tea.MouseWheelUp, tea.MouseWheelDown, tea.MouseWheelLeft, tea.MouseWheelRight:
		return 64 + int(b-tea.MouseWheelUp), true
	case tea.MouseBackward, tea.MouseForward, tea.MouseButton10, tea.MouseButton11:
		return 128 + int(b-tea.MouseBackward), true
	default:
		return 0, false
	}
}

func mouseModifiers(mod tea.KeyMod) int {
	n := 0
	if mod.Contains(tea.ModShift) {
		n |= 4
	}
	if mod&(tea.ModAlt|tea.ModMeta) != 0 {
		n |= 8
	}
	if mod.Contains(tea.ModCtrl) {
		n |= 16
	}
	return n
}
