package ptyoverlay

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// FuzzOverlay reads its input as orders: the first byte of each says whether
// the program prints, the person presses a key or moves the mouse, or the
// window changes its size; the next says how many bytes belong to it.
func FuzzOverlay(f *testing.F) {
	f.Add([]byte("\x00\x05hello\x01\x01a\x02\x02\x50\x18\x03\x03\x01\x02\x03\x04\x04past"))
	f.Add([]byte("\x00\x0a\x1b[?1003;h\x1b\x03\x03\x09\x05\x05\x01\x01\x1d\x01\x01["))
	f.Add([]byte("\x00\x08\x1b[?1049h\x05\x00\x02\x02\x01\x01\x06\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1024 {
			return
		}
		m, _ := start(Options{Scrollback: 10, Title: string(b[:min(len(b), 20)])})
		w, h := 80, 30
		for len(b) >= 2 {
			order, n := b[0], min(int(b[1]), len(b)-2)
			data := b[2 : 2+n]
			b = b[2+n:]
			arg := func(i int) int {
				if i < len(data) {
					return int(data[i])
				}
				return 0
			}
			switch order % 8 {
			case 0:
				say(m, string(data))
			case 1:
				for _, r := range string(data) {
					m.HandleKey(tea.KeyPressMsg{Code: r, Text: string(r)})
				}
			case 2:
				w, h = max(1, arg(0)), max(1, arg(1)%60)
				m.SetSize(w, h)
			case 3:
				mouse := tea.Mouse{Button: tea.MouseButton(arg(0) % 12), Mod: tea.KeyMod(arg(3))}
				for _, msg := range []tea.MouseMsg{tea.MouseClickMsg(mouse), tea.MouseWheelMsg(mouse), tea.MouseMotionMsg(mouse), tea.MouseReleaseMsg(mouse)} {
					m.HandleMouse(msg, arg(1)-3, arg(2)-3)
				}
			case 4:
				m.HandlePaste(string(data))
			case 5:
				m.HandleKey(tea.KeyPressMsg{Code: tea.KeyUp + rune(arg(0)), Mod: tea.KeyMod(arg(1))})
			case 6:
				m.HandleKey(tea.KeyPressMsg{Code: ']', Mod: tea.ModCtrl})
			default:
				m.Finish(string(data), arg(0)%2 == 0)
			}
			check(t, m, w, h)
		}
		m.Transcript()
	})
}
