package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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

// Input is one line to type, such as a name or a key.
type Input struct {
	frame
	keys  *keymap.Map
	title string
	about []string
	mask  string
	field field
}

// InputOptions is what an Input needs. Keys and Theme are required.
type InputOptions struct {
	Keys  *keymap.Map
	Theme *theme.Theme
	Title string
	About string // says what to type, in a few lines
	Value string // what stands there at first
	// Secret shows a star for every character.
	Secret bool
}

// NewInput makes an input of no size.
func NewInput(o InputOptions) *Input {
	in := &Input{frame: frame{theme: o.Theme}, keys: o.Keys, title: o.Title}
	if o.About != "" {
		in.about = strings.Split(o.About, "\n")
	}
	if o.Secret {
		in.mask = "*"
	}
	in.field.insert(o.Value)
	return in
}

// Title is what stands above the line.
func (in *Input) Title() string { return in.title }

// Want is the height that shows all of it.
func (in *Input) Want(int) int { return len(in.about) + 3 }

// SetSize sets the rectangle.
func (in *Input) SetSize(width, height int) { in.resize(width, height) }

// HandleKey types, accepts and closes.
func (in *Input) HandleKey(k tea.KeyPressMsg) Action {
	key := k.String()
	switch {
	case in.keys.Is(key, keymap.DialogAccept):
		if in.field.empty() {
			return Closed{}
		}
		return Entered{in.field.text()}
	case in.keys.Is(key, keymap.DialogCancel):
		return Closed{}
	}
	in.field.handleKey(in.keys, k)
	return nil
}

// HandlePaste types text.
func (in *Input) HandlePaste(s string) { in.field.insert(strings.TrimSpace(s)) }

// HandleWheel does nothing.
func (in *Input) HandleWheel(int) {}

// HandleClick does nothing.
func (in *Input) HandleClick(_, _ int) Action { return nil }

// line is the row of the field, from the top of the content.
func (in *Input) line() int { return min(len(in.about), max(0, in.rows()-1)) }

// Cursor stands in the line.
func (in *Input) Cursor() (x, y int, ok bool) {
	if in.rows() < 1 || in.width < 4 {
		return 0, 0, false
	}
	_, x = in.field.view(in.width-2, in.mask)
	return x + 2, in.first() + in.line(), true
}

// View draws the explanation and the line.
func (in *Input) View() string {
	content := make([]string, 0, in.line()+1)
	for _, l := range in.about[:in.line()] {
		content = append(content, " "+in.theme.Dim.Render(ansi.Truncate(l, max(0, in.width-2), in.theme.Glyphs.Ellipsis)))
	}
	text, _ := in.field.view(in.width-2, in.mask)
	content = append(content, in.theme.Key.Render(in.sign(true))+in.theme.Text.Render(text))
	return in.draw(content, labels{
		title: in.title, style: in.theme.Title,
		hint: in.hint(in.keys.Key(keymap.DialogAccept), "accept", in.keys.Key(keymap.DialogCancel), "close"),
	})
}
