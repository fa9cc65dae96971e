package transcript

import (
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/render"
	"github.com/seed7484d81d/agent/internal/theme"
)

// Options is what a transcript needs. Theme is required.
type Options struct {
	Theme *theme.Theme
	Now   func() time.Time // nil: time.Now
	// ExpandKey and CancelKey are named in hints.
	ExpandKey, CancelKey string
}

// Model is the transcript. It belongs to the goroutine of the user interface.
type Model struct {
	o      Options
	w, h   int
	items  []*item
	byCall map[string]*item
	byRun  map[string]*item
	open   []*item // of the answer that comes in

	follow bool // the view is at the end
	top    place
	news   bool // something came in below the view
	focus  int  // index of an item, −1 for none

	expanded bool // all items that can be
	thinking bool // thinking is shown whole
	below    bool // a program has the keys
}

// place is a line of an item. Line 0 is the space above it.
type place struct{ item, line int }

// New makes an empty transcript of no size.
func New(o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Model{o: o, byCall: map[string]*item{}, byRun: map[string]*item{}, follow: true, focus: -1}
}

// SetSize sets the rectangle. What is seen at the top stays there.
func (m *Model) SetSize(w, h int) { m.w, m.h = max(0, w), max(0, h) }

// SetTheme changes the colours.
func (m *Model) SetTheme(t *theme.Theme) { m.o.Theme = t }

// SetBelow says whether a program with a terminal of its own has the keys.
func (m *Model) SetBelow(on bool) { m.below = on }

// Empty says that there is nothing to show.
func (m *Model) Empty() bool { return len(m.items) == 0 }

// lines draws an item, with an empty line above it unless it is the first.
func (m *Model) lines(i int) []string {
	it := m.items[i]
	expanded := m.expanded != it.turned
	if it.kind == kindThinking {
		expanded = m.thinking != it.turned
	}
	o := render.Options{
		Width: m.w, Theme: m.o.Theme, Expanded: expanded && it.foldable(), Focused: i == m.focus,
		ExpandKey: m.o.ExpandKey, CancelKey: m.o.CancelKey, Below: m.below,
	}
	if it.moves() {
		o.Now = m.o.Now()
	}
	return it.draw(o)
}

// height is how many lines an item takes with the space above it.
func (m *Model) height(i int) int {
	n := len(m.lines(i))
	if n == 0 || i == 0 {
		return n
	}
	return n + 1
}

// line is one line of an item, counted with the space above it.
func (m *Model) line(i, n int) string {
	if i > 0 {
		if n--; n < 0 {
			return ""
		}
	}
	if l := m.lines(i); n < len(l) {
		return l[n]
	}
	return ""
}

// end is the place at which the view begins if it ends with the last line.
func (m *Model) end() place {
	room := m.h
	for i := len(m.items) - 1; i >= 0; i-- {
		h := m.height(i)
		if h >= room {
			return place{i, h - room}
		}
		room -= h
	}
	return place{}
}

// move goes down by n lines from a place, or up, and stops at the ends.
func (m *Model) move(p place, n int) place {
	p.line += n
	for p.line < 0 && p.item > 0 {
		p.item--
		p.line += m.height(p.item)
	}
	if p.line < 0 {
		return place{}
	}
	for p.item < len(m.items)-1 && p.line >= m.height(p.item) {
		p.line -= m.height(p.item)
		p.item++
	}
	return p
}

func (p place) before(q place) bool { return p.item < q.item || p.item == q.item && p.line < q.line }

// start is the place at which the view begins.
func (m *Model) start() place {
	end := m.end()
	if m.follow || !m.top.before(end) {
		return end
	}
	return m.top
}

// View draws exactly the rectangle: the end of the conversation at the bottom,
// or wherever the person scrolled to.
func (m *Model) View() string {
	if m.h == 0 {
		return ""
	}
	out := make([]string, 0, m.h)
	if len(m.items) > 0 {
		p := m.start()
		for i, n := p.item, p.line; i < len(m.items) && len(out) < m.h; i, n = i+1, 0 {
			for h := m.height(i); n < h && len(out) < m.h; n++ {
				out = append(out, m.line(i, n))
			}
		}
	}
	for len(out) < m.h {
		out = append(out, "")
	}
	if mark := m.mark(); mark != "" {
		out[len(out)-1] = mark
	}
	return strings.Join(out, "\n")
}

// mark says that there is more below the view.
func (m *Model) mark() string {
	if m.follow || !m.top.before(m.end()) || m.w < 8 {
		return ""
	}
	text, style := "↓ more below (end)", m.o.Theme.Dim
	if m.news {
		text, style = "↓ new below (end)", m.o.Theme.Accent
	}
	if m.o.Theme.Plain {
		text = strings.Replace(text, "↓ ", "", 1)
	}
	text = ansi.Truncate(text, m.w, "")
	return style.Render(strings.Repeat(" ", max(0, m.w-ansi.StringWidth(text))) + text)
}

func focusLine(line string, o render.Options) string {
	text := ansi.Strip(line)
	return o.Theme.Selection.Render(text + strings.Repeat(" ", max(0, o.Width-ansi.StringWidth(text))))
}

// Live says that something on the screen moves by itself.
func (m *Model) Live() bool {
	for i := len(m.items) - 1; i >= 0; i-- {
		if m.items[i].moves() {
			return true
		}
		if m.items[i].kind == kindUser && len(m.items)-i > lookBack {
			break
		}
	}
	return false
}

// lookBack bounds the search for what moves: a command that runs is among the
// last items.
const lookBack = 200

// Tick moves what moves.
func (m *Model) Tick() {
	for i := max(0, len(m.items)-lookBack); i < len(m.items); i++ {
		if it := m.items[i]; it.moves() {
			it.live.Spinner++
			it.changed()
		}
	}
}
