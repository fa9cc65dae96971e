package editor

import (
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
)

// sentText sends what is in the editor and returns it.
func sentText(t *testing.T, m *Model) Submit {
	t.Helper()
	s, ok := press(m, "esc", "end", " ", "enter").(Submit)
	if !ok {
		t.Fatalf("%q is not sent", at(m))
	}
	s.Text = strings.TrimSuffix(s.Text, " ")
	return s
}

func TestPasting(t *testing.T) {
	for _, tt := range []struct {
		name, paste string
		want        string // in the editor
		sent        string
	}{
		{"a word", "word", "word|", "word"},
		{"lines", "a\nb", "a\nb|", "a\nb"},
		{"line ends of any kind", "a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne|", "a\nb\nc\nd\ne"},
		{"tabs", "\ta", "\ta|", "\ta"},
		{"escape sequences", "a\x1b[31mb\x1b[200~c", "a[31mb[200~c|", "a[31mb[200~c"},
		{"what looks like a key code", "x:3F;5u", "x:3F;5u|", "x:3F;5u"},
		{"controls", "a\x00b\x07c\x7fd\u009be", "abcde|", "abcde"},
		{"invalid bytes", "a\xffb", "a\ufffdb|", "a\ufffdb"},
		{"what would be taken for a chip", "a\U0010F000b", "a\ufffdb|", "a\ufffdb"},
		{"nothing", "\x00", "|", ""},
		{"many lines", strings.Repeat("line\n", 120), "[Pasted #1 +120 lines]|", strings.Repeat("line\n", 120)},
		{"many lines without the last end", strings.Repeat("line\n", 9) + "end", "[Pasted #1 +10 lines]|", strings.Repeat("line\n", 9) + "end"},
		{"eight lines", strings.Repeat("x\n", 7) + "x", strings.Repeat("x\n", 7) + "x|", strings.Repeat("x\n", 7) + "x"},
		{"one long line", strings.Repeat("日", 500), "[Pasted #1 500 characters]|", strings.Repeat("日", 500)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newEditor(60, 20)
			m.HandlePaste(tt.paste)
			if at(m) != tt.want {
				t.Errorf("%q in the editor, want %q", at(m), tt.want)
			}
			if tt.sent == "" {
				return
			}
			if s := sentText(t, m); s.Text != tt.sent {
				t.Errorf("%q is sent, want %q", s.Text, tt.sent)
			}
		})
	}
}

// TestAPasteNeverSends: a line end in it is text.
func TestAPasteNeverSends(t *testing.T) {
	for _, text := range []string{"!rm -rf x\n", "/quit\n", "hello\r", strings.Repeat("!rm\n", 100)} {
		m := newEditor(60, 20)
		m.HandlePaste(text)
		if m.Empty() {
			t.Errorf("%q is gone", text)
		}
	}
}

// TestAChipIsNoCommand: what a person cannot see does not say what is sent.
func TestAChipIsNoCommand(t *testing.T) {
	for _, text := range []string{"!rm -rf x\n", "/quit\n", "!!env\n"} {
		m := newEditor(60, 20)
		m.HandlePaste(text + strings.Repeat("line\n", 50))
		if s := sentText(t, m); s.Kind != Prompt || !strings.HasPrefix(s.Text, text) {
			t.Errorf("%q is sent as %v", s.Text, s.Kind)
		}
	}
}

func TestAChipIsOneCharacter(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
	}{
		{"back", []string{"backspace"}, "ab|cd"},
		{"delete", []string{"left", "delete"}, "ab|cd"},
		{"left", []string{"left", "x"}, "abx|[Pasted #1 +20 lines]cd"},
		{"left and right", []string{"left", "right", "x"}, "ab[Pasted #1 +20 lines]x|cd"},
		{"word back", []string{"ctrl+w"}, "ab|cd"},
		{"word left", []string{"alt+left", "alt+left"}, "|ab[Pasted #1 +20 lines]cd"},
		{"word right", []string{"home", "alt+right", "alt+right"}, "ab[Pasted #1 +20 lines]|cd"},
		{"an accent behind it", []string{"\u0301", "left"}, "ab[Pasted #1 +20 lines]|\u0301cd"},
		{"cut and put back", []string{"ctrl+w", "end", "ctrl+y"}, "abcd[Pasted #1 +20 lines]|"},
		{"undo", []string{"ctrl+/"}, "ab|cd"},
		{"redo", []string{"ctrl+/", "alt+/"}, "ab[Pasted #1 +20 lines]|cd"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newEditor(60, 20)
			press(m, "abcd", "left", "left")
			m.HandlePaste(strings.Repeat("line\n", 20))
			press(m, tt.keys...)
			if at(m) != tt.want {
				t.Errorf("%q, want %q", at(m), tt.want)
			}
		})
	}
}

// TestChipsExpandOnEveryWayOut: nobody ever gets a label for the text.
func TestChipsExpandOnEveryWayOut(t *testing.T) {
	long := strings.Repeat("line\n", 30)
	fresh := func() *Model {
		m := newEditor(60, 20)
		press(m, "see ")
		m.HandlePaste(long)
		m.HandlePaste("+" + long)
		return m
	}
	want := "see " + long + "+" + long
	if got := fresh().Value(); got != want {
		t.Errorf("Value: %q", got)
	}
	if open, ok := press(fresh(), "ctrl+g").(OpenExternal); !ok || open.Text != want {
		t.Errorf("OpenExternal: %q", open.Text)
	}
	if s, ok := press(fresh(), "enter").(Submit); !ok || s.Text != want {
		t.Errorf("Submit: %q", s.Text)
	}
	m := fresh()
	m.SetBusy(true)
	if s, ok := press(m, "alt+enter").(Submit); !ok || s.Text != want || !s.FollowUp {
		t.Errorf("follow-up: %q", s.Text)
	}
	m = fresh()
	press(m, "ctrl+c", "up") // a cleared draft comes back whole
	if got := m.Value(); got != want {
		t.Errorf("a draft: %q", got)
	}
}

func TestPictures(t *testing.T) {
	m := newEditor(60, 20)
	a, b := chat.Image{MIME: "image/png"}, chat.Image{MIME: "image/gif"}
	press(m, "compare ")
	m.AddImage(a)
	press(m, " with ")
	m.HandlePaste(strings.Repeat("line\n", 20))
	m.AddImage(b)
	if want := "compare [Image #1] with [Pasted #1 +20 lines][Image #2]|"; at(m) != want {
		t.Fatalf("%q, want %q", at(m), want)
	}
	m.SetValue("first [Image #2], then [Image #1], and [Image #3]") // edited elsewhere
	s := sentText(t, m)
	if len(s.Images) != 2 || s.Images[0].MIME != b.MIME || s.Images[1].MIME != a.MIME {
		t.Errorf("%d pictures: %v", len(s.Images), s.Images)
	}
	if want := "first [Image #2], then [Image #1], and [Image #3]"; s.Text != want {
		t.Errorf("%q, want %q", s.Text, want)
	}
	m.SetValue("[Image #1]")
	if s := sentText(t, m); len(s.Images) != 0 {
		t.Errorf("a picture of a message that was sent is sent again")
	}
}

// TestSendingIsTheEnd: what was sent cannot be undone back into the field.
func TestSendingIsTheEnd(t *testing.T) {
	m := newEditor(60, 20)
	press(m, "hello", "enter", "ctrl+/")
	if !m.Empty() {
		t.Errorf("%q", at(m))
	}
}
