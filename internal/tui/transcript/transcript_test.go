package transcript

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/theme"
)

// rig is a transcript with a clock of its own.
type rig struct {
	t *testing.T
	m *Model
	n int
}

func newRig(t *testing.T, w, h int) *rig {
	t.Helper()
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	r := &rig{t: t, m: New(Options{Theme: theme.Dark(), Now: func() time.Time { return now }, ExpandKey: "ctrl+o", CancelKey: "esc"})}
	r.m.SetSize(w, h)
	return r
}

func (r *rig) say(m chat.Message) {
	r.n++
	r.m.Apply(session.Appended{Entry: session.Entry{Type: session.TypeMessage, ID: fmt.Sprint(r.n), Message: &m}})
}

func (r *rig) user(text string) { r.say(chat.UserText(text)) }

func (r *rig) answer(parts ...chat.Part) {
	r.say(chat.Message{Role: chat.RoleAssistant, Parts: parts, Answer: &chat.Answer{Stop: chat.StopEnd}})
}

func call(id, command string) chat.Part {
	args, _ := json.Marshal(map[string]string{"command": command})
	return chat.Part{Kind: chat.PartToolCall, Call: &chat.ToolCall{ID: id, Name: "bash", Args: args}}
}

func (r *rig) result(id, text string) {
	code := 0
	r.say(chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: id, Name: "bash", Parts: []chat.Part{chat.TextPart(text)}, Details: &chat.Details{Run: &chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}}})
}

func (r *rig) bang(id, command, output string, outcome chat.Outcome) {
	code := 0
	run := chat.BashRun{ID: id, Command: command, Output: output, RunInfo: chat.RunInfo{Outcome: outcome}}
	if outcome == chat.Exited {
		run.ExitCode = &code
	}
	r.say(chat.Message{Role: chat.RoleBashExecution, Run: &run})
}

// screen checks the rectangle and returns it without styles.
func (r *rig) screen() string {
	r.t.Helper()
	view := r.m.View()
	if r.m.w < 1 || r.m.h < 1 {
		return ansi.Strip(view)
	}
	rows := strings.Split(view, "\n")
	if len(rows) > r.m.h {
		r.t.Fatalf("%d rows of %d", len(rows), r.m.h)
	}
	for _, row := range rows {
		if w := ansi.StringWidth(row); w > r.m.w {
			r.t.Fatalf("%d cells of %d: %q\n%s", w, r.m.w, row, view)
		}
	}
	return ansi.Strip(view)
}

func (r *rig) shows(texts ...string) {
	r.t.Helper()
	for _, x := range texts {
		if s := r.screen(); !strings.Contains(s, x) {
			r.t.Errorf("%q is not there:\n%s", x, s)
		}
	}
}

func (r *rig) hides(texts ...string) {
	r.t.Helper()
	for _, x := range texts {
		if s := r.screen(); strings.Contains(s, x) {
			r.t.Errorf("%q is there:\n%s", x, s)
		}
	}
}

// tail is the output of what runs.
type tail string

func (t tail) String() string { return string(t) }

func lines(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "row %d\n", i)
	}
	return b.String()
}

func TestAnAnswerComesInPieces(t *testing.T) {
	r := newRig(t, 60, 20)
	r.user("why?")
	r.m.Apply(session.Delta{Kind: session.DeltaThinking, Text: "let me see"})
	r.m.Apply(session.Delta{Kind: session.DeltaText, Text: "Because **it"})
	r.shows("why?", "Because")
	r.m.Apply(session.Delta{Kind: session.DeltaText, Text: "** is."})
	r.m.Apply(session.Delta{Kind: session.DeltaArgs, CallID: "c", Name: "bash", Text: `{"command":"make te`})
	r.shows("Because it is.", "make te")
	r.answer(chat.Part{Kind: chat.PartThinking, Text: "let me see"}, chat.TextPart("Because **it** is."), call("c", "make test"))
	r.m.Apply(session.ToolStarted{Call: *call("c", "make test").Call})
	r.m.Apply(session.Progress{ID: "c", Tail: tail("half\n")})
	r.shows("make test", "half", "esc to cancel")
	if !r.m.Live() {
		t.Error("nothing lives")
	}
	r.m.Apply(session.ToolEnded{CallID: "c"})
	r.result("c", "half\nwhole\n")
	r.shows("whole")
	r.hides("esc to cancel")
	if n := strings.Count(r.screen(), "Because it is."); n != 1 {
		t.Errorf("the answer stands there %d times", n)
	}
	if r.m.Live() {
		t.Error("something lives still")
	}
}

func TestAnAnswerThatBeginsAgainLeavesNothing(t *testing.T) {
	r := newRig(t, 60, 20)
	r.m.Apply(session.Delta{Kind: session.DeltaText, Text: "wrong"})
	r.m.Apply(session.Delta{Kind: session.DeltaArgs, CallID: "x", Name: "bash", Text: `{"command":"rm`})
	r.m.Apply(session.Delta{Kind: session.DeltaRestart})
	r.hides("wrong", "rm")
	r.m.Apply(session.Delta{Kind: session.DeltaText, Text: "right"})
	r.m.Apply(session.Retrying{Error: "the server is busy"})
	r.hides("right")
	r.shows("the server is busy")
}

func TestACommandEndsWhereItBegan(t *testing.T) {
	r := newRig(t, 60, 30)
	r.bang("b", "make", "", chat.Running)
	r.user("meanwhile")
	r.m.Apply(session.Progress{ID: "b", Tail: tail("building\n")})
	r.shows("building", "Running")
	r.bang("b", "make", "built\n", chat.Exited)
	r.shows("built")
	r.hides("building", "Running")
	if s := r.screen(); strings.Index(s, "built") > strings.Index(s, "meanwhile") {
		t.Errorf("it moved:\n%s", s)
	}
}

func TestTheViewStaysWhileMoreComes(t *testing.T) {
	r := newRig(t, 60, 10)
	for i := range 30 {
		r.user(fmt.Sprintf("message %d", i))
	}
	r.shows("message 29")
	r.m.ScrollBy(-20)
	before := r.screen()
	if r.m.AtEnd() {
		t.Error("it follows")
	}
	for i := range 20 {
		r.user(fmt.Sprintf("later %d", i))
	}
	after := r.screen()
	cut := func(s string) string { return s[:strings.LastIndex(s, "\n")] } // but for the mark
	if cut(before) != cut(after) {
		t.Errorf("it moved:\n%s\n\n%s", before, after)
	}
	if !strings.Contains(after, "new below") {
		t.Errorf("nothing says that there is more:\n%s", after)
	}
	r.m.Bottom()
	r.shows("later 19")
	r.user("last")
	r.shows("last")
	r.m.Top()
	r.shows("message 0")
	for range 40 {
		r.m.Page(1)
	}
	if !r.m.AtEnd() {
		t.Error("it does not follow at the end")
	}
}

func TestFoldingAndFocus(t *testing.T) {
	r := newRig(t, 60, 60)
	r.user("first prompt")
	r.answer(call("a", "seq 30"))
	r.result("a", lines(30))
	r.user("second prompt")
	r.bang("b", "seq 40", lines(40), chat.Exited)
	r.hides("row 1\n")
	r.m.ToggleExpanded()
	r.m.Top()
	r.shows("row 1\n", "row 20\n")
	r.m.ToggleExpanded()
	r.m.Bottom()
	r.m.Focus(-1)
	if !r.m.Focused() || r.m.CopyFocused() != lines(40) && !strings.Contains(r.m.CopyFocused(), "row 1\n") {
		t.Errorf("focused: %q", r.m.CopyFocused())
	}
	r.m.ToggleFocused()
	r.m.Top()
	if n := strings.Count(ansi.Strip(r.m.Print(60)), "row 1\n"); n != 2 {
		t.Errorf("printed %d times", n)
	}
	r.m.FocusPrompt(-1)
	if got := r.m.CopyFocused(); got != "second prompt" {
		t.Errorf("%q", got)
	}
	r.m.FocusPrompt(-1)
	r.m.FocusPrompt(-1)
	if got := r.m.CopyFocused(); got != "first prompt" {
		t.Errorf("%q", got)
	}
	r.m.FocusPrompt(1)
	if got := r.m.CopyFocused(); got != "second prompt" {
		t.Errorf("%q", got)
	}
	r.m.Blur()
	if r.m.Focused() {
		t.Error("the focus stays")
	}
}

func TestHiddenOutputIsFound(t *testing.T) {
	r := newRig(t, 60, 20)
	r.answer(call("a", "seq 90"))
	r.result("a", lines(40)+"Needle here\n"+lines(40))
	for range 10 {
		r.user("filler")
	}
	r.hides("Needle")
	if !r.m.Find("needle", -1) {
		t.Fatal("not found")
	}
	if !strings.Contains(r.m.CopyFocused(), "Needle") {
		t.Errorf("focused: %q", r.m.CopyFocused())
	}
	if r.m.Find("NEEDLE", -1) || r.m.Find("nowhere", 1) {
		t.Error("found what is not there")
	}
}

func TestWhatIsTruncatedLeadsToItsArtifact(t *testing.T) {
	r := newRig(t, 60, 40)
	code := 0
	run := chat.BashRun{ID: "b", Command: "seq 99999", Output: lines(5), RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}
	run.Meta.Truncation = &chat.Truncation{ArtifactID: 7}
	r.say(chat.Message{Role: chat.RoleBashExecution, Run: &run})
	r.bang("c", "ls", "x\n", chat.Exited)
	row := 0
	for i, l := range strings.Split(r.screen(), "\n") {
		if strings.Contains(l, "row 3") {
			row = i
		}
	}
	if id := r.m.Click(row); id != 7 {
		t.Errorf("a click leads to %d", id)
	}
	r.m.Focus(-1)
	if id := r.m.FocusedArtifact(); id != 0 {
		t.Errorf("the short one leads to %d", id)
	}
	r.m.Focus(-1)
	if id := r.m.FocusedArtifact(); id != 7 {
		t.Errorf("the focus leads to %d", id)
	}
}

func TestAnotherConversationIsClean(t *testing.T) {
	r := newRig(t, 60, 20)
	r.bang("b", "make", "", chat.Running)
	m := chat.UserText("other")
	run := chat.BashRun{ID: "z", Command: "sleep", RunInfo: chat.RunInfo{Outcome: chat.Running}}
	r.m.Reset([]session.Entry{{Message: &m}, {Message: &chat.Message{Role: chat.RoleBashExecution, Run: &run}}})
	r.hides("make")
	r.shows("other", "sleep")
	if r.m.Live() {
		t.Error("the past lives")
	}
	r.m.Reset(nil)
	if !r.m.Empty() || strings.TrimSpace(r.screen()) != "" {
		t.Errorf("%q", r.screen())
	}
}

// TestNothingBreaksTheRectangle does what a person and a model can do, in any
// order and at any size.
func TestNothingBreaksTheRectangle(t *testing.T) {
	texts := []string{"short", "日本語のテキスト 👨‍👩‍👧‍👦 é", strings.Repeat("wide ", 60), lines(40), "a\tb\x1b[31mc\x1b]0;t\x07", "# Title\n\n- one\n- two\n\n```go\nx\n```\n", "", "שלום \u202eevil"}
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a test
		r := newRig(t, 60, 20)
		pick := func() string { return texts[rng.IntN(len(texts))] }
		ids := []string{"x"}
		id := func() string { return ids[rng.IntN(len(ids))] }
		steps := []func(){
			func() { r.user(pick()) },
			func() { r.answer(chat.TextPart(pick()), chat.Part{Kind: chat.PartThinking, Text: pick()}) },
			func() {
				ids = append(ids, fmt.Sprint("c", len(ids)))
				r.answer(call(ids[len(ids)-1], pick()))
				r.m.Apply(session.ToolStarted{Call: *call(ids[len(ids)-1], pick()).Call})
			},
			func() { r.m.Apply(session.Progress{ID: id(), Tail: tail(pick())}) },
			func() { r.m.Apply(session.ToolEnded{CallID: id()}) },
			func() { r.result(id(), pick()) },
			func() {
				r.bang(id(), pick(), pick(), []chat.Outcome{chat.Running, chat.Exited, chat.Cancelled}[rng.IntN(3)])
			},
			func() { r.m.Apply(session.Delta{Kind: session.DeltaText, Text: pick()}) },
			func() { r.m.Apply(session.Delta{Kind: session.DeltaThinking, Text: pick()}) },
			func() {
				r.m.Apply(session.Delta{Kind: session.DeltaArgs, CallID: id(), Name: "bash", Text: `{"command":"` + "x"})
			},
			func() { r.m.Apply(session.Delta{Kind: session.DeltaRestart}) },
			func() { r.m.Apply(session.TurnEnded{Reason: session.EndError, Error: pick()}) },
			func() { r.m.Apply(session.Retrying{Error: pick()}) },
			func() { r.m.Apply(session.Notice{Level: session.Warning, Text: pick()}) },
			func() { r.m.SetSize(rng.IntN(100)-1, rng.IntN(40)-1) },
			func() { r.m.ScrollBy(rng.IntN(60) - 30) },
			func() { r.m.Page(rng.IntN(5) - 2) },
			func() { r.m.Top() }, func() { r.m.Bottom() }, func() { r.m.Tick() }, func() { r.m.Blur() },
			func() { r.m.ToggleExpanded() }, func() { r.m.ToggleThinking() }, func() { r.m.ToggleFocused() },
			func() { r.m.Focus(rng.IntN(3) - 1) }, func() { r.m.FocusPrompt(2*rng.IntN(2) - 1) },
			func() { r.m.Find(pick(), 2*rng.IntN(2)-1) }, func() { r.m.Click(rng.IntN(50)) }, func() { r.m.CopyFocused() },
			func() { r.m.SetTheme([]*theme.Theme{theme.Dark(), theme.Light(), theme.Plain()}[rng.IntN(3)]) },
		}
		for range 600 {
			steps[rng.IntN(len(steps))]()
			r.screen()
		}
		r.m.Reset(nil)
		r.screen()
	}
}
