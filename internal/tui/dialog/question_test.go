package dialog

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
)

// asked is a question with a clock that the test turns.
type asked struct {
	*Question
	clock time.Time
}

func ask(ready bool, about chat.Question) *asked {
	a := &asked{clock: time.Unix(1000, 0)}
	a.Question = NewQuestion(QuestionOptions{
		Keys: keymap.Default(), Theme: theme.Dark(), About: about, Ready: ready, Now: func() time.Time { return a.clock },
	})
	a.SetSize(80, 16)
	return a
}

func (a *asked) wait(d time.Duration) { a.clock = a.clock.Add(d) }

func someQuestion() chat.Question {
	return chat.Question{
		ID: "q", Reason: "it runs rm", Rules: []string{"Bash(rm x)"},
		Access: []chat.Access{{Kind: chat.AccessRun, Command: "rm x"}},
	}
}

func reply(d chat.Decision, word string) Action {
	return Answered{ID: "q", Reply: chat.Reply{Decision: d, Word: word}}
}

// TestAnswers plays keys with pauses between them: "." is one of the length of
// the grace, "," a short one, and other names are keys.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		ready bool
		keys  string
		want  Action
	}{
		{"once", true, ". y", reply(chat.AllowOnce, "")},
		{"for the session", true, ". s", reply(chat.AllowSession, "")},
		{"always", true, ". a", reply(chat.AllowAlways, "")},
		{"no, without a word", true, ". n enter", reply(chat.Deny, "")},
		{"no, with a word", true, ". n u s e space m v enter", reply(chat.Deny, "use mv")},
		{"no, taken back", true, ". n x esc y", reply(chat.AllowOnce, "x")},
		{"the accept key on the first answer", true, ". enter", reply(chat.AllowOnce, "")},
		{"down and accept", true, ". down enter", reply(chat.AllowSession, "")},
		{"up and around", true, ". up enter enter", reply(chat.Deny, "")},
		{"close", true, ". esc", Closed{}},
		{"ctrl+c closes", true, ". ctrl+c", Closed{}},
		{"close at once", true, "esc", Closed{}},

		{"too early", true, "y", nil},
		{"too early, accept", true, "enter", nil},
		{"too early, then again in time", true, "y . y", reply(chat.AllowOnce, "")},
		{"hammering one key", true, "y , y , y , y , y", reply(chat.AllowOnce, "")},
		{"scrolling is no answer and starts nothing again", true, ", , pgdown , y", reply(chat.AllowOnce, "")},

		{"accept alone, while a text is written", false, ". enter", nil},
		{"accept twice, while a text is written", false, ". enter . enter", nil},
		{"a letter says what is meant", false, ". y", reply(chat.AllowOnce, "")},
		{"so does a choice", false, ". down enter", reply(chat.AllowOnce, "")},
		{"from the bottom", false, ". up enter enter", reply(chat.Deny, "")},

		{"a word that is being typed", true, "w , a , y , s", nil},
		{"a word, and sent", true, "w , a , y , s , enter", nil},
		{"a word, and sent after a thought", true, "w , a , y , s . enter", nil},
		{"a word that begins after a pause", true, ". l , a , y", nil},
		{"a word of answers only", true, "s , a , y . enter", nil},
		{"after typing, a letter only chooses", true, "l , s . a", nil},
		{"and accept confirms it", true, "l , s . a . enter", reply(chat.AllowAlways, "")},
		{"but not in the same breath", true, "l , s . a , enter", nil},
		{"typing goes on after a pause", true, "l , s . a , l , l . enter", nil},
		{"letters in a row after typing", true, "l , s . a , s , enter", nil},
		{"a choice after typing", true, "l , s . down enter", reply(chat.AllowOnce, "")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := ask(tt.ready, someQuestion())
			var got Action
			for _, k := range strings.Fields(tt.keys) {
				switch k {
				case ".":
					a.wait(grace)
				case ",":
					a.wait(grace / 3)
				default:
					got = a.HandleKey(key(k))
				}
			}
			if got != tt.want {
				t.Errorf("%q decides %v, want %v", tt.keys, got, tt.want)
			}
		})
	}
}

// TestNoFlowOfTextSaysYes types random prompts, sent or not, over a question.
func TestNoFlowOfTextSaysYes(t *testing.T) {
	words := []string{"yes", "say", "always", "as", "a", "no", "y", "and", "make", "all", "pass", "ssss", "日本"}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := ask(r.IntN(2) == 0, someQuestion())
		var text []string
		for range 2 + r.IntN(6) {
			text = append(text, words[r.IntN(len(words))])
		}
		if text[0] == "ssss" {
			text[0] = "less" // a held key is no text
		}
		typed := strings.Join(text, " ")
		for _, c := range typed {
			if act := a.HandleKey(tea.KeyPressMsg{Code: c, Text: string(c)}); act != nil {
				t.Fatalf("%q decides %v", typed, act)
			}
			a.wait(time.Duration(40+r.IntN(200)) * time.Millisecond)
		}
		if act := a.HandleKey(key("enter")); act != nil {
			t.Fatalf("%q and enter decide %v", typed, act)
		}
	}
}

func TestWithoutARuleThereIsNoAlways(t *testing.T) {
	q := someQuestion()
	q.Rules = nil
	a := ask(true, q)
	a.wait(grace)
	if act := press(a, "s"); act != nil || strings.Contains(screen(a), "always") {
		t.Errorf("%v\n%s", act, screen(a))
	}
}

func TestNothingOfACommandIsHidden(t *testing.T) {
	for _, tt := range []struct {
		command string
		want    []string
	}{
		{"# harmless\nrm -f V", []string{"# harmless", "rm -f V"}},
		{"rm -f V\r# ls", []string{`rm -f V\x0d# ls`}},
		{"rm -f V\u202e sl", []string{`\u202e sl`}},
		{"x\r\x1b]0;P\a", []string{`x\x0d\x1b]0;P\x07`}},
		{"echo\u00a0a\u200bb", []string{`echo\u00a0a\u200bb`}},
		{"a\tb", []string{`a\x09b`}},
		{"bad \xff\xfe", []string{`bad \xff\xfe`}},
	} {
		a := ask(true, chat.Question{Access: []chat.Access{{Kind: chat.AccessRun, Command: tt.command, Dir: "/w\x1b"}}})
		for _, want := range append(tt.want, `in /w\x1b`) {
			if !strings.Contains(screen(a), want) {
				t.Errorf("%q: no %q in\n%s", tt.command, want, screen(a))
			}
		}
	}
}

// TestAllOfACommandCanBeRead scrolls through random commands in random sizes:
// all rows together are the whole command, character for character.
func TestAllOfACommandCanBeRead(t *testing.T) {
	parts := []string{"echo ", "a", "日本", "👩\u200d💻", "e\u0301", "\n", "  ", "\t", "\u202e", "--a-long-option=", "|", strings.Repeat("x", 70), "\x1b[2J"}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 2))
		var command strings.Builder
		for range 1 + r.IntN(60) {
			command.WriteString(parts[r.IntN(len(parts))])
		}
		a := ask(true, chat.Question{Access: []chat.Access{{Kind: chat.AccessRun, Command: command.String()}}})
		w, h := 4+r.IntN(100), 4+r.IntN(20)
		a.SetSize(w, h)
		var rows []string
		for i := 0; ; i++ {
			a.from = min(i, len(a.text(w))-a.seen())
			view := strings.Split(screen(a), "\n")
			row := view[a.first()+i-a.from]
			rows = append(rows, strings.TrimPrefix(row, " "))
			if i == len(a.text(w))-1 {
				break
			}
		}
		want := strings.ReplaceAll(sanitize.ForApproval(command.String()), "\n", "")
		if got := strings.Join(rows, ""); got != want {
			t.Fatalf("at %d×%d:\n%q\nwant\n%q", w, h, got, want)
		}
	}
}

func TestALongCommandScrolls(t *testing.T) {
	q := someQuestion()
	q.Access[0].Command = strings.Repeat("true\n", 50) + "rm -rf last"
	a := ask(true, q)
	if s := screen(a); strings.Contains(s, "rm -rf last") || !strings.Contains(s, "of 52") || !strings.Contains(s, "pgdown more") {
		t.Errorf("%s", s)
	}
	for range 20 {
		press(a, "pgdown")
	}
	if s := screen(a); !strings.Contains(s, "rm -rf last") || !strings.Contains(s, "Yes, this once") {
		t.Errorf("%s", s)
	}
	a.HandleWheel(-100)
	if s := screen(a); !strings.Contains(s, "Asks because it runs rm") {
		t.Errorf("%s", s)
	}
}

func TestTheEnvironmentOfACallIsShown(t *testing.T) {
	q := someQuestion()
	q.Access[0].Env = map[string]string{"PATH": "/evil\x1b", "A": "b c"}
	if s := screen(ask(true, q)); !strings.Contains(s, `with A="b c"`) || !strings.Contains(s, `with PATH="/evil\x1b"`) {
		t.Errorf("%s", s)
	}
}

func TestALongRuleIsShownWhole(t *testing.T) {
	q := someQuestion()
	q.Rules = []string{"Bash(" + strings.Repeat("word ", 30) + "END)"}
	a := ask(true, q)
	a.SetSize(80, 30)
	if s := screen(a); !strings.Contains(s, "Always would allow") || !strings.Contains(s, "END)") {
		t.Errorf("%s", s)
	}
}

func TestTheQuestionSaysWhatItIsAbout(t *testing.T) {
	for title, q := range map[string]chat.Question{
		"Run this command?":                     someQuestion(),
		"Change this file?":                     {Access: []chat.Access{{Kind: chat.AccessWrite, Path: "/w/f"}}},
		"Allow this?":                           {Access: []chat.Access{{Kind: chat.AccessRead, Path: "/etc/passwd"}}},
		"This could destroy something. Run it?": {Destructive: true, Access: []chat.Access{{Kind: chat.AccessRun, Command: "mkfs"}}},
	} {
		if a := ask(true, q); a.Title() != title || !strings.Contains(screen(a), title) {
			t.Errorf("%q, want %q", a.Title(), title)
		}
	}
}

func TestAQuestionShowsWhatWouldBeWritten(t *testing.T) {
	edit, _ := json.Marshal(map[string]any{"path": "f", "edits": []map[string]string{{"old": "a\nb", "new": "c\x1b"}}})
	write, _ := json.Marshal(map[string]any{"path": "f", "content": "one\n\ttwo\n"})
	for _, tt := range []struct {
		args []byte
		want []string
	}{
		{edit, []string{"- a", "- b", `+ c\x1b`}},
		{write, []string{"+ one", "+     two"}},
	} {
		a := ask(true, chat.Question{Call: chat.ToolCall{Args: tt.args}, Access: []chat.Access{{Kind: chat.AccessWrite, Path: "/w/f"}}})
		for _, want := range append(tt.want, "/w/f") {
			if !strings.Contains(screen(a), want) {
				t.Errorf("no %q in\n%s", want, screen(a))
			}
		}
	}
}

// TestTheSmallestScreenShowsCommandAndAnswers is for 20 cells by 5 rows, one of
// which is the status line.
func TestTheSmallestScreenShowsCommandAndAnswers(t *testing.T) {
	q := someQuestion()
	q.Reason = ""
	a := ask(true, q)
	a.SetSize(20, 4)
	s := screen(a)
	if !strings.Contains(s, "rm x") || !strings.Contains(s, "y once  s  a  n") {
		t.Errorf("%s", s)
	}
	a.wait(grace)
	if act := press(a, "down", "enter"); act != reply(chat.AllowSession, "") {
		t.Errorf("%v", act)
	}
}

func TestTheMouseAnswers(t *testing.T) {
	a := ask(false, someQuestion())
	at := func(text string) int {
		for y, l := range strings.Split(screen(a), "\n") {
			if strings.Contains(l, text) {
				return y
			}
		}
		t.Fatalf("no %q in\n%s", text, screen(a))
		return 0
	}
	y := at("in this session")
	if act := a.HandleClick(5, y); act != nil {
		t.Errorf("too early: %v", act)
	}
	a.wait(grace)
	for _, elsewhere := range []int{-1, 0, 1, at("rm x"), 15, 99} {
		if act := a.HandleClick(5, elsewhere); act != nil {
			t.Errorf("row %d: %v", elsewhere, act)
		}
	}
	if act := a.HandleClick(5, y); act != reply(chat.AllowSession, "") {
		t.Errorf("%v", act)
	}
}

func TestAPasteGoesOnlyIntoTheWord(t *testing.T) {
	a := ask(true, someQuestion())
	a.HandlePaste("y\n")
	a.wait(grace)
	press(a, "n")
	a.HandlePaste("use\x1b[31m mv\n")
	if act := press(a, "enter"); act != reply(chat.Deny, "use[31m mv") {
		t.Errorf("%v", act)
	}
}

func TestTheColoursOfAQuestionChange(t *testing.T) {
	a := ask(true, someQuestion())
	dark := a.View()
	a.SetTheme(theme.Plain())
	if plain := a.View(); plain == dark || strings.Contains(plain, "\x1b[38") || ansi.Strip(plain) == "" {
		t.Errorf("%q", plain)
	}
}
