package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

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
		content = append(content, " "+in.theme.Dim.Render(in.fit(l, in.width-2)))
	}
	text, _ := in.field.view(in.width-2, in.mask)
	content = append(content, in.theme.Key.Render(in.sign(true))+in.theme.Text.Render(text))
	return in.draw(content, labels{
		title: in.title, style: in.theme.Title,
		hint: in.hint(in.keys.Key(keymap.DialogAccept), "accept", in.keys.Key(keymap.DialogCancel), "close"),
	})
}
