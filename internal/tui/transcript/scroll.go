package transcript

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/render"
)

// ScrollBy moves the view by lines; positive is down. At the end it follows
// again what comes in.
func (m *Model) ScrollBy(lines int) {
	if len(m.items) == 0 {
		return
	}
	m.top = m.move(m.start(), lines)
	m.follow = !m.top.before(m.end())
	if m.follow {
		m.news = false
	}
}

// Page moves the view by pages.
func (m *Model) Page(n int) { m.ScrollBy(n * max(1, m.h-2)) }

// Top shows the beginning.
func (m *Model) Top() {
	m.top = place{}
	m.follow = len(m.items) == 0 || !m.top.before(m.end())
}

// Bottom shows the end and follows what comes in.
func (m *Model) Bottom() { m.follow, m.news = true, false }

// AtEnd says that the view follows what comes in.
func (m *Model) AtEnd() bool { return m.follow }

// Focused says that an item has the focus.
func (m *Model) Focused() bool { return m.focus >= 0 }

// Blur takes the focus away.
func (m *Model) Blur() { m.focus = -1 }

// Focus moves the focus by items; without one it begins at the last that is
// seen. It scrolls so that the item is seen.
func (m *Model) Focus(by int) {
	if len(m.items) == 0 {
		return
	}
	if m.focus < 0 {
		m.focus = m.lastSeen()
	} else {
		m.focus = max(0, min(m.focus+by, len(m.items)-1))
	}
	m.reveal(m.focus)
}

func (m *Model) lastSeen() int {
	p := m.start()
	rows := m.h + p.line
	i := p.item
	for ; i < len(m.items)-1; i++ {
		if rows -= m.height(i); rows <= 0 {
			break
		}
	}
	return min(i, len(m.items)-1)
}

// reveal scrolls as little as shows the beginning of an item.
func (m *Model) reveal(i int) {
	p := m.start()
	at := place{i, 0}
	if at.before(p) {
		m.top, m.follow = at, false
		return
	}
	last := m.move(p, max(0, m.h-1))
	if last.before(at) {
		want := min(m.height(i), m.h)
		m.top = m.move(at, want-m.h)
		m.follow = !m.top.before(m.end())
	}
}

// FocusPrompt moves the focus to the next message of the person in a direction,
// −1 or 1.
func (m *Model) FocusPrompt(by int) {
	i := m.focus
	if i < 0 {
		i = m.lastSeen() + 1
	}
	for i += by; i >= 0 && i < len(m.items); i += by {
		if m.items[i].kind == kindUser {
			m.focus = i
			m.reveal(i)
			return
		}
	}
}

// ToggleFocused shows the focused item the other way.
func (m *Model) ToggleFocused() { m.toggle(m.focus) }

func (m *Model) toggle(i int) {
	if i < 0 || i >= len(m.items) || !m.items[i].foldable() {
		return
	}
	at := m.start()
	m.items[i].turned = !m.items[i].turned
	if m.follow && i == len(m.items)-1 {
		return // the end stays in view
	}
	if at.item == i {
		at.line = min(at.line, max(0, m.height(i)-1))
	}
	m.top, m.follow = at, false
	m.ScrollBy(0)
}

// Click toggles the item at a row of the view. Of an item whose whole output is
// in an artifact it returns the number of that instead.
func (m *Model) Click(y int) (artifact int) {
	p := m.move(m.start(), y)
	if len(m.items) == 0 || y >= m.h {
		return 0
	}
	if id := m.items[p.item].artifact(); id != 0 {
		return id
	}
	m.toggle(p.item)
	return 0
}

// FocusedArtifact is the number of the artifact that has all of the focused
// item's output; 0 if the item has all of it itself.
func (m *Model) FocusedArtifact() int {
	if m.focus < 0 || m.focus >= len(m.items) {
		return 0
	}
	return m.items[m.focus].artifact()
}

// artifact is the number of what has all of a truncated output.
func (it *item) artifact() int {
	info := it.run.RunInfo
	if it.kind == kindTool && it.result != nil && it.result.Details != nil && it.result.Details.Run != nil {
		info = *it.result.Details.Run
	}
	if t := info.Meta.Truncation; t != nil {
		return t.ArtifactID
	}
	return 0
}

// ToggleExpanded shows all items whole, or folds them again.
func (m *Model) ToggleExpanded() {
	m.keepPlace(func() {
		m.expanded = !m.expanded
		for _, it := range m.items {
			it.turned = it.turned && it.kind == kindThinking
		}
	})
}

// ToggleThinking shows or folds all thinking.
func (m *Model) ToggleThinking() {
	m.keepPlace(func() {
		m.thinking = !m.thinking
		for _, it := range m.items {
			it.turned = it.turned && it.kind != kindThinking
		}
	})
}

// keepPlace changes heights without moving the item at the top of the view.
func (m *Model) keepPlace(change func()) {
	if len(m.items) == 0 || m.follow {
		change()
		return
	}
	at := m.start()
	change()
	at.line = min(at.line, max(0, m.height(at.item)-1))
	m.top = at
	m.ScrollBy(0)
}

// CopyFocused is the text of the focused item, or of the last answer without
// one.
func (m *Model) CopyFocused() string {
	i := m.focus
	for i < 0 {
		for k := len(m.items) - 1; k >= 0; k-- {
			if m.items[k].kind == kindAnswer {
				i = k
				break
			}
		}
		if i < 0 {
			return ""
		}
	}
	return m.items[i].plain()
}

// plain is what an item says, without what is only drawn.
func (it *item) plain() string {
	switch it.kind {
	case kindUser:
		return it.message.Text()
	case kindAnswer:
		return it.stream.Text()
	case kindTool:
		if it.result != nil {
			return it.result.Text()
		}
		return tailText(it)
	case kindBang:
		return "$ " + it.run.Command + "\n" + it.run.Output
	default:
		return it.text
	}
}

// Find focuses the next item that holds a text, from the focus on, in a
// direction, and shows it whole. Capitals count only if the text has some.
func (m *Model) Find(text string, by int) bool {
	if text == "" || len(m.items) == 0 {
		return false
	}
	fold := text == strings.ToLower(text)
	n := len(m.items)
	from := m.focus
	if from < 0 {
		from = n
		if by > 0 {
			from = -1
		}
	}
	for k := 1; k <= n; k++ {
		i := ((from+by*k)%n + n) % n
		s := m.items[i].plain()
		if m.items[i].kind == kindTool {
			s += "\n" + ansi.Strip(strings.Join(render.Tool(m.items[i].call, nil, render.Live{}, render.Options{Width: 1000, Theme: m.o.Theme}), "\n"))
		}
		if fold {
			s = strings.ToLower(s)
		}
		if strings.Contains(s, text) {
			m.focus = i
			if m.items[i].foldable() && m.expanded == m.items[i].turned {
				m.items[i].turned = !m.items[i].turned
			}
			m.reveal(i)
			return true
		}
	}
	return false
}

// Print is the whole conversation as it is drawn at a width, with everything
// expanded.
func (m *Model) Print(width int) string {
	var b strings.Builder
	for i, it := range m.items {
		if i > 0 {
			b.WriteByte('\n')
		}
		whole := *it // the drawing that is kept stays
		whole.drawn = nil
		o := render.Options{Width: width, Theme: m.o.Theme, Expanded: it.foldable(), ExpandKey: m.o.ExpandKey, CancelKey: m.o.CancelKey}
		for _, l := range whole.draw(o) {
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}
