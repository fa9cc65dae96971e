package ptyoverlay

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// TestKeys has the values of terminfo's xterm-256color, and of xterm's control
// sequences where terminfo has none.
func TestKeys(t *testing.T) {
	application := vterm.Modes{AppCursor: true, AppKeypad: true}
	for _, tt := range []struct {
		key   string
		modes vterm.Modes
		want  string
	}{
		// Cursor keys: kcuu1 and its modified forms (kUP5 …), khome, kend.
		{"up", vterm.Modes{}, "\x1b[A"},
		{"up", application, "\x1bOA"},
		{"down", application, "\x1bOB"},
		{"right", application, "\x1bOC"},
		{"left", application, "\x1bOD"},
		{"home", application, "\x1bOH"},
		{"end", application, "\x1bOF"},
		{"begin", application, "\x1bOE"},
		{"home", vterm.Modes{}, "\x1b[H"},
		{"end", vterm.Modes{}, "\x1b[F"},
		{"begin", vterm.Modes{}, "\x1b[E"},
		{"shift+up", vterm.Modes{}, "\x1b[1;2A"},
		{"alt+up", vterm.Modes{}, "\x1b[1;3A"},
		{"alt+shift+down", application, "\x1b[1;4B"},
		{"ctrl+right", application, "\x1b[1;5C"},
		{"ctrl+shift+left", vterm.Modes{}, "\x1b[1;6D"},
		{"ctrl+alt+home", vterm.Modes{}, "\x1b[1;7H"},
		{"ctrl+alt+shift+end", vterm.Modes{}, "\x1b[1;8F"},
		{"meta+up", vterm.Modes{}, "\x1b[1;9A"},
		// Editing keys: kich1, kdch1, kpp, knp, kDC5 ….
		{"insert", vterm.Modes{}, "\x1b[2~"},
		{"delete", application, "\x1b[3~"},
		{"pgup", vterm.Modes{}, "\x1b[5~"},
		{"pgdown", vterm.Modes{}, "\x1b[6~"},
		{"find", vterm.Modes{}, "\x1b[1~"},
		{"select", vterm.Modes{}, "\x1b[4~"},
		{"menu", vterm.Modes{}, "\x1b[29~"},
		{"ctrl+delete", vterm.Modes{}, "\x1b[3;5~"},
		{"shift+pgup", vterm.Modes{}, "\x1b[5;2~"},
		// Function keys: kf1 to kf63.
		{"f1", vterm.Modes{}, "\x1bOP"},
		{"f4", vterm.Modes{}, "\x1bOS"},
		{"f5", vterm.Modes{}, "\x1b[15~"},
		{"f6", vterm.Modes{}, "\x1b[17~"},
		{"f10", vterm.Modes{}, "\x1b[21~"},
		{"f11", vterm.Modes{}, "\x1b[23~"},
		{"f12", vterm.Modes{}, "\x1b[24~"},
		{"shift+f1", vterm.Modes{}, "\x1b[1;2P"},
		{"ctrl+f5", vterm.Modes{}, "\x1b[15;5~"},
		{"f13", vterm.Modes{}, "\x1b[1;2P"},
		{"f17", vterm.Modes{}, "\x1b[15;2~"},
		{"f24", vterm.Modes{}, "\x1b[24;2~"},
		{"f25", vterm.Modes{}, "\x1b[1;5P"},
		{"f36", vterm.Modes{}, "\x1b[24;5~"},
		{"f37", vterm.Modes{}, "\x1b[1;6P"},
		{"f49", vterm.Modes{}, "\x1b[1;3P"},
		{"f61", vterm.Modes{}, "\x1b[1;4P"},
		{"f63", vterm.Modes{}, "\x1b[1;4R"},
		// Keys of one character.
		{"enter", vterm.Modes{}, "\r"},
		{"enter", vterm.Modes{NewLine: true}, "\r\n"},
		{"alt+enter", vterm.Modes{}, "\x1b\r"},
		{"shift+enter", vterm.Modes{}, "\r"},
		{"tab", vterm.Modes{}, "\t"},
		{"shift+tab", vterm.Modes{}, "\x1b[Z"},
		{"backspace", vterm.Modes{}, "\x7f"},
		{"ctrl+backspace", vterm.Modes{}, "\b"},
		{"alt+backspace", vterm.Modes{}, "\x1b\x7f"},
		{"esc", vterm.Modes{}, "\x1b"},
		{"alt+esc", vterm.Modes{}, "\x1b\x1b"},
		{"space", vterm.Modes{}, " "},
		// Ctrl and Alt.
		{"ctrl+space", vterm.Modes{}, "\x00"},
		{"ctrl+@", vterm.Modes{}, "\x00"},
		{"ctrl+2", vterm.Modes{}, "\x00"},
		{"ctrl+a", vterm.Modes{}, "\x01"},
		{"ctrl+shift+a", vterm.Modes{}, "\x01"},
		{"ctrl+z", vterm.Modes{}, "\x1a"},
		{"ctrl+[", vterm.Modes{}, "\x1b"},
		{"ctrl+3", vterm.Modes{}, "\x1b"},
		{"ctrl+\\", vterm.Modes{}, "\x1c"},
		{"ctrl+]", vterm.Modes{}, "\x1d"},
		{"ctrl+^", vterm.Modes{}, "\x1e"},
		{"ctrl+_", vterm.Modes{}, "\x1f"},
		{"ctrl+/", vterm.Modes{}, "\x1f"},
		{"ctrl+7", vterm.Modes{}, "\x1f"},
		{"ctrl+?", vterm.Modes{}, "\x7f"},
		{"ctrl+8", vterm.Modes{}, "\x7f"},
		{"ctrl+1", vterm.Modes{}, "1"},
		{"alt+x", vterm.Modes{}, "\x1bx"},
		{"alt+shift+x", vterm.Modes{}, "\x1bX"},
		{"meta+x", vterm.Modes{}, "\x1bx"},
		{"ctrl+alt+x", vterm.Modes{}, "\x1b\x18"},
		{"alt+space", vterm.Modes{}, "\x1b "},
		{"alt+[", vterm.Modes{}, "\x1b["},
		{"日", vterm.Modes{}, "日"},
		{"alt+ä", vterm.Modes{}, "\x1bä"},
		// The keypad: ka1 … kent in application mode.
		{"kpenter", vterm.Modes{}, "\r"},
		{"kpenter", application, "\x1bOM"},
		{"kpplus", vterm.Modes{}, "+"},
		{"kpplus", application, "\x1bOk"},
		{"kpsep", application, "\x1bOl"},
		{"kp0", application, "\x1bOp"},
		{"kp9", application, "\x1bOy"},
		{"kp9", vterm.Modes{}, "9"},
		{"ctrl+kp9", application, "9"},
		{"alt+kp9", vterm.Modes{}, "\x1b9"},
		{"kpup", application, "\x1bOA"},
		{"kpdelete", vterm.Modes{}, "\x1b[3~"},
		{"kpbegin", vterm.Modes{}, "\x1b[E"},
		// What a terminal sends nothing for.
		{"super+a", vterm.Modes{}, ""},
		{"capslock", vterm.Modes{}, ""},
		{"leftshift", vterm.Modes{}, ""},
		{"mute", vterm.Modes{}, ""},
	} {
		if got := string(encode(tea.Key(key(tt.key)), tt.modes)); got != tt.want {
			t.Errorf("%s (cursor keys of an application: %v) sends %q, want %q", tt.key, tt.modes.AppCursor, got, tt.want)
		}
	}
}

// TestKeysOfOtherKeyboards has what only newer protocols report.
func TestKeysOfOtherKeyboards(t *testing.T) {
	for _, tt := range []struct {
		key  tea.Key
		want string
	}{
		{tea.Key{Code: 'a', ShiftedCode: 'A', Mod: tea.ModShift, Text: "A"}, "A"},
		{tea.Key{Code: '7', ShiftedCode: '/', Mod: tea.ModShift, Text: "/"}, "/"},
		{tea.Key{Code: '-', ShiftedCode: '_', Mod: tea.ModShift | tea.ModCtrl}, "\x1f"},
		{tea.Key{Code: 'ф', BaseCode: 'a', Mod: tea.ModCtrl}, "\x01"},
		{tea.Key{Code: 'ф', BaseCode: 'a', Text: "ф"}, "ф"},
		{tea.Key{Code: 'e', Mod: tea.ModCtrl | tea.ModAlt, Text: "€"}, "€"},
		{tea.Key{Code: tea.KeyExtended, Text: "👨‍👩‍👧"}, "👨‍👩‍👧"},
		{tea.Key{Code: 'x', Mod: tea.ModCapsLock | tea.ModNumLock, Text: "X"}, "X"},
		{tea.Key{Code: tea.KeyUp, Mod: tea.ModNumLock}, "\x1b[A"},
		{tea.Key{Code: tea.KeyKp7, Text: "7"}, "7"},
	} {
		if got := string(encode(tt.key, vterm.Modes{AppKeypad: true})); got != tt.want {
			t.Errorf("%+v sends %q, want %q", tt.key, got, tt.want)
		}
	}
}

// TestMouse has the values of xterm's control sequences, "Mouse Tracking".
func TestMouse(t *testing.T) {
	at := func(b tea.MouseButton, mod tea.KeyMod) tea.Mouse { return tea.Mouse{Button: b, Mod: mod} }
	click := func(b tea.MouseButton, mod tea.KeyMod) tea.MouseMsg { return tea.MouseClickMsg(at(b, mod)) }
	release := tea.MouseReleaseMsg(at(tea.MouseLeft, 0))
	drag, hover := tea.MouseMotionMsg(at(tea.MouseLeft, 0)), tea.MouseMotionMsg(at(tea.MouseNone, 0))
	wheel := tea.MouseWheelMsg(at(tea.MouseWheelDown, 0))
	for _, tt := range []struct {
		ask  string
		msg  tea.MouseMsg
		x, y int
		want string
	}{
		{"", click(tea.MouseLeft, 0), 0, 0, ""},
		{"9", click(tea.MouseRight, tea.ModCtrl), 0, 0, "\x1b[M\"!!"},
		{"9", release, 0, 0, ""},
		{"9", wheel, 0, 0, ""},
		{"1000", click(tea.MouseLeft, 0), 2, 1, "\x1b[M #\""},
		{"1000", click(tea.MouseLeft, tea.ModShift|tea.ModAlt|tea.ModCtrl), 0, 0, "\x1b[M<!!"},
		{"1000", release, 0, 0, "\x1b[M#!!"},
		{"1000", wheel, 0, 0, "\x1b[Ma!!"},
		{"1000", drag, 0, 0, ""},
		{"1002", drag, 0, 0, "\x1b[M@!!"},
		{"1002", hover, 0, 0, ""},
		{"1003", hover, 0, 0, "\x1b[MC!!"},
		{"1000;1006", click(tea.MouseMiddle, 0), 99, 20, "\x1b[<1;100;21M"},
		{"1000;1006", release, 99, 20, "\x1b[<0;100;21m"},
		{"1002;1006", drag, 4, 4, "\x1b[<32;5;5M"},
		{"1003;1006", hover, 4, 4, "\x1b[<35;5;5M"},
		{"1000;1006", click(tea.MouseBackward, 0), 0, 0, "\x1b[<128;1;1M"},
		{"1000;1015", click(tea.MouseLeft, 0), 299, 1, "\x1b[32;300;2M"},
		{"1000;1015", release, 0, 0, "\x1b[35;1;1M"},
		{"1000;1005", click(tea.MouseLeft, 0), 299, 1, "\x1b[M \u014c\""},
		{"1000", click(tea.MouseLeft, 0), 299, 1, ""},
		{"1000", click(tea.MouseLeft, 0), 222, 0, "\x1b[M \xff!"},
	} {
		m, p := start(Options{})
		m.SetSize(300, 40)
		if tt.ask != "" {
			say(m, "\x1b[?"+tt.ask+"h")
		}
		m.HandleMouse(tt.msg, tt.x, tt.y+1)
		if got := p.take(); got != tt.want {
			t.Errorf("%T %v at %d,%d in %q sends %q, want %q", tt.msg, tt.msg, tt.x, tt.y, tt.ask, got, tt.want)
		}
	}
}

func TestMouseOutsideIsNotTheProgram(t *testing.T) {
	m, p := start(Options{})
	say(m, "\x1b[?1000;1006h")
	m.HandleMouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 3, 0)
	m.HandleMouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 3, m.Height()-1)
	if got := p.take(); got != "" {
		t.Errorf("a click on the frame sends %q", got)
	}
	m.HandleMouse(tea.MouseReleaseMsg{Button: tea.MouseLeft}, 200, 100)
	if got := p.take(); got != "\x1b[<0;80;22m" {
		t.Errorf("a release outside sends %q", got)
	}
}
