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
	SetTheme(t *theme.Theme)
	SetSize(w, h int)
	Want(w int) int
	HandleKey(k tea.KeyPressMsg) Action
	HandlePaste(s string)
	HandleWheel(rows int)
	HandleClick(x, y int) Action
	View() string
	Cursor() (x, y int, ok bool)
}

// key is a key press by its name; a name of one character types it.
func key(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
	}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if c, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
	}
	if name == "space" {
		name = " "
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// press sends keys one after the other and returns what the last one decided.
func press(b box, names ...string) Action {
	var last Action
	for _, n := range names {
		last = b.HandleKey(key(n))
	}
	return last
}

// typeIn types a text.
func typeIn(b box, text string) {
	for _, r := range text {
		b.HandleKey(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// screen is what a person reads.
func screen(b box) string { return ansi.Strip(b.View()) }

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
	keys := []string{
		"enter", "esc", "up", "down", "left", "home", "pgup", "pgdown", "backspace", "delete",
		"ctrl+w", "ctrl+k", "ctrl+u", "ctrl+d", "a", "日", "n", "y", "space", "\u0301", "👩", "\u200d",
	}
	for name, make := range all(func() time.Time { clock = clock.Add(time.Second); return clock }) {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 9))
			b := make()
			w, h := r.IntN(201), r.IntN(40)
			b.SetSize(w, h)
			for range 60 {
				switch r.IntN(8) {
				case 0:
					w, h = r.IntN(201), r.IntN(40)
					b.SetSize(w, h)
					b.Want(w)
				case 1:
					b.HandleWheel(r.IntN(9) - 4)
				case 2:
					b.HandlePaste("pasted\x1b 日本")
				case 3:
					b.HandleClick(r.IntN(200), r.IntN(40))
				case 4:
					b.SetTheme(theme.Plain())
				default:
					b.HandleKey(key(keys[r.IntN(len(keys))]))
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
