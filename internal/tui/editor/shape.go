package editor

// framed is the smallest height at which there is a rule above and below the
// text.
const framed = 3

// maxPopup is how many completions are shown at a time, and minPopup how many
// a long text makes room for.
const (
	maxPopup = 8
	minPopup = 5
)

// shape is how the height is shared out.
type shape struct {
	popup int // rows of completions
	text  int // rows of text
	rules bool
}

func (s shape) height() int {
	if s.rules {
		return s.popup + s.text + 2
	}
	return s.popup + s.text
}

// shape gives the text what it needs and the completions what is left, but
// takes rows from a long text so that the list is of use.
func (m *Model) shape() shape {
	if m.limit == 0 {
		return shape{}
	}
	s := shape{rules: m.limit >= framed}
	room := m.limit
	if s.rules {
		room -= 2
	}
	s.text = m.text.height(room)
	if want := min(len(m.popup.shown), maxPopup); want > 0 {
		s.text = max(1, min(s.text, room-min(want, minPopup)))
		s.popup = min(want, room-s.text)
	}
	return s
}

// Height is how many lines View has, at most what SetSize allowed.
func (m *Model) Height() int { return m.shape().height() }

// settle scrolls so that the cursor is seen and no row is wasted. It looks at
// no more rows than are shown.
func (m *Model) settle() {
	rows := m.shape().text
	if rows == 0 {
		return
	}
	here := m.text.rowOf(m.cursor)
	switch {
	case !m.known(m.top) || !here.less(m.top) && !m.within(m.top, here, rows):
		m.top = m.upFrom(here, rows-1) // the cursor is on the last row
	case here.less(m.top):
		m.top = here
	}
	if unused := rows - m.rowsFrom(m.top, rows); unused > 0 {
		m.top = m.upFrom(m.top, unused)
	}
}

func (r row) less(o row) bool { return r.line < o.line || r.line == o.line && r.n < o.n }

func (m *Model) known(r row) bool {
	if r.line >= len(m.text.lines) {
		return false
	}
	_, ok := m.text.rowStart(r.line, r.n)
	return ok
}

// within says that r is among the rows shown from top on.
func (m *Model) within(top, r row, rows int) bool {
	for ok := true; ok && rows > 0; rows-- {
		if top == r {
			return true
		}
		top, ok = m.text.below(top)
	}
	return false
}

// rowsFrom counts the rows from r on, up to limit.
func (m *Model) rowsFrom(r row, limit int) int {
	n := 1
	for ; n < limit; n++ {
		next, ok := m.text.below(r)
		if !ok {
			break
		}
		r = next
	}
	return n
}

func (m *Model) upFrom(r row, n int) row {
	for range n {
		prev, ok := m.text.above(r)
		if !ok {
			break
		}
		r = prev
	}
	return r
}
