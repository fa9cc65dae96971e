package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/theme"
)

// fake is an agent that writes down what it was asked.
type fake struct {
	log   []string
	state agent.State
}

func (f *fake) note(format string, args ...any) { f.log = append(f.log, fmt.Sprintf(format, args...)) }

func (f *fake) Prompt(p []chat.Part)   { f.note("prompt %s", chat.Message{Parts: p}.Text()) }
func (f *fake) FollowUp(p []chat.Part) { f.note("later %s", chat.Message{Parts: p}.Text()) }
func (f *fake) Unqueue()               { f.note("unqueue") }
func (f *fake) Bang(line string, private bool) string {
	f.note("bang %s %v", line, private)
	return "id"
}
func (f *fake) Interrupt()                     { f.note("interrupt") }
func (f *fake) Answer(id string, r chat.Reply) { f.note("answer %s %s %s", id, r.Decision, r.Word) }
func (f *fake) SetThinking(e llm.Effort)       { f.note("thinking %s", e) }
func (f *fake) SetMode(m permission.Mode)      { f.state.Mode = m; f.note("mode %s", m) }
func (f *fake) Compact(hint string)            { f.note("compact %s", hint) }
func (f *fake) GoTo(id string)                 { f.note("goto %s", id) }
func (f *fake) State() agent.State             { return f.state }

// rig is an App of a test with a clock of its own.
type rig struct {
	t   *testing.T
	a   *App
	f   *fake
	s   *session.Session
	now time.Time
}

func newRig(t *testing.T, w, h int) *rig {
	t.Helper()
	r := &rig{t: t, f: &fake{state: agent.State{Mode: permission.Ask, Model: llm.Model{ID: "m", Provider: "p"}}}, s: session.NewMemory("/home/me/work"), now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	r.a = New(t.Context(), Options{
		First: Conversation{Session: r.s, Agent: r.f}, Keys: keymap.Default(), Theme: theme.Dark(), Home: "/home/me", Now: func() time.Time { return r.now },
		Welcome: []string{"agent", "say something"},
		Models:  func() []Model { return []Model{{Provider: "p", ID: "m"}, {Provider: "q", ID: "other", Needs: "Q_KEY"}} },
		SetModel: func(_ Conversation, provider, id string) error {
			r.f.note("model %s %s", provider, id)
			return nil
		},
		StoreKey: func(variable, key string) error {
			r.f.note("store %s %s", variable, key)
			return nil
		},
	})
	r.a.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return r
}

// press sends keys: names such as "enter" and "ctrl+c", else text.
func (r *rig) press(keys ...string) {
	r.t.Helper()
	special := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp}, "pgdown": {Code: tea.KeyPgDown},
		"end": {Code: tea.KeyEnd}, "tab": {Code: tea.KeyTab}, "shift+tab": {Code: tea.KeyTab, Mod: tea.ModShift}, "alt+enter": {Code: tea.KeyEnter, Mod: tea.ModAlt},
		"alt+up": {Code: tea.KeyUp, Mod: tea.ModAlt}, "shift+up": {Code: tea.KeyUp, Mod: tea.ModShift}, "backspace": {Code: tea.KeyBackspace},
	}
	for _, k := range keys {
		if m, ok := special[k]; ok {
			r.a.Update(m)
			continue
		}
		if c, ok := strings.CutPrefix(k, "ctrl+"); ok {
			r.a.Update(tea.KeyPressMsg{Code: rune(c[0]), Mod: tea.ModCtrl})
			continue
		}
		for _, c := range k {
			r.a.Update(tea.KeyPressMsg{Code: c, Text: string(c)})
		}
	}
}

// events delivers what happened in the session since the last time.
func (r *rig) events() {
	r.t.Helper()
	done := make(chan eventsMsg, 1)
	go func() {
		ev, err := r.a.feed.Next(r.t.Context())
		if err == nil {
			done <- eventsMsg{r.a.feed, ev}
		}
	}()
	select {
	case msg := <-done:
		r.a.Update(msg)
	case <-time.After(10 * time.Second):
		r.t.Fatal("nothing happened")
	}
}

// screen is what is seen, and checks that it is exactly the screen.
func (r *rig) screen() string {
	r.t.Helper()
	rows := strings.Split(r.a.View().Content, "\n")
	if r.a.h > 0 && r.a.w > 0 && len(rows) != r.a.h {
		r.t.Fatalf("%d rows on a screen of %d×%d", len(rows), r.a.w, r.a.h)
	}
	for _, row := range rows {
		if w := ansi.StringWidth(row); w > r.a.w {
			r.t.Fatalf("a row of %d cells on a screen of %d: %q", w, r.a.w, row)
		}
	}
	if c := r.a.View().Cursor; c != nil && (c.X < 0 || c.X >= r.a.w || c.Y < 0 || c.Y >= r.a.h) {
		r.t.Fatalf("the cursor is at %d,%d on %d×%d", c.X, c.Y, r.a.w, r.a.h)
	}
	return ansi.Strip(strings.Join(rows, "\n"))
}

func (r *rig) asked(want ...string) {
	r.t.Helper()
	if got := strings.Join(r.f.log, "; "); got != strings.Join(want, "; ") {
		r.t.Errorf("asked for %q, want %q", got, strings.Join(want, "; "))
	}
	r.f.log = nil
}

func (r *rig) shows(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if s := r.screen(); !strings.Contains(s, text) {
			r.t.Errorf("%q is not on the screen:\n%s", text, s)
		}
	}
}

func (r *rig) hides(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if s := r.screen(); strings.Contains(s, text) {
			r.t.Errorf("%q is on the screen:\n%s", text, s)
		}
	}
}

func TestWhatIsTypedGoesWhereItBelongs(t *testing.T) {
	r := newRig(t, 80, 24)
	r.shows("agent", "say something", "~/work", "ask", "m")
	r.press("hello", "enter")
	r.asked("prompt hello")
	r.press("!make test", "enter", "!!env", "enter", "!", "enter")
	r.asked("bang make test false", "bang env true")
	r.press("/compact tests", "enter")
	r.asked("compact tests")
	r.press("/hepl", "enter")
	r.shows("There is no command /hepl; did you mean /help?")
}

func TestWhileATurnRuns(t *testing.T) {
	r := newRig(t, 80, 24)
	r.f.state.Turn, r.f.state.Busy = true, true
	r.s.Publish(session.TurnStarted{})
	r.events()
	r.now = r.now.Add(3 * time.Second)
	r.shows("Working 3.0s", "esc to interrupt")
	r.press("mind this", "enter", "and later", "alt+enter")
	r.asked("prompt mind this", "later and later")
	r.f.state.Steer = []string{"mind this"}
	r.s.Publish(session.Queued{Steer: []string{"mind this"}})
	r.events()
	r.shows("↳ mind this")
	r.press("alt+up")
	r.asked("unqueue")
	r.s.Publish(session.Returned{Text: "mind this"})
	r.events()
	r.shows("› mind this")
	r.press("esc")
	r.asked("interrupt")
	r.shows("mind this")
}

func TestAQuestionTakesTheKeys(t *testing.T) {
	r := newRig(t, 80, 24)
	r.f.state.Busy = true
	ask := func() {
		r.s.Publish(session.Asked{Question: chat.Question{ID: "q1", Reason: "it runs rm", Parts: []string{"rm x"}, Rules: []string{"Bash(rm x)"}, Access: []chat.Access{{Kind: chat.AccessRun, Command: "ls; rm x\u202e\x1b", Dir: "/w"}}}})
		r.events()
	}
	ask()
	r.shows(`ls; rm x\u202e\x1b`, "Asks because it runs rm", "always Bash(rm x)")
	r.press("y")
	r.asked() // too early: it was typed for the prompt
	r.now = r.now.Add(time.Second)
	r.press("y")
	r.asked("answer q1 once ")
	r.hides("Asks because")
	ask()
	r.now = r.now.Add(time.Second)
	r.press("n", "use make", "enter")
	r.asked("answer q1 no use make")
	ask()
	r.press("esc")
	r.asked("interrupt")
	ask()
	r.s.Publish(session.Answered{ID: "q1"})
	r.events()
	r.hides("Asks because")
}

func TestQuittingTakesTwoPresses(t *testing.T) {
	r := newRig(t, 80, 24)
	r.press("some text", "ctrl+c")
	r.hides("some text")
	quits := func(k tea.KeyPressMsg) bool {
		_, cmd := r.a.Update(k)
		found := false
		var look func(c tea.Cmd)
		look = func(c tea.Cmd) {
			if c == nil || found {
				return
			}
			got := make(chan tea.Msg, 1)
			go func() { got <- c() }()
			select {
			case msg := <-got:
				switch msg := msg.(type) {
				case tea.QuitMsg:
					found = true
				case tea.BatchMsg:
					for _, c := range msg {
						look(c)
					}
				}
			case <-time.After(100 * time.Millisecond): // a timer
			}
		}
		look(cmd)
		return found
	}
	if quits(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}) {
		t.Error("once is enough")
	}
	r.shows("again quits")
	if !quits(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}) {
		t.Error("twice is not enough")
	}
	if !quits(tea.KeyPressMsg{Code: 'd', Mod: tea.ModCtrl}) {
		t.Error("ctrl+d does not quit")
	}
}

func TestModesAndModels(t *testing.T) {
	r := newRig(t, 80, 24)
	r.press("shift+tab")
	r.asked("mode edits")
	r.shows("edits: edits of the project's files run unasked")
	r.press("ctrl+l")
	r.shows("needs Q_KEY")
	r.press("other", "enter")
	r.shows("Paste the key")
	r.press("sk-1", "enter")
	r.asked("store Q_KEY sk-1", "model q other")
	r.press("/model p/m", "enter")
	r.asked("model p m")
}

func TestTheTranscriptScrollsAndFolds(t *testing.T) {
	r := newRig(t, 80, 24)
	code := 0
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "row %d\n", i)
	}
	if _, err := r.s.AppendMessage(chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "b", Command: "seq", Output: b.String(), RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}}); err != nil {
		t.Fatal(err)
	}
	r.events()
	r.shows("row 59", "40 more lines")
	r.hides("row 39\n")
	r.press("ctrl+o")
	r.hides("more lines")
	r.press("pgup", "pgup")
	r.shows("row 20", "more below")
	if _, err := r.s.AppendMessage(chat.UserText("news")); err != nil {
		t.Fatal(err)
	}
	r.events()
	r.shows("row 20", "new below")
	r.press("end")
	r.shows("news")
	r.press("ctrl+o", "shift+up", "up", "enter")
	r.shows("row 0")
	r.press("esc", "typed")
	r.shows("› typed")
}

func TestHelpShowsEveryKey(t *testing.T) {
	r := newRig(t, 80, 24)
	r.press("?")
	r.shows("Help", "!command")
	r.press("esc")
	r.hides("!command")
}

func TestAnswersStream(t *testing.T) {
	r := newRig(t, 80, 24)
	for _, d := range []string{"# He", "ading\n\nsome **bo", "ld** text"} {
		r.s.Publish(session.Delta{Kind: session.DeltaText, Text: d})
		r.events()
	}
	r.shows("Heading", "some bold text")
	if _, err := r.s.AppendMessage(chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{chat.TextPart("# Heading\n\nsome **bold** text")}, Answer: &chat.Answer{Stop: chat.StopAborted}}); err != nil {
		t.Fatal(err)
	}
	r.events()
	if s := r.screen(); strings.Count(s, "some bold text") != 1 || !strings.Contains(s, "Interrupted.") {
		t.Error(s)
	}
}

// TestNothingBreaksTheScreen does at random what can happen, at random sizes.
func TestNothingBreaksTheScreen(t *testing.T) {
	keys := []string{"enter", "esc", "up", "down", "pgup", "end", "tab", "shift+tab", "alt+enter", "shift+up", "backspace", "ctrl+o", "ctrl+t", "ctrl+l", "ctrl+r", "ctrl+c", "?", "/", "@", "!", "a", "日本", "👍🏽", "word ", "y", "n", "ctrl+j"}
	for seed := range uint64(25) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		r := newRig(t, 80, 24)
		for i := range 120 {
			switch rnd.IntN(10) {
			case 0:
				r.a.Update(tea.WindowSizeMsg{Width: rnd.IntN(130), Height: rnd.IntN(50)})
			case 1:
				r.s.Publish(session.Delta{Kind: session.DeltaText, Text: strings.Repeat("text 日本 ", rnd.IntN(30)) + "\n\n"})
				r.events()
			case 2:
				call := chat.ToolCall{ID: fmt.Sprint(i), Name: "bash", Args: []byte(`{"command":"ls"}`)}
				if _, err := r.s.AppendMessage(chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{{Kind: chat.PartToolCall, Call: &call}}}); err != nil {
					t.Fatal(err)
				}
				r.s.Publish(session.ToolStarted{Call: call, Since: r.now})
				r.events()
			case 3:
				r.f.state.Turn = rnd.IntN(2) == 0
				r.f.state.Steer = strings.Fields(strings.Repeat("q ", rnd.IntN(5)))
				r.s.Publish(session.Asked{Question: chat.Question{ID: "q", Reason: strings.Repeat("because ", rnd.IntN(30)), Access: []chat.Access{{Kind: chat.AccessRun, Command: strings.Repeat("cmd\n", rnd.IntN(40))}}}})
				r.events()
			case 4:
				r.a.Update(tea.PasteMsg{Content: strings.Repeat("pasted\n", rnd.IntN(20))})
			case 5:
				r.a.Update(tea.MouseWheelMsg{Button: tea.MouseWheelUp, Y: rnd.IntN(30)})
				r.a.Update(tea.MouseClickMsg{Button: tea.MouseLeft, X: rnd.IntN(80), Y: rnd.IntN(30)})
			case 6:
				r.now = r.now.Add(time.Second)
				r.a.Update(tickMsg{})
			default:
				r.press(keys[rnd.IntN(len(keys))])
			}
			r.screen()
		}
	}
}

// TestFoldingEventsIsReplayingEntries compares the live screen with one that
// was opened afterwards.
func TestFoldingEventsIsReplayingEntries(t *testing.T) {
	r := newRig(t, 80, 40)
	code := 0
	call := chat.ToolCall{ID: "c", Name: "bash", Args: []byte(`{"command":"ls"}`)}
	add := func(m chat.Message) {
		if _, err := r.s.AppendMessage(m); err != nil {
			t.Fatal(err)
		}
		r.events()
	}
	add(chat.UserText("go"))
	r.s.Publish(session.Delta{Kind: session.DeltaThinking, Text: "hm"})
	r.s.Publish(session.Delta{Kind: session.DeltaText, Text: "I lo"})
	r.s.Publish(session.Delta{Kind: session.DeltaArgs, CallID: "c", Name: "bash", Text: `{"comm`})
	r.events()
	add(chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{{Kind: chat.PartThinking, Text: "hm"}, chat.TextPart("I look"), {Kind: chat.PartToolCall, Call: &call}}})
	r.s.Publish(session.ToolStarted{Call: call, Since: r.now})
	add(chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "b", Command: "make", RunInfo: chat.RunInfo{Outcome: chat.Running}}})
	add(chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: "c", Name: "bash", Parts: []chat.Part{chat.TextPart("a\n")}, Details: &chat.Details{Run: &chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}}})
	add(chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "b", Command: "make", Output: "made\n", RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}})
	add(chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{chat.TextPart("done")}})
	live := r.screen()
	r.a.show(Conversation{Session: r.s, Agent: r.f})
	if again := r.screen(); again != live {
		t.Errorf("live:\n%s\nafterwards:\n%s", live, again)
	}
}
