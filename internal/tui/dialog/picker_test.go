package dialog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

func greek() []Item[string] {
	return []Item[string]{{Value: "a", Title: "alpha"}, {Value: "b", Title: "beta", Current: true}, {Value: "g", Title: "gamma", Description: "the third"}}
}

func newPicker[T any](items []Item[T]) *Picker[T] {
	p := NewPicker(PickerOptions[T]{Keys: keymap.Default(), Theme: theme.Dark(), Title: "Pick", Items: items})
	p.SetSize(40, 10)
	return p
}

func TestPicking(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys string
		want Action
	}{
		{"it starts on the current one", "enter", Picked[string]{"b"}},
		{"up", "up enter", Picked[string]{"a"}},
		{"around the end", "down down enter", Picked[string]{"a"}},
		{"around the start", "up up enter", Picked[string]{"g"}},
		{"as in the prompt", "ctrl+p enter", Picked[string]{"a"}},
		{"by letters", "g a enter", Picked[string]{"g"}},
		{"by the description", "t h i r d enter", Picked[string]{"g"}},
		{"letters taken back", "g a backspace backspace enter", Picked[string]{"a"}},
		{"nothing matches", "z z z enter", nil},
		{"close", "esc", Closed{}},
		{"the filter goes first", "g esc", nil},
		{"and then the list", "g esc esc", Closed{}},
		{"a page stops at the end", "pgdown pgdown enter", Picked[string]{"g"}},
	} {
		p := newPicker(greek())
		if got := press(p, strings.Fields(tt.keys)...); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestThePickedOneIsAlwaysSeen(t *testing.T) {
	items := make([]Item[int], 100)
	for i := range items {
		items[i] = Item[int]{Value: i, Title: fmt.Sprintf("item-%d.", i)}
	}
	p := newPicker(items)
	for _, k := range []string{"down", "pgdown", "pgdown", "up", "up", "pgup", "pgdown", "down", "pgdown", "pgdown", "up"} {
		press(p, k)
		if want := fmt.Sprintf("› item-%d.", p.selected); !strings.Contains(screen(p), want) {
			t.Errorf("after %s no %q in\n%s", k, want, screen(p))
		}
	}
	p.HandleWheel(1000)
	if got := press(p, "enter"); got != (Picked[int]{99}) {
		t.Errorf("%v", got)
	}
}

func TestAClickPicks(t *testing.T) {
	p := newPicker(greek())
	for y, want := range map[int]Action{0: nil, 1: nil, 2: Picked[string]{"a"}, 4: Picked[string]{"g"}, 5: nil, 9: nil, -3: nil} {
		if got := p.HandleClick(3, y); got != want {
			t.Errorf("row %d: %v, want %v", y, got, want)
		}
	}
}

// TestItemsThatComeLaterKeepTheChoice is a list that is read while it is shown.
func TestItemsThatComeLaterKeepTheChoice(t *testing.T) {
	p := newPicker[string](nil)
	if act := press(p, "enter"); act != nil {
		t.Errorf("%v", act)
	}
	p.SetItems(greek())
	press(p, "down") // gamma
	p.SetItems(append([]Item[string]{{Value: "z", Title: "zero"}, {Value: "g2", Title: "gamma", Description: "another"}}, greek()...))
	if got := press(p, "enter"); got != (Picked[string]{"g"}) {
		t.Errorf("%v", got)
	}
	p = newPicker(greek())
	typeIn(p, "alp")
	p.SetItems(greek()[1:])
	if got := press(p, "enter"); got != nil || !strings.Contains(screen(p), "nothing matches") {
		t.Errorf("%v\n%s", got, screen(p))
	}
}

func TestNamesCannotBreakTheList(t *testing.T) {
	p := newPicker([]Item[int]{{Title: "one\ntwo\x1b[2J\u202e\tend", Description: "a\r\nb", Right: "\x07now"}})
	s := p.View()
	if strings.ContainsAny(s, "\u202e\x07\t\r") || strings.Contains(s, "[2J") || strings.Count(s, "\n") != 9 {
		t.Errorf("%q", s)
	}
}

func TestReading(t *testing.T) {
	lines := strings.Split("start\n"+strings.Repeat("line\n", 50)+"end", "\n")
	newText := func() *Text {
		x := NewText(TextOptions{Keys: keymap.Default(), Theme: theme.Dark(), Title: "Help", Lines: func(int) []string { return lines }})
		x.SetSize(40, 12)
		return x
	}
	for _, tt := range []struct {
		keys string
		want string // on the screen
		act  Action
	}{
		{"", "start", nil},
		{"end", "end", nil},
		{"G", "end", nil},
		{"end home", "start", nil},
		{"G g", "start", nil},
		{"space space space space space space space", "end", nil},
		{"pgdown pgup", "start", nil},
		{"up up", "start", nil},
		{"esc", "start", Closed{}},
		{"enter", "start", Closed{}},
		{"q", "start", Closed{}},
	} {
		x := newText()
		if act := press(x, strings.Fields(tt.keys)...); act != tt.act || !strings.Contains(screen(x), tt.want) {
			t.Errorf("%q: %v, want %v and %q in\n%s", tt.keys, act, tt.act, tt.want, screen(x))
		}
	}
	x := newText()
	x.HandleWheel(3)
	if strings.Contains(screen(x), "start") {
		t.Errorf("the wheel does not scroll:\n%s", screen(x))
	}
	x.SetTheme(theme.Plain())
	if strings.Contains(screen(x), "start") {
		t.Errorf("a new theme loses the place:\n%s", screen(x))
	}
}

func TestEntering(t *testing.T) {
	newInput := func(o InputOptions) *Input {
		o.Keys, o.Theme, o.Title = keymap.Default(), theme.Dark(), "Name"
		in := NewInput(o)
		in.SetSize(30, 6)
		return in
	}
	for _, tt := range []struct {
		value, keys string
		want        Action
	}{
		{"", "a b enter", Entered{"ab"}},
		{"", "enter", Closed{}},
		{"", "esc", Closed{}},
		{"old", "x enter", Entered{"oldx"}},
		{"old", "home x enter", Entered{"xold"}},
		{"one two", "ctrl+w x enter", Entered{"one x"}},
		{"one two", "ctrl+u x enter", Entered{"x"}},
		{"one", "left left delete enter", Entered{"oe"}},
		{"one", "left ctrl+k enter", Entered{"on"}},
		{"one", "ctrl+a ctrl+d ctrl+e x enter", Entered{"nex"}},
		{"e", "\u0301 backspace enter", Closed{}}, // an accent joins its letter
	} {
		if got := press(newInput(InputOptions{Value: tt.value}), strings.Fields(tt.keys)...); got != tt.want {
			t.Errorf("%q, %q: %v, want %v", tt.value, tt.keys, got, tt.want)
		}
	}
	in := newInput(InputOptions{Secret: true})
	in.HandlePaste(" sk-日本\n")
	if s := screen(in); strings.Contains(s, "sk") || !strings.Contains(s, "*****") {
		t.Errorf("%s", s)
	}
	if got := press(in, "enter"); got != (Entered{"sk-日本"}) {
		t.Errorf("%v", got)
	}
}

// TestALongLineFollowsItsCursor types past the edge and goes back.
func TestALongLineFollowsItsCursor(t *testing.T) {
	in := NewInput(InputOptions{Keys: keymap.Default(), Theme: theme.Dark(), Value: strings.Repeat("日本語ab", 20)})
	in.SetSize(24, 5)
	for range 110 {
		x, y, ok := in.Cursor()
		if !ok || x < 2 || x > 23 || y != 1 {
			t.Fatalf("the cursor is at %d,%d %v", x, y, ok)
		}
		press(in, "left")
	}
	if x, _, _ := in.Cursor(); x != 2 {
		t.Errorf("at the start it is in column %d", x)
	}
}
