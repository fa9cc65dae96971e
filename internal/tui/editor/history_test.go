package editor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestHistory(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
	}{
		{"up is the latest", []string{"up"}, "last|"},
		{"and earlier ones", []string{"up", "up", "up"}, "first|"},
		{"not past the first", []string{"up", "up", "up", "up"}, "|first"},
		{"down comes back, over the lines of an entry", []string{"up", "up", "down", "down"}, "last|"},
		{"to an empty field", []string{"up", "down"}, "|"},
		{"and no further", []string{"up", "down", "down"}, "|"},
		{"a draft is kept", []string{"draft", "up", "up", "down", "down", "down"}, "draft|"},
		{"ctrl+p and ctrl+n too", []string{"draft", "ctrl+p", "ctrl+p", "ctrl+n"}, "last|"},
		{"an entry of two lines is entered at its first", []string{"up", "up"}, "two|\nlines"},
		{"and left at its last", []string{"up", "up", "down", "down"}, "last|"},
		{"up inside a text moves first", []string{"a", "ctrl+j", "b", "up", "x"}, "ax|\nb"},
		{"and then goes back", []string{"a", "ctrl+j", "b", "up", "up"}, "last|"},
		{"changes to an entry stay while one looks", []string{"up", "!", "up", "down", "down"}, "last!|"},
		{"what was changed is undone in the end", []string{"draft", "up", "!", "down", "ctrl+/", "ctrl+/", "ctrl+/"}, "draft|"},
		{"undo of browsing", []string{"draft", "up", "ctrl+/"}, "draft|"},
		{"a cleared draft comes back", []string{"lost", "ctrl+c", "up"}, "lost|"},
		{"before older entries", []string{"lost", "ctrl+c", "up", "up"}, "last|"},
		{"white space is not kept", []string{"  ", "ctrl+c", "up"}, "last|"},
		{"the same text is not shown twice", []string{"last", "up"}, "two|\nlines"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newEditor(40, 10, "first", "two\nlines", "last")
			press(m, tt.keys...)
			if at(m) != tt.want {
				t.Errorf("%q gives %q, want %q", tt.keys, at(m), tt.want)
			}
		})
	}
}

func TestSendingComesBackToThePresent(t *testing.T) {
	m := newEditor(40, 10, "first", "last")
	if s, ok := press(m, "up", "up", "enter").(Submit); !ok || s.Text != "first" {
		t.Errorf("%+v", s)
	}
	press(m, "up")
	if at(m) != "last|" {
		t.Errorf("%q", at(m))
	}
}

func TestSearchingTheHistory(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
		says string
	}{
		{"it starts with what is there", []string{"draft", "ctrl+r"}, "draft|", "search:"},
		{"the latest that holds it", []string{"ctrl+r", "make"}, "|make test", "search: make"},
		{"in the middle", []string{"ctrl+r", "test"}, "make |test", "search: test"},
		{"case does not count", []string{"ctrl+r", "MAKE"}, "|make test", "search: MAKE"},
		{"an earlier one", []string{"ctrl+r", "make", "ctrl+r"}, "|make all", "search: make"},
		{"and back", []string{"ctrl+r", "make", "ctrl+r", "ctrl+n"}, "|make test", "search: make"},
		{"there is no earlier one", []string{"ctrl+r", "make", "ctrl+r", "ctrl+r"}, "|make all", "not found: make"},
		{"none holds it", []string{"draft", "ctrl+r", "zzz"}, "draft|", "not found: zzz"},
		{"a letter taken back", []string{"ctrl+r", "all", "x", "backspace"}, "make |all", "search: all"},
		{"over lines", []string{"ctrl+r", "docs"}, "fix\nthe |docs", "search: docs"},
		{"escape brings the draft back", []string{"draft", "left", "ctrl+r", "make", "esc"}, "draf|t", ""},
		{"ctrl+c too", []string{"draft", "ctrl+r", "make", "ctrl+c"}, "draft|", ""},
		{"ctrl+g too", []string{"draft", "ctrl+r", "make", "ctrl+g"}, "draft|", ""},
		{"enter takes what is found and does not send it", []string{"ctrl+r", "make", "enter"}, "|make test", ""},
		{"tab too", []string{"ctrl+r", "make", "tab"}, "|make test", ""},
		{"another key takes it and is used", []string{"ctrl+r", "make", "end"}, "make test|", ""},
		{"undo goes back to the draft", []string{"draft", "ctrl+r", "make", "enter", "ctrl+/"}, "draft|", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newEditor(40, 10, "make all", "fix\nthe docs", "make test", "last")
			press(m, tt.keys...)
			if at(m) != tt.want {
				t.Errorf("%q gives %q, want %q", tt.keys, at(m), tt.want)
			}
			view := ansi.Strip(m.View())
			if !strings.Contains(view, tt.says) || tt.says == "" && strings.Contains(view, "search:") {
				t.Errorf("%q does not say %q:\n%s", tt.keys, tt.says, view)
			}
		})
	}
}

func TestAPasteIntoTheSearch(t *testing.T) {
	m := newEditor(40, 10, "make all", "make test")
	press(m, "ctrl+r")
	m.HandlePaste("make a\nsecond line")
	if at(m) != "|make all" {
		t.Errorf("%q", at(m))
	}
}

func TestNoHistory(t *testing.T) {
	m := newEditor(40, 10)
	m.past.history = nil
	press(m, "a", "up", "down", "ctrl+p", "ctrl+n", "ctrl+r", "x", "enter", "b")
	if at(m) != "ab|" {
		t.Errorf("%q", at(m))
	}
	for i := range 3 * maxDrafts {
		press(m, fmt.Sprint("draft ", i), "ctrl+c")
	}
	press(m, "up")
	if want := fmt.Sprint("draft ", 3*maxDrafts-1, "|"); at(m) != want {
		t.Errorf("%q, want %q", at(m), want)
	}
}
