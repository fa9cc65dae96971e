package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/session"
)

func (r *rig) append(m chat.Message) session.Entry {
	r.t.Helper()
	e, err := r.s.AppendMessage(m)
	if err != nil {
		r.t.Fatal(err)
	}
	r.events()
	return e
}

// wait gives a command that takes time, and waits for its outcome.
func (r *rig) wait(line string) {
	r.t.Helper()
	msg, ok := r.a.command(line)().(doneMsg)
	if !ok {
		r.t.Fatalf("%s takes no time", line)
	}
	msg(r.a)
}

// give gives a command that does what it does at once.
func (r *rig) give(line string) { r.a.command(line) }

func TestCommandsTellFacts(t *testing.T) {
	r := newRig(t, 100, 30)
	r.a.o.Tools = func() []Fact { return []Fact{{"bash", "Runs a shell line"}, {"read", "Reads a file"}} }
	r.a.o.Doctor = func() []Fact { return []Fact{{"ok   shell", "/bin/bash"}} }
	r.a.o.ContextFiles = func() []string { return []string{"/home/me/work/AGENTS.md"} }
	r.f.state.Context, r.f.state.Model = 500, llm.Model{Provider: "p", ID: "m", Window: 1000}
	r.append(chat.UserText("hello"))
	code := 0
	r.append(chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "1", Command: "ls", RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}})
	r.append(chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "2", Command: "env", Private: true, RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}})
	r.give("/tools")
	r.shows("The model can call:", "bash  Runs a shell line")
	r.give("/context")
	r.shows("about 500 of 1000 (50%)", "1 of yours, and 1 that the model does not see", "~/work/AGENTS.md")
	r.wait("/doctor")
	r.shows("ok   shell  /bin/bash")
	r.give("/init mind the tests")
	if len(r.f.log) != 1 || !strings.Contains(r.f.log[0], "AGENTS.md") || !strings.HasSuffix(r.f.log[0], "mind the tests") {
		t.Errorf("%q", r.f.log)
	}
}

func TestJobsCanBeStopped(t *testing.T) {
	r := newRig(t, 100, 30)
	var jobs []Job
	stopped := ""
	r.a.o.Jobs = func() []Job { return jobs }
	r.a.o.StopJob = func(j Job) { stopped = j.Run }
	r.wait("/jobs")
	r.shows("No command left anything running")
	jobs = []Job{{PID: 42, Command: "sleep 1000", Run: "r1"}}
	r.wait("/jobs")
	r.shows("sleep 1000", "pid 42")
	cmd := r.a.close(r.a.box.HandleKey(tea.KeyPressMsg{Code: tea.KeyEnter}))
	cmd().(doneMsg)(r.a)
	if stopped != "r1" {
		t.Errorf("%q", stopped)
	}
}

func TestTheTreeLeadsToOtherBranches(t *testing.T) {
	r := newRig(t, 100, 30)
	first := r.append(chat.UserText("first"))
	r.append(chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{chat.TextPart("one")}, Answer: &chat.Answer{}})
	r.give("/tree")
	r.shows("one branch")
	if err := r.s.SetLeaf(first.ID); err != nil {
		t.Fatal(err)
	}
	r.append(chat.UserText("another way"))
	list := ends(r.s.Entries())
	if len(list) != 2 || list[0].text != "first" || list[1].text != "another way" || list[1].messages != 2 {
		t.Fatalf("%+v", list)
	}
	r.give("/tree")
	r.shows("Branches", "another way", "first")
	r.press("down", "enter")
	r.asked("goto " + list[0].id)
}

func TestPromptsOfFiles(t *testing.T) {
	for _, tt := range []struct{ text, args, want string }{
		{"Review $1 for $2.", `main.go "the tests"`, "Review main.go for the tests."},
		{"Say $@ twice: $@", "a b", "Say a b twice: a b"},
		{"No place", "x y", "No place\n\nx y"},
		{"Costs $$5 and $3|", "a", "Costs $5 and |"},
		{"$HOME $", "", "$HOME $"},
		{"plain", "", "plain"},
		{"$1$2", "'a b", "a b"},
	} {
		if got := fill(tt.text, tt.args); got != tt.want {
			t.Errorf("%q with %q: %q, want %q", tt.text, tt.args, got, tt.want)
		}
	}
	r := newRig(t, 100, 30)
	r.a.o.Prompts = func() []Prompt { return []Prompt{{Name: "review", About: "Reviews a file", Text: "Review $1"}} }
	r.a.loadPrompts()().(doneMsg)(r.a)
	r.give("/review a.go")
	r.asked("prompt Review a.go")
	r.give("/reviwe")
	r.shows("did you mean /review?")
	r.press("/rev")
	r.shows("Reviews a file")
}

func TestKeysCanBeForgotten(t *testing.T) {
	r := newRig(t, 100, 30)
	r.a.o.DropKey = func(v string) error { r.f.note("drop %s", v); return nil }
	r.give("/logout")
	r.shows("Say which key")
	r.give("/logout q_key")
	r.asked("drop Q_KEY")
}

func TestThePrintout(t *testing.T) {
	r := newRig(t, 60, 10)
	r.append(chat.UserText("hello there"))
	code := 0
	r.append(chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "1", Command: "seq 40", Output: strings.Repeat("line\n", 40), RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code, Duration: time.Second}}})
	text := r.a.transcript.Print(60)
	if !strings.Contains(text, "hello there") || strings.Count(text, "line") != 40 || strings.Contains(text, "to expand") {
		t.Errorf("%s", text)
	}
	var out strings.Builder
	p := &printout{text: text}
	p.SetStdin(strings.NewReader("\n"))
	p.SetStdout(&out)
	p.SetStderr(nil)
	if err := p.Run(); err != nil || !strings.Contains(out.String(), "Press Enter") {
		t.Errorf("%v %s", err, out.String())
	}
}

func TestAPersonWhoLooksElsewhereIsCalled(t *testing.T) {
	r := newRig(t, 80, 24)
	ends := func(after time.Duration) bool {
		r.a.event(session.TurnStarted{})
		r.now = r.now.Add(after)
		return r.a.event(session.TurnEnded{}) != nil
	}
	asks := func() bool { return r.a.event(session.Asked{Question: chat.Question{ID: "q", Reason: "why;4"}}) != nil }
	if ends(time.Minute) || asks() {
		t.Error("called though they look here")
	}
	r.a.Update(tea.BlurMsg{})
	if !ends(time.Minute) || ends(time.Second) || !asks() {
		t.Error("long turns and questions call, short turns do not")
	}
	if msg, ok := r.a.attention("a;4\x1b]0;x")().(tea.RawMsg); !ok || msg.Msg != "\x1b]9;a,4\x1b\\\a" {
		t.Errorf("%#v", r.a.attention("a;4\x1b]0;x")())
	}
	r.a.Update(tea.FocusMsg{})
	if ends(time.Minute) {
		t.Error("called after they came back")
	}
}

func TestProgressShowsWhileATurnRuns(t *testing.T) {
	r := newRig(t, 80, 24)
	if r.a.View().ProgressBar != nil {
		t.Error("a progress bar without progress")
	}
	r.a.state.Turn = true
	if r.a.View().ProgressBar == nil {
		t.Error("no progress bar")
	}
}
