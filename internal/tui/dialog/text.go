package dialog

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

// Text is a long text to read: the help, a list of facts.
type Text struct {
	frame
	keys  *keymap.Map
	title string
	make  func(width int) []string
	lines []string // styled
	made  int      // the width they were made for
	from  int      // first visible line
}

// TextOptions is what a Text needs. Keys and Theme are required.
type TextOptions struct {
	Keys  *keymap.Map
	Theme *theme.Theme
	Title string
	// Lines makes the styled lines for a width.
	Lines func(width int) []string
}

// NewText makes a text of no size.
func NewText(o TextOptions) *Text {
	return &Text{frame: frame{theme: o.Theme}, keys: o.Keys, title: o.Title, make: o.Lines, made: -1}
}

// SetTheme changes the colours; the lines are made again.
func (t *Text) SetTheme(look *theme.Theme) {
	t.frame.SetTheme(look)
	t.made = -1
	t.layout(t.width)
}

// Title is what stands above the text.
func (t *Text) Title() string { return t.title }

// Want is the height that shows all of it.
func (t *Text) Want(width int) int {
	t.layout(width)
	return len(t.lines) + 2
}

// SetSize sets the rectangle.
func (t *Text) SetSize(width, height int) {
	t.resize(width, height)
	t.layout(width)
	t.scroll(0)
}

func (t *Text) layout(width int) {
	if t.made != width {
		t.lines, t.made = t.make(max(1, width-2)), width
	}
}

func (t *Text) scroll(by int) {
	t.from = max(0, min(t.from+by, len(t.lines)-t.rows()))
}

// HandleKey scrolls and closes.
func (t *Text) HandleKey(k tea.KeyPressMsg) Action {
	key := k.String()
	is := func(a keymap.Action) bool { return t.keys.Is(key, a) }
	switch {
	case is(keymap.DialogCancel), is(keymap.DialogAccept), is(keymap.Leave):
		return Closed{}
	case is(keymap.PageUp):
		t.scroll(-max(1, t.rows()-1))
	case is(keymap.PageDown), k.Text == " ": // as in every pager
		t.scroll(max(1, t.rows()-1))
	case is(keymap.Top):
		t.from = 0
	case is(keymap.Bottom):
		t.scroll(len(t.lines))
	case is(keymap.DialogUp):
		t.scroll(-1)
	case is(keymap.DialogDown):
		t.scroll(1)
	}
	return nil
}

// HandlePaste does nothing: there is nothing to type.
func (t *Text) HandlePaste(string) {}

// HandleWheel scrolls.
func (t *Text) HandleWheel(rows int) { t.scroll(rows) }

// HandleClick does nothing.
func (t *Text) HandleClick(_, _ int) Action { return nil }

// Cursor is nowhere.
func (t *Text) Cursor() (x, y int, ok bool) { return 0, 0, false }

// View draws the part of the text that fits.
func (t *Text) View() string {
	seen := t.lines[min(t.from, len(t.lines)):min(len(t.lines), t.from+t.rows())]
	content := make([]string, 0, len(seen))
	for _, l := range seen {
		content = append(content, " "+l)
	}
	l := labels{title: t.title, style: t.theme.Title}
	pairs := []string{t.keys.Key(keymap.DialogCancel), "close"}
	if len(t.lines) > t.rows() {
		l.note = fmt.Sprintf("%d%%", 100*min(len(t.lines), t.from+t.rows())/len(t.lines))
		pairs = append([]string{t.keys.Key(keymap.DialogUp) + "/" + t.keys.Key(keymap.DialogDown), "scroll"}, pairs...)
	}
	l.hint = t.hint(pairs...)
	return t.draw(content, l)
}
