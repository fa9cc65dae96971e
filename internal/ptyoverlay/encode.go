package ptyoverlay

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/vterm"
)

const csi = "\x1b["

// encode is what xterm sends for a key in these modes; nothing for a key that
// it sends nothing for.
func encode(k tea.Key, modes vterm.Modes) []byte {
	k.Mod &= tea.ModShift | tea.ModAlt | tea.ModCtrl | tea.ModMeta | tea.ModSuper | tea.ModHyper
	if k.Mod&(tea.ModSuper|tea.ModHyper) != 0 {
		return nil // the window system's keys
	}
	if k.Text != "" && k.Mod.Contains(tea.ModCtrl|tea.ModAlt) {
		return []byte(k.Text) // typed with AltGr, which some systems report so
	}
	if b, ok := functionKey(k, modes); ok {
		return b
	}
	if b, ok := keypadKey(&k, modes); ok {
		return b
	}
	b, ok := controlKey(k, modes)
	if !ok {
		b = textKey(k)
	}
	if len(b) > 0 && k.Mod&(tea.ModAlt|tea.ModMeta) != 0 {
		return append([]byte{0x1b}, b...)
	}
	return b
}

// modifiers is the number by which xterm names a set of modifiers: one more
// than the sum of shift 1, alt 2, ctrl 4 and meta 8.
func modifiers(mod tea.KeyMod) int {
	n := 1
	for i, m := range []tea.KeyMod{tea.ModShift, tea.ModAlt, tea.ModCtrl, tea.ModMeta} {
		if mod.Contains(m) {
			n += 1 << i
		}
	}
	return n
}

// functionKey encodes the keys that send a sequence: cursor, editing and
// function keys.
func functionKey(k tea.Key, modes vterm.Modes) ([]byte, bool) {
	code, mod := plainCode(k.Code), modifiers(k.Mod)
	if final, ok := cursorFinal(code); ok {
		return withFinal(final, mod, modes.AppCursor), true
	}
	if code >= tea.KeyF13 && code <= tea.KeyF63 { // F13 is Shift+F1, F25 Ctrl+F1, …
		const row = 12
		level := int(code-tea.KeyF1) / row
		mod = []int{1, 2, 5, 6, 3, 4}[level]
		code = tea.KeyF1 + (code-tea.KeyF1)%row
	}
	if code >= tea.KeyF1 && code <= tea.KeyF4 {
		return withFinal('P'+byte(code-tea.KeyF1), mod, true), true
	}
	if n := tilde(code); n > 0 {
		b := strconv.AppendInt([]byte(csi), int64(n), 10)
		if mod > 1 {
			b = append(b, ';')
			b = strconv.AppendInt(b, int64(mod), 10)
		}
		return append(b, '~'), true
	}
	return nil, false
}

// withFinal is "CSI A", "CSI 1 ; modifiers A", or "SS3 A" for an application.
func withFinal(final byte, mod int, application bool) []byte {
	switch {
	case mod > 1:
		b := strconv.AppendInt([]byte(csi+"1;"), int64(mod), 10)
		return append(b, final)
	case application:
		return []byte{0x1b, 'O', final}
	default:
		return []byte{0x1b, '[', final}
	}
}

// plainCode is the key that the keypad's has in common with another one.
func plainCode(code rune) rune {
	switch code {
	case tea.KeyKpUp:
		return tea.KeyUp
	case tea.KeyKpDown:
		return tea.KeyDown
	case tea.KeyKpLeft:
		return tea.KeyLeft
	case tea.KeyKpRight:
		return tea.KeyRight
	case tea.KeyKpBegin:
		return tea.KeyBegin
	case tea.KeyKpHome:
		return tea.KeyHome
	case tea.KeyKpEnd:
		return tea.KeyEnd
	case tea.KeyKpPgUp:
		return tea.KeyPgUp
	case tea.KeyKpPgDown:
		return tea.KeyPgDown
	case tea.KeyKpInsert:
		return tea.KeyInsert
	case tea.KeyKpDelete:
		return tea.KeyDelete
	default:
		return code
	}
}

func cursorFinal(code rune) (byte, bool) {
	switch code {
	case tea.KeyUp:
		return 'A', true
	case tea.KeyDown:
		return 'B', true
	case tea.KeyRight:
		return 'C', true
	case tea.KeyLeft:
		return 'D', true
	case tea.KeyBegin:
		return 'E', true
	case tea.KeyEnd:
		return 'F', true
	case tea.KeyHome:
		return 'H', true
	default:
		return 0, false
	}
}

// tilde is the number in "CSI n ~", 0 for a key that has none.
func tilde(code rune) int {
	switch code {
	case tea.KeyFind:
		return 1
	case tea.KeyInsert:
		return 2
	case tea.KeyDelete:
		return 3
	case tea.KeySelect:
		return 4
	case tea.KeyPgUp:
		return 5
	case tea.KeyPgDown:
		return 6
	case tea.KeyMenu:
		return 29
	}
	if code >= tea.KeyF5 && code <= tea.KeyF12 {
		return []int{15, 17, 18, 19, 20, 21, 23, 24}[code-tea.KeyF5]
	}
	return 0
}

// keypadKey encodes the numeric keypad for an application that asked for it,
// and makes its keys plain ones otherwise. With NumLock the digits are digits.
func keypadKey(k *tea.Key, modes vterm.Modes) ([]byte, bool) {
	const (
		plain       = "\r=*+,-./0123456789"
		application = "MXjklmnopqrstuvwxy"
	)
	i := int(k.Code - tea.KeyKpEnter)
	if k.Code == tea.KeyKpSep {
		i = int(tea.KeyKpComma - tea.KeyKpEnter)
	}
	if i < 0 || i >= len(plain) {
		return nil, false
	}
	if modes.AppKeypad && k.Text == "" && k.Mod == 0 {
		return []byte{0x1b, 'O', application[i]}, true
	}
	k.Code = rune(plain[i])
	if k.Text == "" && k.Code >= ' ' && k.Mod&^tea.ModShift == 0 {
		k.Text = plain[i : i+1]
	}
	return nil, false
}

// controlKey encodes the keys that send one control character.
func controlKey(k tea.Key, modes vterm.Modes) ([]byte, bool) {
	ctrl := k.Mod.Contains(tea.ModCtrl)
	switch k.Code {
	case tea.KeyEnter:
		if modes.NewLine {
			return []byte("\r\n"), true
		}
		return []byte{'\r'}, true
	case tea.KeyTab:
		if k.Mod.Contains(tea.ModShift) {
			return []byte(csi + "Z"), true
		}
		return []byte{'\t'}, true
	case tea.KeyBackspace:
		if ctrl {
			return []byte{'\b'}, true
		}
		return []byte{0x7f}, true
	case tea.KeyEscape:
		return []byte{0x1b}, true
	}
	if ctrl {
		if c, ok := control(latin(k)); ok {
			return []byte{c}, true
		}
	}
	return nil, false
}

// control is the control character that Ctrl makes of a character.
func control(r rune) (byte, bool) {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '[' && r <= '_':
		return byte(r & 0x1f), true
	case r == ' ' || r == '@' || r == '2' || r == '`':
		return 0, true
	case r >= '3' && r <= '7': // as if they were [ \ ] ^ _
		return byte(r-'3') + 0x1b, true
	case r == '/' || r == '-':
		return 0x1f, true
	case r == '8' || r == '?':
		return 0x7f, true
	case r == '~':
		return 0x1e, true
	default:
		return 0, false
	}
}

// latin is the key's character; that of the same key on a Latin keyboard, where
// the person's has another script.
func latin(k tea.Key) rune {
	if k.Code >= utf8.RuneSelf && k.BaseCode != 0 {
		return k.BaseCode
	}
	return shifted(k)
}

// shifted is the character that the key types with Shift as it is held.
func shifted(k tea.Key) rune {
	switch {
	case !k.Mod.Contains(tea.ModShift):
		return k.Code
	case k.ShiftedCode != 0:
		return k.ShiftedCode
	default:
		return unicode.ToUpper(k.Code)
	}
}

// textKey is the text that a key types.
func textKey(k tea.Key) []byte {
	if k.Text != "" {
		return []byte(k.Text)
	}
	if r := shifted(k); r >= ' ' && r < tea.KeyExtended && utf8.ValidRune(r) {
		return utf8.AppendRune(nil, r)
	}
	return nil
}
