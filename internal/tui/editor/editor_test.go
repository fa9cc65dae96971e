package editor

import (
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
