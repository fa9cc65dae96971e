package dialog

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

// box is what all dialogs have in common.
type box interface {
	SetSize(w, h int)
	Want(w int) int
	HandleKey(k tea.KeyPressMsg) Action
	HandlePaste(s string)
	HandleWheel(rows int)
	HandleClick(x, y int) Action
	View() string
	Cursor() (x, y int, ok bool)
}

func key(name string) tea.KeyPressMsg {
	switch name {
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "up":
		return tea.KeyPressMsg{Code: tea.KeyUp}
	case "down":
		return tea.KeyPressMsg{Code: tea.KeyDown}
	case "pgdown":
		return tea.KeyPressMsg{Code: tea.KeyPgDown}
	case "backspace":
		return tea.KeyPressMsg{Code: tea.KeyBackspace}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

func all(now func() time.Time) map[string]func() box {
	keys, look := keymap.Default(), theme.Dark()
	items := make([]Item[int], 0, 30)
	for i := range 30 {
		items = append(items, Item[int]{Value: i, Title: fmt.Sprintf("item %d 日本\x1b[31m", i), Description: "about\nit", Right: "now", Current: i == 3})
	}
	q := chat.Question{ID: "q", Reason: "it runs rm", Parts: []string{"rm x"}, Rules: []string{"Bash(rm x)"}, Access: []chat.Access{{Kind: chat.AccessRun, Command: strings.Repeat("a long command line \u202e\x1b]0;x\x07\n", 20), Dir: "/w"}}}
	return map[string]func() box{
		"picker": func() box { return NewPicker(PickerOptions[int]{Keys: keys, Theme: look, Title: "Pick", Items: items}) },
		"empty": func() box {
			return NewPicker(PickerOptions[int]{Keys: keys, Theme: look, Title: "Pick", Empty: "nothing"})
		},
		"question": func() box { return NewQuestion(QuestionOptions{Keys: keys, Theme: look, About: q, Now: now}) },
		"text": func() box {
			return NewText(TextOptions{Keys: keys, Theme: look, Title: "Help", Lines: func(w int) []string { return strings.Split(strings.Repeat("line\n", 50), "\n") }})
		},
		"input": func() box {
			return NewInput(InputOptions{Keys: keys, Theme: look, Title: "Key", About: "one\ntwo", Secret: true})
		},
	}
}

// TestNoDialogBreaksItsRectangle presses keys at random in every size.
func TestNoDialogBreaksItsRectangle(t *testing.T) {
	clock := time.Now()
	for name, make := range all(func() time.Time { clock = clock.Add(time.Second); return clock }) {
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 9))
			b := make()
			w, h := r.IntN(90), r.IntN(30)
			b.SetSize(w, h)
			for range 60 {
				switch r.IntN(8) {
				case 0:
					w, h = r.IntN(90), r.IntN(30)
					b.SetSize(w, h)
				case 1:
					b.HandleWheel(r.IntN(9) - 4)
				case 2:
					b.HandlePaste("pasted\x1b 日本")
				case 3:
					b.HandleClick(r.IntN(90), r.IntN(30))
				default:
					b.HandleKey(key([]string{"enter", "esc", "up", "down", "pgdown", "backspace", "a", "日", "n", "y"}[r.IntN(10)]))
				}
				rows := strings.Split(b.View(), "\n")
				if h > 0 && len(rows) != h {
					t.Fatalf("%s: %d rows of %d", name, len(rows), h)
				}
				for _, row := range rows {
					if ansi.StringWidth(row) > w {
						t.Fatalf("%s: %d cells of %d: %q", name, ansi.StringWidth(row), w, row)
					}
					if strings.ContainsAny(ansi.Strip(row), "\x1b\x07\u202e") {
						t.Fatalf("%s: a control is on the screen: %q", name, row)
					}
				}
				if x, y, ok := b.Cursor(); ok && (x < 0 || x >= max(1, w) || y < 0 || y >= h) {
					t.Fatalf("%s: the cursor is at %d,%d of %d×%d", name, x, y, w, h)
				}
			}
		}
	}
}

func TestPicking(t *testing.T) {
	p := NewPicker(PickerOptions[string]{Keys: keymap.Default(), Theme: theme.Dark(), Items: []Item[string]{{Value: "a", Title: "alpha"}, {Value: "b", Title: "beta", Current: true}, {Value: "g", Title: "gamma"}}})
	p.SetSize(40, 10)
	if act := p.HandleKey(key("enter")); act != (Picked[string]{"b"}) {
		t.Errorf("%v", act)
	}
	p.HandleKey(key("g"))
	p.HandleKey(key("a"))
	if act := p.HandleKey(key("enter")); act != (Picked[string]{"g"}) {
		t.Errorf("%v", act)
	}
	if act := p.HandleKey(key("esc")); act != nil {
		t.Errorf("the filter goes first: %v", act)
	}
	if act := p.HandleKey(key("esc")); act != (Closed{}) {
		t.Errorf("%v", act)
	}
}

func TestAQuestionShowsAllAndTakesNoKeyTooEarly(t *testing.T) {
	clock := time.Now()
	q := NewQuestion(QuestionOptions{Keys: keymap.Default(), Theme: theme.Dark(), Now: func() time.Time { return clock }, About: chat.Question{
		ID: "q", Reason: "it runs rm", Access: []chat.Access{{Kind: chat.AccessRun, Command: "# harmless\nrm -f V\r# ls"}},
	}})
	q.SetSize(60, 12)
	if v := ansi.Strip(q.View()); !strings.Contains(v, "# harmless") || !strings.Contains(v, `rm -f V\x0d# ls`) || !strings.Contains(v, "Asks because it runs rm") || strings.Contains(v, "always") {
		t.Errorf("%s", v)
	}
	for _, k := range []string{"y", "enter", "n", "s", "a"} {
		if act := q.HandleKey(key(k)); act != nil {
			t.Errorf("%s decides at once: %v", k, act)
		}
	}
	clock = clock.Add(time.Second)
	if act := q.HandleKey(key("s")); act != nil {
		t.Errorf("an answer that is not offered: %v", act)
	}
	if act := q.HandleKey(key("enter")); act != (Answered{"q", chat.Reply{Decision: chat.AllowOnce}}) {
		t.Errorf("%v", act)
	}
}

func TestAQuestionShowsWhatWouldBeWritten(t *testing.T) {
	q := NewQuestion(QuestionOptions{Keys: keymap.Default(), Theme: theme.Dark(), About: chat.Question{
		Call: chat.ToolCall{Name: "edit", Args: []byte(`{"path":"f","edits":[{"old":"a\nb","new":"c"}]}`)}, Access: []chat.Access{{Kind: chat.AccessWrite, Path: "/w/f"}},
	}})
	q.SetSize(60, 20)
	if v := ansi.Strip(q.View()); !strings.Contains(v, "- a") || !strings.Contains(v, "- b") || !strings.Contains(v, "+ c") || !strings.Contains(v, "Change this file?") {
		t.Errorf("%s", v)
	}
}
