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
	switch q.Subject {
	case Files:
		return []Candidate{{Text: "src/main.go"}, {Text: "src/", Partial: true}, {Text: "read me.md"}}, nil
	case Commands:
		return []Candidate{
			{Text: "help", Detail: "shows what there is", Final: true},
			{Text: "model", Detail: "lists the models and switches between them"},
			{Text: "quit", Final: true},
		}, nil
	default:
		return nil, nil
	}
}

func newEditor(w, h int, history ...string) *Model {
	m := New(Options{Keys: keymap.Default(), Theme: theme.Dark(), History: sent(history), Completer: files{}, Placeholder: "Ask"})
	m.SetFocus(true)
	m.SetSize(w, h)
	return m
}

var named = map[string]tea.KeyPressMsg{
	"enter": {Code: tea.KeyEnter}, "shift+enter": {Code: tea.KeyEnter, Mod: tea.ModShift}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
	"esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift},
	"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
	"home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd}, "ctrl+home": {Code: tea.KeyHome, Mod: tea.ModCtrl}, "ctrl+end": {Code: tea.KeyEnd, Mod: tea.ModCtrl},
	"pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown}, "f1": {Code: tea.KeyF1},
	"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "alt+backspace": {Code: tea.KeyBackspace, Mod: tea.ModAlt},
	"alt+left": {Code: tea.KeyLeft, Mod: tea.ModAlt}, "alt+right": {Code: tea.KeyRight, Mod: tea.ModAlt}, "alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt},
	"alt+d": {Code: 'd', Mod: tea.ModAlt}, "alt+y": {Code: 'y', Mod: tea.ModAlt}, "alt+b": {Code: 'b', Mod: tea.ModAlt},
	"ctrl+/": {Code: '/', Mod: tea.ModCtrl}, "alt+/": {Code: '/', Mod: tea.ModAlt},
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

// at is the text with the cursor as a bar, chips by their labels.
func at(m *Model) string {
	before, after := m.text.slice(pos{}, m.cursor), m.text.slice(m.cursor, m.text.end())
	return m.chips.labelled(before) + "|" + m.chips.labelled(after)
}

// TestEditing types in a field of 20 cells and looks where the cursor is.
func TestEditing(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
	}{
		{"typing", []string{"héllo 日本"}, "héllo 日本|"},
		{"in the middle", []string{"ac", "left", "b"}, "ab|c"},
		{"an accent joins its letter", []string{"ae", "\u0301", "left"}, "a|e\u0301"},
		{"control characters are not typed", []string{"a\x00\x1bb"}, "ab|"},

		{"shift+enter", []string{"a", "shift+enter", "b"}, "a\nb|"},
		{"alt+enter", []string{"a", "alt+enter", "b"}, "a\nb|"},
		{"ctrl+j", []string{"a", "ctrl+j", "b"}, "a\nb|"},
		{"backslash and enter", []string{`a\`, "enter", "b"}, "a\nb|"},
		{"two backslashes are text", []string{`a\\`, "enter"}, "|"},
		{"three are one and a new line", []string{`a\\\`, "enter"}, "a\\\\\n|"},
		{"a shell line keeps its backslash", []string{`!a \`, "enter", "b"}, "!a \\\nb|"},
		{"a backslash in the middle is text", []string{`a\b`, "left", "enter"}, "|"},

		{"back", []string{"abc", "backspace"}, "ab|"},
		{"ctrl+h", []string{"abc", "ctrl+h"}, "ab|"},
		{"back over a cluster", []string{"ae\u0301", "backspace"}, "a|"},
		{"back over a family", []string{"a👩\u200d👧", "backspace"}, "a|"},
		{"back over a flag", []string{"a🇩🇪", "backspace"}, "a|"},
		{"back over a wide one", []string{"日本", "backspace"}, "日|"},
		{"back joins lines", []string{"a", "ctrl+j", "b", "home", "backspace"}, "a|b"},
		{"back at the start", []string{"ab", "home", "backspace"}, "|ab"},
		{"delete", []string{"abc", "home", "delete"}, "|bc"},
		{"delete joins lines", []string{"a", "ctrl+j", "b", "up", "delete"}, "a|b"},
		{"delete at the end", []string{"ab", "delete"}, "ab|"},
		{"ctrl+d deletes while there is text", []string{"abc", "home", "ctrl+d"}, "|bc"},

		{"word back", []string{"one two_three", "ctrl+w"}, "one |"},
		{"word back over spaces", []string{"one  ", "alt+backspace"}, "|"},
		{"word back stops at signs", []string{"a/b/cd", "ctrl+w"}, "a/b/|"},
		{"word back over a run of signs", []string{"a ->>", "ctrl+w"}, "a |"},
		{"word back over kana, then han", []string{"日本ひら", "ctrl+w"}, "日本|"},
		{"word back at the start of a line", []string{"a", "ctrl+j", "ctrl+w"}, "a|"},
		{"word back stays in its line", []string{"a", "ctrl+j", "  ", "ctrl+w"}, "a\n|"},
		{"word forward", []string{"one two", "home", "alt+d"}, "| two"},
		{"word left", []string{"one two", "alt+left"}, "one |two"},
		{"word left over lines", []string{"one", "ctrl+j", "alt+b"}, "|one\n"},
		{"word right", []string{"one two", "home", "alt+right"}, "one| two"},
		{"word right at the end", []string{"one", "alt+right"}, "one|"},

		{"line ends", []string{"ab", "ctrl+j", "cd", "ctrl+a", "x", "ctrl+e", "y"}, "ab\nxcdy|"},
		{"text ends", []string{"ab", "ctrl+j", "cd", "ctrl+home", "x", "ctrl+end", "y"}, "xab\ncdy|"},
		{"left and right over a line end", []string{"a", "ctrl+j", "b", "ctrl+b", "ctrl+b", "x", "ctrl+f", "y"}, "ax\ny|b"},

		{"up and down keep the column", []string{"abcdef", "ctrl+j", "x", "ctrl+j", "abcdef", "up", "up", "X"}, "abcdefX|\nx\nabcdef"},
		{"typing forgets the column", []string{"abcdef", "ctrl+j", "x", "up", "X"}, "aX|bcdef\nx"},
		{"up in a wrapped line", []string{"aaaa bbbb cccc dddd eeee", "up", "X"}, "aaaa bbbbX| cccc dddd eeee"},
		{"up by cells, not characters", []string{"日本語", "ctrl+j", "abcd", "up", "X"}, "日本X|語\nabcd"},
		{"up on the first row without a history goes to the start", []string{"abc", "up"}, "|abc"},
		{"down on the last row goes to the end", []string{"abc", "home", "down"}, "abc|"},

		{"kill to the end", []string{"one two", "ctrl+a", "ctrl+k"}, "|"},
		{"kill at the end joins", []string{"a", "ctrl+j", "b", "up", "end", "ctrl+k"}, "a|b"},
		{"kill to the start", []string{"one two", "left", "ctrl+u"}, "|o"},
		{"kill at the start joins", []string{"a", "ctrl+j", "b", "home", "ctrl+u"}, "a|b"},
		{"yank", []string{"one two", "ctrl+a", "ctrl+k", "x", "ctrl+y"}, "xone two|"},
		{"kills in a row are one", []string{"one two", "ctrl+w", "ctrl+w", "x", "ctrl+y"}, "xone two|"},
		{"kills forward in a row too", []string{"one two", "home", "alt+d", "alt+d", "x", "ctrl+y"}, "xone two|"},
		{"a motion between kills parts them", []string{"one two", "ctrl+w", "left", "ctrl+e", "ctrl+w", "ctrl+y"}, "one |"},
		{"an earlier kill", []string{"one two", "ctrl+w", "home", "ctrl+k", "ctrl+y", "alt+y"}, "two|"},
		{"around the ring", []string{"one two", "ctrl+w", "home", "ctrl+k", "ctrl+y", "alt+y", "alt+y"}, "one |"},
		{"an earlier kill without a yank", []string{"one", "ctrl+w", "x", "alt+y"}, "x|"},
		{"nothing to yank", []string{"a", "ctrl+y"}, "a|"},
		{"deleting is no kill", []string{"ab", "backspace", "ctrl+y"}, "a|"},

		{"undo of typing, a word at a time", []string{"one two", "ctrl+/"}, "one |"},
		{"undo of a kill", []string{"one", "ctrl+u", "ctrl+/"}, "one|"},
		{"undo of erasing is one step", []string{"abc", "backspace", "backspace", "ctrl+/"}, "abc|"},
		{"undo puts the cursor back", []string{"abc", "home", "delete", "end", "ctrl+/"}, "|abc"},
		{"redo", []string{"one", "ctrl+u", "ctrl+/", "alt+/"}, "|"},
		{"typing ends redo", []string{"one", "ctrl+u", "ctrl+/", "x", "alt+/"}, "onex|"},
		{"undo of what joined two characters", []string{"👩", "💻", "left", "\u200d", "x", "ctrl+/", "ctrl+/", "ctrl+/"}, "|"},
		{"undo of clearing", []string{"abc", "ctrl+c", "ctrl+/"}, "abc|"},
		{"undo with nothing done", []string{"ctrl+/", "alt+/"}, "|"},
		{"a motion parts typing", []string{"ab", "left", "c", "ctrl+/"}, "a|b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newEditor(20, 10)
			press(m, tt.keys...)
			if at(m) != tt.want {
				t.Errorf("%q gives %q, want %q", tt.keys, at(m), tt.want)
			}
		})
	}
}

// TestKeysThatAreNotTheEditors belong to whoever is asked next.
func TestKeysThatAreNotTheEditors(t *testing.T) {
	for _, tt := range []struct {
		key         string
		empty, text bool // used
	}{
		{"esc", false, false},
		{"pgup", false, false},
		{"pgdown", false, false},
		{"f1", false, false},
		{"ctrl+o", false, false},
		{"ctrl+t", false, false},
		{"ctrl+l", false, false},
		{"ctrl+z", false, false},
		{"shift+tab", false, false},
		{"alt+up", false, false},
		{"tab", false, true},
		{"home", false, true},
		{"end", false, true},
		{"ctrl+home", false, true},
		{"ctrl+end", false, true},
		{"ctrl+c", false, true},
		{"ctrl+d", false, true},
		{"?", false, true},
		{"a", true, true},
		{"enter", true, true},
		{"left", true, true},
		{"up", true, true},
		{"ctrl+r", true, true},
		{"ctrl+g", true, true},
	} {
		for text, want := range map[string]bool{"": tt.empty, "text": tt.text} {
			m := newEditor(40, 10)
			press(m, text)
			k, ok := named[tt.key]
			if c, ctrl := strings.CutPrefix(tt.key, "ctrl+"); !ok && ctrl {
				k = tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl}
			} else if !ok {
				k = tea.KeyPressMsg{Code: rune(tt.key[0]), Text: tt.key}
			}
			if used, _, _ := m.HandleKey(k); used != want {
				t.Errorf("%s over %q: used %v, want %v", tt.key, text, used, want)
			}
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

func TestReturnedTextGoesAboveTheDraft(t *testing.T) {
	m := newEditor(40, 10)
	press(m, "draft")
	m.Insert("came back")
	press(m, "!")
	if m.Value() != "came back\ndraft!" && m.Value() != "came back\n\ndraft!" {
		t.Errorf("%q", m.Value())
	}
}

// TestAnEarlierCutIsGoneAfterAnyOtherChange: the place of a yank is known only
// as long as nothing else moves the text.
func TestAnEarlierCutIsGoneAfterAnyOtherChange(t *testing.T) {
	for name, change := range map[string]func(m *Model){
		"insert":   func(m *Model) { m.Insert("back") },
		"value":    func(m *Model) { m.SetValue("x") },
		"paste":    func(m *Model) { m.HandlePaste("x") },
		"complete": func(m *Model) { m.Update(Completed{}) },
		"left":     func(m *Model) { press(m, "left") },
	} {
		m := newEditor(40, 10)
		press(m, "one two three", "ctrl+w", "home", "ctrl+k", "ctrl+y")
		change(m)
		before := at(m)
		press(m, "alt+y")
		if name != "complete" && at(m) != before {
			t.Errorf("%s: %q becomes %q", name, before, at(m))
		}
	}
}

func TestTheKindOfALineIsSeen(t *testing.T) {
	for text, want := range map[string]string{"!make": "── bash ─", "!!env": "── bash, not told to the model ─", "make": "────────", " !make": "────────"} {
		m := newEditor(60, 10)
		press(m, text)
		if top, _, _ := strings.Cut(ansi.Strip(m.View()), "\n"); !strings.HasPrefix(top, want) {
			t.Errorf("%q is headed %q", text, top)
		}
		if prompt := theme.Dark().BashRule.Render("›"); strings.Contains(m.View(), prompt) != (text == "!make") {
			t.Errorf("%q: the colour of the prompt is wrong: %q", text, m.View())
		}
	}
}
