package editor

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

type sent []string

func (p sent) Len() int        { return len(p) }
func (p sent) At(i int) string { return p[i] }

type files struct{}

func (files) Complete(q Query) ([]Candidate, tea.Cmd) {
	if q.Subject != Files {
		return nil, nil
	}
	return []Candidate{{Text: "src/main.go"}, {Text: "src/", Partial: true}, {Text: "read me.md"}}, nil
}

func newEditor(w, h int, history ...string) *Model {
	m := New(Options{Keys: keymap.Default(), Theme: theme.Dark(), History: sent(history), Completer: files{}, Placeholder: "Ask"})
	m.SetFocus(true)
	m.SetSize(w, h)
	return m
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "shift+enter": {Code: tea.KeyEnter, Mod: tea.ModShift}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "alt+left": {Code: tea.KeyLeft, Mod: tea.ModAlt}, "alt+d": {Code: 'd', Mod: tea.ModAlt}, "alt+y": {Code: 'y', Mod: tea.ModAlt},
	"alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt}, "ctrl+/": {Code: '/', Mod: tea.ModCtrl}, "alt+/": {Code: '/', Mod: tea.ModAlt},
}

// press sends keys by name, or types text, and returns the last action.
func press(m *Model, keys ...string) Action {
	var last Action
	for _, k := range keys {
		if msg, ok := named[k]; ok {
			_, last, _ = m.HandleKey(msg)
			continue
		}
		if c, ok := strings.CutPrefix(k, "ctrl+"); ok {
			_, last, _ = m.HandleKey(tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl})
			continue
		}
		for _, r := range k {
			_, last, _ = m.HandleKey(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return last
}

func TestEditing(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
	}{
		{"typing", []string{"héllo 日本"}, "héllo 日本"},
		{"back over a cluster", []string{"ae\u0301", "backspace"}, "a"},
		{"new line", []string{"a", "shift+enter", "b", "alt+enter", "c"}, "a\nb\nc"},
		{"backslash", []string{`a\`, "enter", "b"}, "a\nb"},
		{"words", []string{"one two_three", "ctrl+w"}, "one "},
		{"kill and yank", []string{"one two", "ctrl+a", "ctrl+k", "x", "ctrl+y"}, "xone two"},
		{"kill to start", []string{"one two", "left", "ctrl+u"}, "o"},
		{"undo", []string{"one", "ctrl+u", "ctrl+/"}, "one"},
		{"redo", []string{"one", "ctrl+u", "ctrl+/", "alt+/"}, ""},
		{"middle", []string{"ac", "left", "b"}, "abc"},
		{"delete", []string{"abc", "home", "delete"}, "bc"},
		{"word left", []string{"one two", "alt+left", "X"}, "one Xtwo"},
		{"clear", []string{"abc", "ctrl+c"}, ""},
	} {
		m := newEditor(40, 10)
		press(m, tt.keys...)
		if m.Value() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, m.Value(), tt.want)
		}
	}
}

func TestSendingSaysWhatATextIs(t *testing.T) {
	for text, kind := range map[string]Kind{"hello": Prompt, "!make": Bang, "!!env": PrivateBang, "/help me": Command, "a !b": Prompt} {
		m := newEditor(40, 10)
		s, ok := press(m, text, "esc", "enter").(Submit)
		if !ok || s.Kind != kind || s.Text != text || s.FollowUp || !m.Empty() {
			t.Errorf("%q: %+v", text, s)
		}
	}
	m := newEditor(40, 10)
	m.SetBusy(true)
	if s, ok := press(m, "later", "alt+enter").(Submit); !ok || !s.FollowUp {
		t.Errorf("%+v", s)
	}
	if act := press(m, "enter"); act != nil {
		t.Errorf("nothing was sent: %+v", act)
	}
}

func TestALongPasteIsAChip(t *testing.T) {
	m := newEditor(40, 10)
	long := strings.Repeat("a line\n", 100)
	press(m, "see ")
	m.HandlePaste(long + "\x1b[2J")
	press(m, " ok")
	if view := ansi.Strip(m.View()); !strings.Contains(view, "Pasted #1") || strings.Contains(view, "a line") {
		t.Errorf("%s", view)
	}
	s, _ := press(m, "enter").(Submit)
	if !strings.HasPrefix(s.Text, "see a line\n") || !strings.HasSuffix(s.Text, " ok") || strings.Contains(s.Text, "\x1b") || strings.Count(s.Text, "a line") != 100 {
		t.Errorf("%q", s.Text)
	}
	m.HandlePaste("!rm -rf x\nls")
	if s, _ := press(m, "enter").(Submit); s.Kind == Prompt && !strings.HasPrefix(s.Text, "!rm") {
		t.Errorf("%+v", s)
	}
	m.HandlePaste(long)
	press(m, "backspace")
	if !m.Empty() {
		t.Errorf("a chip is more than one character: %q", m.Value())
	}
}

func TestHistory(t *testing.T) {
	m := newEditor(40, 10, "first", "second\nline")
	press(m, "draft", "up")
	if m.Value() != "second\nline" {
		t.Errorf("%q", m.Value())
	}
	press(m, "up", "up")
	if m.Value() != "first" {
		t.Errorf("%q", m.Value())
	}
	press(m, "down", "down", "down")
	if m.Value() != "draft" {
		t.Errorf("the draft is lost: %q", m.Value())
	}
	press(m, "ctrl+c", "ctrl+r", "fir", "enter")
	if m.Value() != "first" {
		t.Errorf("searched: %q", m.Value())
	}
}

func TestCompletion(t *testing.T) {
	m := newEditor(40, 12)
	press(m, "see @ma")
	if !strings.Contains(ansi.Strip(m.View()), "src/main.go") {
		t.Errorf("%s", ansi.Strip(m.View()))
	}
	press(m, "tab")
	if !strings.Contains(m.Value(), "src/main.go") {
		t.Errorf("%q", m.Value())
	}
}

func TestReturnedTextGoesAboveTheDraft(t *testing.T) {
	m := newEditor(40, 10)
	press(m, "draft")
	m.Insert("came back")
	press(m, "!")
	if m.Value() != "came back\ndraft!" && m.Value() != "came back\n\ndraft!" {
		t.Errorf("%q", m.Value())
	}
}

// fits checks that a view has the height and the width that it promises.
func fits(t *testing.T, m *Model, w, h int, done []string) {
	t.Helper()
	rows := strings.Split(m.View(), "\n")
	if m.Height() > max(1, h) || len(rows) != m.Height() && m.Height() > 0 {
		t.Fatalf("%d rows, height %d of %d at width %d after %q:\n%s", len(rows), m.Height(), h, w, done[max(0, len(done)-8):], m.View())
	}
	for _, r := range rows {
		if ansi.StringWidth(r) > w {
			t.Fatalf("%d cells of %d: %q", ansi.StringWidth(r), w, r)
		}
	}
	if x, y, ok := m.Cursor(); ok && (x < 0 || x >= max(1, w) || y < 0 || y >= m.Height()) {
		t.Fatalf("the cursor is at %d,%d of %d×%d", x, y, w, m.Height())
	}
}

// TestNoKeyBreaksTheEditor presses keys at random in every size.
func TestNoKeyBreaksTheEditor(t *testing.T) {
	plainKeys := []string{"a", "日本", "👍🏽", "e\u0301", " ", "@", "/", "!", "\\", "word ", "ctrl+a", "ctrl+e", "ctrl+k", "ctrl+u", "ctrl+w", "ctrl+y", "ctrl+r", "ctrl+p", "ctrl+n"}
	keys := slices.Concat(plainKeys, slices.Sorted(maps.Keys(named)))
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		w, h := r.IntN(60), r.IntN(12)
		m := newEditor(w, h, "one", "two\nlines")
		var done []string
		for range 150 {
			switch r.IntN(20) {
			case 0:
				n := r.IntN(200)
				done = append(done, fmt.Sprint("paste ", n))
				m.HandlePaste(strings.Repeat("pasted 日 ", n))
			case 1:
				w, h = r.IntN(60), r.IntN(12)
				done = append(done, fmt.Sprint("size ", w, h))
				m.SetSize(w, h)
			case 2:
				done = append(done, "insert")
				m.Insert("back")
			default:
				k := keys[r.IntN(len(keys))]
				done = append(done, k)
				press(m, k)
			}
			fits(t, m, w, h, done)
		}
	}
}

// TestUndoGoesAllTheWayBackAndForth undoes random edits one by one.
func TestUndoGoesAllTheWayBackAndForth(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		m := newEditor(40, 10)
		for range 30 {
			press(m, []string{"ab", " ", "日", "backspace", "ctrl+w", "ctrl+u", "ctrl+y", "left", "home", "shift+enter", "delete"}[r.IntN(11)])
		}
		end := m.Value()
		for range 200 {
			press(m, "ctrl+/")
		}
		if m.Value() != "" {
			t.Fatalf("seed %d: %q is left", seed, m.Value())
		}
		for range 200 {
			press(m, "alt+/")
		}
		if m.Value() != end {
			t.Fatalf("seed %d: %q, want %q", seed, m.Value(), end)
		}
	}
}

// BenchmarkKey types into a long text: a key must not cost what the text costs.
func BenchmarkKey(b *testing.B) {
	for name, lines := range map[string]int{"10": 10, "10000": 10000} {
		b.Run(name, func(b *testing.B) {
			m := newEditor(100, 12)
			m.SetValue(strings.Repeat("a line of text that is about as long as they are\n", lines))
			for b.Loop() {
				press(m, "x")
				m.View()
			}
		})
	}
}
