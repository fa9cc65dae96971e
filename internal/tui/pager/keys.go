package pager

import (
	"context"
	"math"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/keymap"
)

// HandleKey does what a key means. closed says that the person has seen enough.
func (m *Model) HandleKey(k tea.KeyPressMsg) (closed bool, cmd tea.Cmd) {
	key := k.String()
	is := func(a ...keymap.Action) bool {
		for _, x := range a {
			if m.o.Keys.Is(key, x) {
				return true
			}
		}
		return false
	}
	if m.typing {
		return false, m.typed(k, is)
	}
	m.note = ""
	page, side := int64(max(1, m.rows()-1)), max(1, m.w/2)
	switch {
	case m.searching != nil && is(keymap.Interrupt):
		m.searching()
		m.note = "Search stopped"
	case is(keymap.Leave, keymap.DialogCancel, keymap.ClearOrQuit):
		return true, nil
	case is(keymap.FocusPrev, keymap.ScrollUp, keymap.Up):
		m.scroll(-1)
	case is(keymap.FocusNext, keymap.ScrollDown, keymap.Down):
		m.scroll(1)
	case is(keymap.PageUp):
		m.scroll(-page)
	case is(keymap.PageDown), key == "space":
		m.scroll(page)
	case is(keymap.Top):
		m.scroll(-m.top)
	case is(keymap.Bottom):
		m.bottom()
	case is(keymap.Left):
		m.left -= side
		m.clamp()
	case is(keymap.Right):
		m.left += side
	case is(keymap.Search):
		m.typing, m.needle = true, ""
	case is(keymap.SearchNext):
		return false, m.search(true)
	case is(keymap.SearchPrev):
		return false, m.search(false)
	}
	return false, m.Load()
}

func (m *Model) bottom() {
	if m.total < 0 {
		m.atEnd = true
		return
	}
	m.scroll(m.total)
}

// typed takes a key while the text to look for is being typed.
func (m *Model) typed(k tea.KeyPressMsg, is func(...keymap.Action) bool) tea.Cmd {
	switch {
	case is(keymap.DialogAccept):
		m.typing = false
		return m.search(true)
	case is(keymap.DialogCancel):
		m.typing = false
	case is(keymap.DeleteBack):
		_, n := utf8.DecodeLastRuneInString(m.needle)
		m.needle = m.needle[:len(m.needle)-n]
	case is(keymap.KillToStart):
		m.needle = ""
	default:
		m.needle += k.Text
	}
	return nil
}

// search looks for the needle beyond the last hit, or from what is seen, and
// then from the other end.
func (m *Model) search(forward bool) tea.Cmd {
	if m.needle == "" || m.searching != nil {
		return nil
	}
	from := m.top
	if m.hit >= m.top && m.hit < m.top+int64(m.rows()) {
		from = m.hit
		if forward {
			from++
		}
	}
	ctx, cancel := context.WithCancel(m.ctx)
	m.searching = cancel
	needle := m.needle
	return func() tea.Msg {
		line, ok, err := m.o.Source.Search(ctx, needle, from, forward)
		if !ok && err == nil {
			other := int64(1)
			if !forward {
				other = math.MaxInt64
			}
			line, ok, err = m.o.Source.Search(ctx, needle, other, forward)
		}
		return foundMsg{m, line, ok, err}
	}
}
