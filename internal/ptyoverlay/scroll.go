package ptyoverlay

import tea "charm.land/bubbletea/v2"

// scroll is a look at what has left the screen: the number of the line on top.
// It stays on that line while more is printed.
type scroll struct {
	top     int
	byWheel bool // typing returns from it
}

func (m *Model) startScroll(byWheel bool) {
	if m.scroll != nil {
		m.scroll.byWheel = m.scroll.byWheel && byWheel
		return
	}
	_, end := m.screen.Extent()
	m.scroll = &scroll{top: end, byWheel: byWheel}
	m.scroll.clamp(m)
}

// bounds are the lowest and the highest line that may be on top.
func (s *scroll) bounds(m *Model) (first, last int) {
	first, end := m.screen.Extent()
	return first, max(first, end-m.rows)
}

func (s *scroll) clamp(m *Model) {
	if s == nil {
		return
	}
	first, last := s.bounds(m)
	s.top = min(max(s.top, first), last)
}

func (s *scroll) by(m *Model, lines int) {
	s.top += lines
	s.clamp(m)
}

// leaveAtEnd returns to the live screen if that is what shows.
func (s *scroll) leaveAtEnd(m *Model) {
	if _, last := s.bounds(m); s.top >= last && m.scroll != nil {
		m.scroll = nil
	}
}

// key takes a key and says whether it was one of scrolling.
func (s *scroll) key(m *Model, k tea.Key) bool {
	page := max(1, m.rows-1)
	first, last := s.bounds(m)
	switch k.Keystroke() {
	case "up", "k":
		s.by(m, -1)
	case "down", "j":
		s.by(m, 1)
	case "pgup", "b", "ctrl+b":
		s.by(m, -page)
	case "pgdown", "space", "ctrl+f":
		s.by(m, page)
	case "home", "g":
		s.top = first
	case "end", "shift+g":
		s.top = last
	case "q", "esc", "ctrl+c":
		m.scroll = nil
	default:
		return false
	}
	return true
}
