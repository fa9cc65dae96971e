package ptyoverlay

import (
	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// The bytes that the overlay keeps for itself.
const (
	escByte    = "\x1b"
	leaderByte = "\x1d" // Ctrl+]
)

// key decides what a key press means. The state is locked.
func (m *Model) key(k tea.Key) effect {
	switch {
	case m.ended:
		return m.endedKey(k)
	case m.leader:
		m.leader = false
		return m.leaderKey(k)
	}
	modes := m.screen.Modes()
	bytes := encode(k, modes)
	if string(bytes) == leaderByte {
		m.leader = true
		return effect{}
	}
	if m.scroll != nil {
		if m.scroll.key(m, k) || !m.scroll.byWheel {
			return effect{}
		}
		m.scroll = nil // typing returns from where the wheel went
	}
	if string(bytes) == escByte && m.escKills(modes) {
		return effect{kill: true}
	}
	return effect{send: bytes}
}

// escKills says whether Esc ends the program.
func (m *Model) escKills(modes vterm.Modes) bool {
	switch m.o.Esc {
	case EscKill:
		return true
	case EscForward:
		return false
	default:
		return !modes.Alt
	}
}

// leaderKey takes the key after Ctrl+]. One without a meaning does nothing.
func (m *Model) leaderKey(k tea.Key) effect {
	switch string(encode(k, vterm.Modes{})) {
	case "k":
		return effect{kill: true}
	case "f":
		m.full = !m.full
		return effect{resize: m.layout()}
	case "[":
		m.startScroll(false)
	case escByte:
		return effect{send: []byte(escByte)}
	case leaderByte:
		return effect{send: []byte(leaderByte)}
	}
	return effect{}
}

// endedKey takes the keys when there is no program any more to have them.
func (m *Model) endedKey(k tea.Key) effect {
	switch bytes := string(encode(k, vterm.Modes{})); {
	case bytes == escByte && m.scroll != nil:
		m.scroll = nil
	case bytes == "f":
		m.full = !m.full
		m.layout()
	case bytes == escByte, bytes == "\r", bytes == "q", bytes == "\x03", bytes == "\x04":
		return effect{action: Closed{}}
	default:
		if m.scroll == nil {
			m.startScroll(true)
		}
		m.scroll.key(m, k)
		m.scroll.leaveAtEnd(m)
	}
	return effect{}
}
