package editor

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

// desk is a Completer with a list for every subject. It remembers what it was
// asked, and with late it answers only later.
type desk struct {
	has   map[Subject][]Candidate
	late  bool
	asked []Query
}

func (d *desk) Complete(q Query) ([]Candidate, tea.Cmd) {
	d.asked = append(d.asked, q)
	var fit []Candidate
	for _, c := range d.has[q.Subject] {
		if q.Subject != Arguments || q.Command == "model" {
			fit = append(fit, c)
		}
	}
	if d.late {
		return nil, func() tea.Msg { return Completed{Generation: q.Generation, Candidates: fit} }
	}
	return fit, nil
}

func (d *desk) last() Query {
	if len(d.asked) == 0 {
		return Query{}
	}
	q := d.asked[len(d.asked)-1]
	q.Generation = 0
	return q
}

func newDesk() *desk {
	return &desk{has: map[Subject][]Candidate{
		Files:     {{Text: "src/main.go"}, {Text: "src/", Partial: true}, {Text: "read me.md"}, {Text: "make.sh"}},
		Commands:  {{Text: "help", Final: true}, {Text: "model"}, {Text: "mode"}},
		Arguments: {{Text: "opus", Final: true}, {Text: "gpt", Final: true}},
		Paths:     {{Text: "dir one/", Partial: true}, {Text: "file.txt"}, {Text: "file2.txt"}},
		Programs:  {{Text: "git"}, {Text: "gitk"}, {Text: "go"}},
	}}
}

func at2(d *desk, keys ...string) *Model {
	m := New(Options{Keys: keymap.Default(), Theme: theme.Dark(), Completer: d})
	m.SetFocus(true)
	m.SetSize(60, 14)
	press(m, keys...)
	return m
}

// listed is the completions on the screen, the chosen one with its sign.
func listed(m *Model) string {
	names := make([]string, 0, len(m.popup.shown))
	for i, s := range m.popup.shown {
		name := m.popup.candidates[s.Index].Text
		if i == m.popup.selected {
			name = "›" + name
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func TestCompleting(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string // in the editor
		list string
	}{
		{"files are offered", []string{"see @m"}, "see @m|", "›make.sh src/main.go read me.md"},
		{"all of them after the sign", []string{"@"}, "@|", "›src/main.go src/ read me.md make.sh"},
		{"narrowed by letters", []string{"@ma"}, "@ma|", "›make.sh src/main.go"},
		{"none fits", []string{"@zzz"}, "@zzz|", ""},
		{"and again by taking letters back", []string{"@maz", "backspace"}, "@ma|", "›make.sh src/main.go"},
		{"not in an address", []string{"me@ma"}, "me@ma|", ""},
		{"after a bracket", []string{"(@mak"}, "(@mak|", "›make.sh"},
		{"tab takes it", []string{"@mak", "tab"}, "@make.sh |", ""},
		{"enter takes it", []string{"@mak", "enter"}, "@make.sh |", ""},
		{"down and enter", []string{"@ma", "down", "enter"}, "@src/main.go |", ""},
		{"up goes around", []string{"@ma", "up", "tab"}, "@src/main.go |", ""},
		{"escape closes", []string{"@ma", "esc"}, "@ma|", ""},
		{"and keeps it closed for the word", []string{"@ma", "esc", "k"}, "@mak|", ""},
		{"but not for the next", []string{"@ma", "esc", " @mak"}, "@ma @mak|", "›make.sh"},
		{"a space ends the word", []string{"@ma", " "}, "@ma |", ""},
		{"a motion away closes", []string{"see @ma", "home"}, "|see @ma", ""},
		{"passing by opens nothing", []string{"see @ma", "home", "end"}, "see @ma|", ""},
		{"a directory goes on", []string{"@src/", "tab"}, "@src/|", "›src/ src/main.go"},
		{"spaces get quotes", []string{"@read", "tab"}, `@"read me.md" |`, ""},
		{"inside quotes", []string{`@"read m`, "tab"}, `@"read me.md" |`, ""},
		{"a space that is there is used", []string{"@mak x", "left", "left", "backspace", "k", "tab"}, "@make.sh |x", ""},

		{"commands are offered", []string{"/"}, "/|", "›help model mode"},
		{"enter on a whole name sends it", []string{"/help", "enter"}, "|", ""},
		{"enter on a part takes it; with nothing to add it is sent", []string{"/he", "enter"}, "|", ""},
		{"with something to add it is not", []string{"/mod", "enter"}, "/model |", "›opus gpt"},
		{"not in the middle of a text", []string{"a /he"}, "a /he|", ""},
		{"a path is no command", []string{"/usr/b"}, "/usr/b|", ""},
		{"arguments are offered", []string{"/model o"}, "/model o|", "›opus"},
		{"enter with an argument sends what is typed", []string{"/model o", "enter"}, "|", ""},
		{"unless one was chosen", []string{"/model ", "down", "tab"}, "/model gpt |", ""},
		{"a file after a command", []string{"/model @mak", "tab"}, "/model @make.sh |", "›opus gpt"},

		{"tab completes a path", []string{"see fil", "tab"}, "see file|", "›file.txt file2.txt"},
		{"what all have in common comes first", []string{"fi", "tab", "tab"}, "file.txt |", ""},
		{"tab on nothing does nothing", []string{"a ", "tab"}, "a |", ""},

		{"programs after a bang", []string{"!gi", "tab"}, "!git|", "›git gitk"},
		{"nothing is offered there unasked", []string{"!gi"}, "!gi|", ""},
		{"paths as arguments", []string{"!cat dir", "tab"}, `!cat dir\ one/|`, "›dir one/"},
		{"programs after a pipe", []string{"!ls | gi", "tab"}, "!ls | git|", "›git gitk"},
		{"programs after two bangs", []string{"!!gitk", "tab"}, "!!gitk |", ""},
		{"paths after a redirection", []string{"!ls >file2", "tab"}, "!ls >file2.txt |", ""},
		{"no program for nothing", []string{"!", "tab"}, "!|", ""},

		{"undo of a completion", []string{"@mak", "tab", "ctrl+/"}, "@mak|", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := at2(newDesk(), tt.keys...)
			if at(m) != tt.want || listed(m) != tt.list {
				t.Errorf("%q gives %q with %q, want %q with %q", tt.keys, at(m), listed(m), tt.want, tt.list)
			}
		})
	}
}

func TestWhatIsAskedFor(t *testing.T) {
	for _, tt := range []struct {
		keys []string
		want Query
	}{
		{[]string{"see @src/m"}, Query{Subject: Files, Prefix: "src/m"}},
		{[]string{`see @"a b`}, Query{Subject: Files, Prefix: "a b"}},
		{[]string{"/he"}, Query{Subject: Commands, Prefix: "he"}},
		{[]string{"/model a b"}, Query{Subject: Arguments, Command: "model", Prefix: "b"}},
		{[]string{"a b/c", "tab"}, Query{Subject: Paths, Prefix: "b/c"}},
		{[]string{"!gi", "tab"}, Query{Subject: Programs, Prefix: "gi"}},
		{[]string{"!./gi", "tab"}, Query{Subject: Paths, Prefix: "./gi"}},
		{[]string{`!cat a\ b`, "tab"}, Query{Subject: Paths, Prefix: "a b"}},
		{[]string{"!a=~/x", "tab"}, Query{Subject: Paths, Prefix: "~/x"}},
		{[]string{"hello"}, Query{}},
	} {
		d := newDesk()
		d.has = nil
		at2(d, tt.keys...)
		if d.last() != tt.want {
			t.Errorf("%q asks for %+v, want %+v", tt.keys, d.last(), tt.want)
		}
	}
}

// answers collects what commands bring.
func answers(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var all []tea.Msg
		for _, c := range msg {
			all = append(all, answers(c)...)
		}
		return all
	default:
		return []tea.Msg{msg}
	}
}

func TestCompletionsThatComeLater(t *testing.T) {
	d := newDesk()
	d.late = true
	m := at2(d, "see ")
	_, _, _ = m.HandleKey(tea.KeyPressMsg{Code: '@', Text: "@"})
	_, _, first := m.HandleKey(tea.KeyPressMsg{Code: 'm', Text: "m"})
	_, _, second := m.HandleKey(tea.KeyPressMsg{Code: 'a', Text: "a"})
	if listed(m) != "" {
		t.Errorf("%q", listed(m))
	}
	for _, msg := range answers(first) { // of another word by now
		m.Update(msg)
	}
	if listed(m) != "" {
		t.Errorf("an old answer is shown: %q", listed(m))
	}
	for _, msg := range answers(second) {
		m.Update(msg)
	}
	if want := "›make.sh src/main.go"; listed(m) != want {
		t.Errorf("%q, want %q", listed(m), want)
	}
	press(m, "down")
	for _, msg := range answers(second) { // more of the same: the choice stays
		m.Update(msg)
	}
	if want := "make.sh ›src/main.go"; listed(m) != want {
		t.Errorf("%q, want %q", listed(m), want)
	}
	press(m, "tab", "done")
	for _, msg := range answers(second) {
		m.Update(msg)
	}
	if at(m) != "see @src/main.go done|" || listed(m) != "" {
		t.Errorf("%q with %q", at(m), listed(m))
	}
}

// TestTabWaitsForALateAnswer takes the only completion when it comes.
func TestTabWaitsForALateAnswer(t *testing.T) {
	d := newDesk()
	d.late = true
	m := at2(d, "see dir")
	_, _, cmd := m.HandleKey(named["tab"])
	for _, msg := range answers(cmd) {
		m.Update(msg)
	}
	if want := `see "dir one/|`; at(m) != want {
		t.Errorf("%q, want %q", at(m), want)
	}
}

func TestNamesInTheListAreHarmless(t *testing.T) {
	d := &desk{has: map[Subject][]Candidate{Files: {{Text: "a\u202egpj.exe\x1b[2J\n", Detail: "x\ty\u200b"}}}}
	m := at2(d, "@")
	view := m.View()
	if strings.ContainsAny(ansi.Strip(view), "\u202e\u200b\t\x1b") || strings.Contains(view, "\x1b[2J") {
		t.Errorf("%q", view)
	}
}

func TestALongListScrolls(t *testing.T) {
	d := &desk{has: map[Subject][]Candidate{Files: nil}}
	for c := 'a'; c <= 'z'; c++ {
		d.has[Files] = append(d.has[Files], Candidate{Text: "file-" + string(c)})
	}
	m := at2(d, "@")
	for range 26 {
		if want := "› " + m.popup.chosen().Text; !strings.Contains(ansi.Strip(m.View()), want) {
			t.Fatalf("no %q in\n%s", want, ansi.Strip(m.View()))
		}
		press(m, "down")
	}
	press(m, "pgdown", "pgdown", "pgdown", "pgdown", "tab")
	if at(m) != "@file-z |" {
		t.Errorf("%q", at(m))
	}
}

func TestNoCompleter(t *testing.T) {
	m := New(Options{Keys: keymap.Default(), Theme: theme.Dark()})
	m.SetFocus(true)
	m.SetSize(40, 8)
	press(m, "@a/", "tab")
	if used, _, _ := m.HandleKey(named["tab"]); used || at(m) != "@a/|" {
		t.Errorf("%v %q", used, at(m))
	}
}
