package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"

	"github.com/seed7484d81d/agent/internal/fuzzy"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
)

// Item is one thing to pick.
type Item[T any] struct {
	Value T
	// Title names it. What is typed is matched against Title and Description.
	Title string
	// Description follows the title, dim.
	Description string
	// Right stands at the right edge: a date, a price.
	Right string
	// Current marks the one that is in use.
	Current bool
}

// PickerOptions is what a Picker needs. Keys and Theme are required.
type PickerOptions[T any] struct {
	Keys  *keymap.Map
	Theme *theme.Theme
	Title string
	Items []Item[T]
	// Empty is shown while there are no items: "reading the sessions…".
	Empty string
	// Verb is what Enter does with an item: "switch". Empty means "choose".
	Verb string
}

// Picker is a list that is filtered by what is typed. It starts on the current
// item.
type Picker[T any] struct {
	frame
	keys     *keymap.Map
	title    string
	empty    string
	verb     string
	items    []Item[T]
	filter   field
	shown    []fuzzy.Match
	selected int // in shown
	from     int // first one on the screen
}

// NewPicker makes a picker of no size.
func NewPicker[T any](o PickerOptions[T]) *Picker[T] {
	p := &Picker[T]{keys: o.Keys, title: o.Title, empty: o.Empty, verb: o.Verb}
	p.theme = o.Theme
	if p.verb == "" {
		p.verb = "choose"
	}
	p.SetItems(o.Items)
	return p
}

// Title is what stands above the list.
func (p *Picker[T]) Title() string { return p.title }

// SetItems replaces the items, for a list that is still being read. What was
// typed stays, and so does the choice if the item is still there.
func (p *Picker[T]) SetItems(items []Item[T]) {
	name := func(it Item[T]) [3]string { return [3]string{it.Title, it.Description, it.Right} }
	var chosen [3]string
	had := len(p.items) > 0
	if len(p.shown) > 0 {
		chosen = name(p.items[p.shown[p.selected].Index])
	}
	p.items = make([]Item[T], len(items))
	for i, it := range items {
		it.Title, it.Description = sanitize.OneLine(it.Title), sanitize.OneLine(it.Description)
		it.Right = sanitize.OneLine(it.Right)
		p.items[i] = it
	}
	p.refilter()
	for i, s := range p.shown {
		it := p.items[s.Index]
		if had && name(it) == chosen || !had && it.Current {
			p.selected = i
			break
		}
	}
	p.scroll()
}

// refilter ranks the items anew and chooses the best.
func (p *Picker[T]) refilter() {
	text := func(i int) string { return p.items[i].Title + "  " + p.items[i].Description }
	p.shown = fuzzy.Rank(p.filter.text(), len(p.items), text, 0)
	p.selected, p.from = 0, 0
}

// Want is the height that shows all items.
func (p *Picker[T]) Want(int) int { return 3 + max(1, len(p.items)) }

// SetSize sets the rectangle.
func (p *Picker[T]) SetSize(width, height int) {
	p.resize(width, height)
	p.scroll()
}

// list is how many items fit; the filter has a row of its own above them.
func (p *Picker[T]) list() int { return max(0, p.rows()-p.head()) }

func (p *Picker[T]) head() int {
	if p.rows() < 2 {
		return 0
	}
	return 1
}

func (p *Picker[T]) scroll() {
	p.from = window(p.from, p.selected, len(p.shown), max(1, p.list()))
}

// HandleKey moves, filters and chooses. With a filter typed, closing takes back
// the filter first.
func (p *Picker[T]) HandleKey(k tea.KeyPressMsg) Action {
	key := k.String()
	is := func(a keymap.Action) bool { return p.keys.Is(key, a) }
	switch {
	case is(keymap.DialogUp):
		p.step(-1)
	case is(keymap.DialogDown):
		p.step(1)
	case is(keymap.PageUp):
		p.moveBy(-max(1, p.list()))
	case is(keymap.PageDown):
		p.moveBy(max(1, p.list()))
	case is(keymap.DialogAccept):
		return p.pick(p.selected)
	case is(keymap.DialogCancel):
		if p.filter.empty() {
			return Closed{}
		}
		p.filter = field{}
		p.refilter()
	default:
		if before := p.filter.text(); p.filter.handleKey(p.keys, k) && p.filter.text() != before {
			p.refilter()
		}
	}
	p.scroll()
	return nil
}

// step goes to the neighbour, around the ends.
func (p *Picker[T]) step(by int) {
	if n := len(p.shown); n > 0 {
		p.selected = (p.selected + by + n) % n
	}
}

// moveBy goes by many rows, and stops at the ends.
func (p *Picker[T]) moveBy(rows int) {
	p.selected = max(0, min(p.selected+rows, len(p.shown)-1))
}

func (p *Picker[T]) pick(i int) Action {
	if i < 0 || i >= len(p.shown) {
		return nil
	}
	return Picked[T]{p.items[p.shown[i].Index].Value}
}

// HandlePaste types text into the filter.
func (p *Picker[T]) HandlePaste(s string) {
	p.filter.insert(s)
	p.refilter()
	p.scroll()
}

// HandleWheel moves the choice.
func (p *Picker[T]) HandleWheel(rows int) {
	p.moveBy(rows)
	p.scroll()
}

// HandleClick picks the item under the mouse.
func (p *Picker[T]) HandleClick(_, y int) Action {
	i := y - p.first() - p.head()
	if i < 0 || i >= p.list() {
		return nil
	}
	return p.pick(p.from + i)
}

// View draws the list.
func (p *Picker[T]) View() string {
	var content []string
	remark := func(s string) {
		content = append(content, p.theme.Placeholder.Render(p.sign(false)+p.fit(s, p.width-2)))
	}
	if p.head() > 0 {
		if p.filter.empty() {
			remark("type to filter")
		} else {
			text, _ := p.filter.view(p.width-2, "")
			content = append(content, p.sign(false)+p.theme.Text.Render(text))
		}
	}
	switch {
	case len(p.items) == 0:
		remark(p.empty)
	case len(p.shown) == 0:
		remark("nothing matches")
	}
	for i := p.from; i < min(len(p.shown), p.from+p.list()); i++ {
		content = append(content, p.row(i))
	}
	l := labels{title: p.title, style: p.theme.Title}
	if len(p.shown) > p.list() {
		l.note = fmt.Sprintf("%d of %d", p.selected+1, len(p.shown))
	}
	l.hint = p.hint(p.keys.Key(keymap.DialogAccept), p.verb, p.keys.Key(keymap.DialogCancel), "close")
	return p.draw(content, l)
}

// row draws one item: sign, title, mark, description, and what stands at the
// right. What does not fit is left out, from the right.
func (p *Picker[T]) row(i int) string {
	match, chosen := p.shown[i], i == p.selected
	it := p.items[match.Index]
	mark := ""
	if it.Current {
		mark = " " + p.theme.Glyphs.Checked
	}
	room := p.width - 2 - displaywidth.String(mark)
	right := ""
	if w := displaywidth.String(it.Right) + 2; it.Right != "" && w < room/2 {
		right = it.Right
		room -= w
	}
	title, desc := p.fit(it.Title, room), ""
	room -= displaywidth.String(title)
	if it.Description != "" && room >= 8 {
		desc = "  " + p.fit(it.Description, room-2)
		room -= displaywidth.String(desc)
	}
	if right != "" {
		right = strings.Repeat(" ", max(0, room)+2) + right
	}
	if chosen {
		return p.bar(p.sign(true) + title + mark + desc + right)
	}
	return p.sign(false) + highlight(title, match.At, 0, p.theme.Text, p.theme.Key) + p.theme.Success.Render(mark) +
		highlight(desc, match.At, len(it.Title), p.theme.Dim, p.theme.Key) + p.theme.Dim.Render(right)
}

// highlight draws text with the clusters at some offsets in another style. The
// offsets count from shift before the text.
func highlight(s string, at []int, shift int, style, match theme.Style) string {
	if len(at) == 0 {
		return style.Render(s)
	}
	var b strings.Builder
	from, i := 0, 0
	for _, c := range clusters(s) {
		end := i + len(c)
		if hits(at, i+shift, end+shift) {
			b.WriteString(style.Render(s[from:i]) + match.Render(c))
			from = end
		}
		i = end
	}
	return b.String() + style.Render(s[from:])
}

func hits(at []int, from, to int) bool {
	for _, i := range at {
		if i >= from && i < to {
			return true
		}
	}
	return false
}

// Cursor stands in the filter.
func (p *Picker[T]) Cursor() (x, y int, ok bool) {
	if p.head() == 0 || p.width < 4 {
		return 0, 0, false
	}
	_, x = p.filter.view(p.width-2, "")
	return x + 2, p.first(), true
}
