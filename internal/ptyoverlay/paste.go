package ptyoverlay

import "strings"

// HandlePaste gives pasted text to the program, bracketed if it asked for that.
func (m *Model) HandlePaste(text string) {
	m.mu.Lock()
	m.note, m.leader = "", false
	ended := m.ended
	if m.scroll != nil && m.scroll.byWheel {
		m.scroll = nil
	}
	m.mu.Unlock()
	m.touch()
	if ended || text == "" {
		return
	}
	m.send(pasted(text, m.screen.Modes().Paste))
}

// pasted is a text as a terminal types it: lines end as with Enter, and there
// is no control character in it, which could end the bracket or be a command.
func pasted(text string, bracketed bool) []byte {
	text = strings.ReplaceAll(text, "\r\n", "\r")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return '\r'
		case r == '\t' || r == '\r':
			return r
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return -1
		default:
			return r
		}
	}, text)
	if bracketed {
		text = csi + "200~" + text + csi + "201~"
	}
	return []byte(text)
}

// HandleFocus tells the program that the window got or lost the focus, if it
// asked for that.
func (m *Model) HandleFocus(focused bool) {
	if !m.screen.Modes().Focus {
		return
	}
	if focused {
		m.send([]byte(csi + "I"))
	} else {
		m.send([]byte(csi + "O"))
	}
}
