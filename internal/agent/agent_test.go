package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
)

// model answers each request by a function and keeps what it was asked.
type model struct {
	mu     sync.Mutex
	asked  []llm.Request
	answer func(n int, r llm.Request) []step
}

// step is a piece of an answer: a text, a call, a wait or an error.
type step struct {
	text, call, args string
	wait             time.Duration
	err              error
	stop             chat.Stop
}

func (m *model) Name() string { return "fake" }

func (m *model) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	m.mu.Lock()
	n := len(m.asked)
	m.asked = append(m.asked, r)
	m.mu.Unlock()
	return func(yield func(llm.Delta, error) bool) {
		var parts []chat.Part
		stop := chat.StopEnd
		for i, s := range m.answer(n, r) {
			switch {
			case s.err != nil:
				yield(llm.Delta{}, s.err)
				return
			case s.wait > 0:
				select {
				case <-time.After(s.wait):
				case <-ctx.Done():
					yield(llm.Delta{}, context.Cause(ctx))
					return
				}
			case s.call != "":
				stop = chat.StopTool
				call := chat.ToolCall{ID: fmt.Sprintf("c%d_%d", n, i), Name: s.call, Args: json.RawMessage(s.args)}
				if s.args == "" {
					call.Args = json.RawMessage("{}")
				}
				parts = append(parts, chat.Part{Kind: chat.PartToolCall, Call: &call})
			default:
				if !yield(llm.Delta{Kind: llm.DeltaText, Text: s.text}, nil) {
					return
				}
				parts = append(parts, chat.TextPart(s.text))
			}
			if s.stop != "" {
				stop = s.stop
			}
		}
		for _, p := range parts {
			if !yield(llm.Delta{Kind: llm.DeltaPart, Part: p}, nil) {
				return
			}
		}
		yield(llm.Delta{Kind: llm.DeltaDone, Stop: stop, Usage: chat.Usage{Input: 10, Output: 5}}, nil)
	}
}

func (m *model) requests() []llm.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]llm.Request{}, m.asked...)
}

// tool is a tool of a test.
type tool struct {
	name     string
	readOnly bool
	run      func(ctx context.Context) (string, error)
}

func (t tool) Spec() chat.ToolSpec {
	return chat.ToolSpec{Name: t.name, Schema: json.RawMessage(`{"type":"object"}`)}
}
func (t tool) ReadOnly() bool { return t.readOnly }
func (t tool) Access(chat.ToolCall) ([]chat.Access, error) {
	return []chat.Access{{Kind: chat.AccessRun, Command: t.name}}, nil
}

func (t tool) Run(ctx context.Context, _ chat.ToolCall, p tools.Progress) (chat.ToolResult, error) {
	text, err := t.run(ctx)
	return chat.ToolResult{Parts: []chat.Part{chat.TextPart(text)}}, err
}

// waits is a tool that takes a second unless it is interrupted.
func waits(ctx context.Context) (string, error) {
	select {
	case <-time.After(time.Second):
		return "done", nil
	case <-ctx.Done():
		return "half", tools.ErrAborted
	}
}

func quick(context.Context) (string, error) { return "ok", nil }

// shell runs "!" lines of a test.
type shell struct{}

func (shell) Run(ctx context.Context, id, line string, _ tools.Progress) chat.BashRun {
	code := 0
	select {
	case <-time.After(500 * time.Millisecond):
		return chat.BashRun{Output: "ran " + line + "\n", RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}}
	case <-ctx.Done():
		return chat.BashRun{Cancelled: true, RunInfo: chat.RunInfo{Outcome: chat.Cancelled}}
	}
}

// policy allows, asks or denies by the name of the tool.
type policy struct{ mode permission.Mode }

func (p *policy) Check(c chat.ToolCall, _ []chat.Access) permission.Verdict {
	switch c.Name {
	case "asks":
		return permission.Verdict{Decision: permission.AskFirst, Question: chat.Question{Reason: "it asks"}}
	case "denied":
		return permission.Verdict{Decision: permission.Deny, Reason: "a rule"}
	default:
		return permission.Verdict{}
	}
}
func (p *policy) Grant([]string, chat.Decision) {}
func (p *policy) SetMode(m permission.Mode)     { p.mode = m }
func (p *policy) Mode() permission.Mode         { return p.mode }

// bench is an agent of a test that runs.
type bench struct {
	t *testing.T
	a *agent.Agent
	s *session.Session
	m *model
	f *session.Feed
}

// with runs a test with an agent under a clock of its own.
func with(t *testing.T, answer func(n int, r llm.Request) []step, do func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		m := &model{answer: answer}
		s := session.NewMemory("/work")
		a := agent.New(agent.Options{
			Session: s, Provider: m, Model: llm.Model{Provider: "fake", ID: "m", Window: 100000}, Policy: &policy{}, Shell: shell{},
			Tools: tools.NewRegistry(
				tool{"waits", false, waits}, tool{"quick", false, quick}, tool{"reads", true, waits}, tool{"asks", false, quick}, tool{"denied", false, quick},
				tool{"panics", false, func(context.Context) (string, error) { panic("oh no") }},
				tool{"fails", false, func(context.Context) (string, error) { return "", tools.Errorf("no such thing") }},
			),
			System: func() string { return "system" }, Jitter: func() float64 { return 0.5 },
		})
		b := &bench{t: t, a: a, s: s, m: m, f: s.Subscribe()}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- a.Run(ctx) }()
		do(b)
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run returned %v", err)
		}
		b.valid()
	})
}

// idle waits until nothing runs.
func (b *bench) idle() {
	b.t.Helper()
	if err := b.a.Wait(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) say(text string) { b.a.Prompt([]chat.Part{chat.TextPart(text)}) }

// branch writes the messages of the session in short.
func (b *bench) branch() string {
	var out []string
	for _, e := range b.s.Branch() {
		m := e.Message
		switch {
		case m == nil:
			out = append(out, string(e.Type))
		case m.Result != nil && m.Result.IsError:
			out = append(out, "error:"+m.Result.Name)
		case m.Result != nil:
			out = append(out, "result:"+m.Result.Name)
		case m.Run != nil:
			out = append(out, "run:"+string(m.Run.Outcome))
		case m.Role == chat.RoleUser:
			out = append(out, "user:"+m.Text())
		default:
			text := "answer:" + m.Text()
			for _, c := range m.Calls() {
				text += "+" + c.Name
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, " ")
}

// valid checks every request that was sent by the rules that providers have.
func (b *bench) valid() {
	b.t.Helper()
	for i, r := range b.m.requests() {
		if err := check(r.Messages); err != nil {
			b.t.Errorf("request %d: %v", i, err)
		}
	}
}

func check(messages []chat.Message) error {
	var open []string
	last := chat.Role("")
	for i, m := range messages {
		switch m.Role {
		case chat.RoleUser:
			if len(open) > 0 {
				return fmt.Errorf("message %d: %v have no result", i, open)
			}
			if last == chat.RoleUser {
				return fmt.Errorf("message %d: two messages of the user", i)
			}
			if strings.TrimSpace(m.Text()) == "" {
				return fmt.Errorf("message %d is empty", i)
			}
		case chat.RoleAssistant:
			if len(open) > 0 {
				return fmt.Errorf("message %d: %v have no result", i, open)
			}
			if len(m.Parts) == 0 {
				return fmt.Errorf("message %d is empty", i)
			}
			for _, c := range m.Calls() {
				open = append(open, c.ID)
			}
		case chat.RoleToolResult:
			if len(open) == 0 || m.Result == nil || m.Result.CallID != open[0] {
				return fmt.Errorf("message %d: a result for %v", i, open)
			}
			open = open[1:]
		default:
			return fmt.Errorf("message %d: role %s", i, m.Role)
		}
		last = m.Role
	}
	if len(messages) == 0 || messages[0].Role != chat.RoleUser {
		return errors.New("it does not begin with the user")
	}
	if len(open) > 0 {
		return fmt.Errorf("%v have no result", open)
	}
	return nil
}

// script answers with these steps in turn, and then with a word.
func script(turns ...[]step) func(int, llm.Request) []step {
	return func(n int, _ llm.Request) []step {
		if n < len(turns) {
			return turns[n]
		}
		return []step{{text: "end"}}
	}
}

func TestATurnCallsToolsUntilTheModelIsDone(t *testing.T) {
	with(t, script([]step{{text: "look"}, {call: "quick"}, {call: "waits"}}, []step{{text: "all done"}}), func(b *bench) {
		b.say("go")
		b.idle()
		if got := b.branch(); got != "user:go answer:look+quick+waits result:quick result:waits answer:all done" {
			t.Error(got)
		}
		if r := b.m.requests(); len(r) != 2 || r[0].System != "system" || len(r[0].Tools) != 7 {
			t.Errorf("%d requests", len(r))
		}
		if s := b.a.State(); s.Busy || s.Usage.Input != 20 || s.Usage.Output != 10 {
			t.Errorf("%+v", s)
		}
	})
}

func TestWhateverAToolDoesThereIsOneResult(t *testing.T) {
	with(t, script([]step{{call: "panics"}, {call: "fails"}, {call: "nothing"}, {call: "denied"}, {call: "quick"}}), func(b *bench) {
		b.say("go")
		b.idle()
		if got := b.branch(); got != "user:go answer:+panics+fails+nothing+denied+quick error:panics error:fails error:nothing error:denied result:quick answer:end" {
			t.Error(got)
		}
	})
}

func TestReadingToolsRunSideBySide(t *testing.T) {
	with(t, script([]step{{call: "reads"}, {call: "reads"}, {call: "reads"}}), func(b *bench) {
		begun := time.Now()
		b.say("go")
		b.idle()
		if took := time.Since(begun); took != time.Second {
			t.Errorf("took %v", took)
		}
	})
}

func TestInterruptStopsTheToolThenTheTurn(t *testing.T) {
	with(t, script([]step{{call: "waits"}, {call: "quick"}}, []step{{wait: time.Hour}}), func(b *bench) {
		b.say("go")
		time.Sleep(100 * time.Millisecond)
		b.a.Interrupt()
		time.Sleep(100 * time.Millisecond)
		b.a.Interrupt()
		b.idle()
		if got := b.branch(); !strings.HasPrefix(got, "user:go answer:+waits+quick error:waits error:quick") {
			t.Error(got)
		}
		b.say("again")
		b.idle()
		if got := b.branch(); !strings.HasSuffix(got, "user:again answer:end") {
			t.Error(got)
		}
	})
}

func TestSteeringGoesWithTheNextRequestAndFollowUpsAfterTheTurn(t *testing.T) {
	with(t, script([]step{{call: "waits"}}, []step{{text: "one"}}, []step{{text: "two"}}), func(b *bench) {
		b.say("go")
		time.Sleep(100 * time.Millisecond)
		b.say("mind this")
		b.a.FollowUp([]chat.Part{chat.TextPart("and then")})
		time.Sleep(time.Millisecond)
		if s := b.a.State(); len(s.Steer) != 1 || len(s.FollowUp) != 1 {
			t.Errorf("queued %v %v", s.Steer, s.FollowUp)
		}
		b.idle()
		if got := b.branch(); got != "user:go answer:+waits result:waits user:mind this answer:one user:and then answer:two" {
			t.Error(got)
		}
	})
}

func TestWhatWaitsComesBackWhenTheTurnIsInterrupted(t *testing.T) {
	with(t, script([]step{{wait: time.Hour}}), func(b *bench) {
		b.say("go")
		time.Sleep(time.Millisecond)
		b.say("one")
		b.a.FollowUp([]chat.Part{chat.TextPart("two")})
		time.Sleep(time.Millisecond)
		b.a.Unqueue()
		time.Sleep(time.Millisecond)
		b.a.Interrupt()
		b.idle()
		events, _ := b.f.Next(t.Context())
		var back []string
		for _, ev := range events {
			if r, ok := ev.(session.Returned); ok {
				back = append(back, r.Text)
			}
		}
		if strings.Join(back, "|") != "two|one" {
			t.Errorf("came back: %q", back)
		}
	})
}

func TestBangsRunBesideATurnAndGoToTheModelAfterTheResults(t *testing.T) {
	with(t, script([]step{{call: "waits"}}), func(b *bench) {
		b.say("go")
		time.Sleep(100 * time.Millisecond)
		b.a.Bang("make", false)
		b.a.Bang("secret", true)
		b.idle()
		last := b.m.requests()[1].Messages
		if n := len(last); last[n-2].Role != chat.RoleToolResult || !strings.Contains(last[n-1].Text(), "ran make") {
			t.Errorf("%+v", last)
		}
		for _, m := range last {
			if strings.Contains(m.Text(), "secret") {
				t.Error("the private command was told")
			}
		}
	})
}

func TestInterruptStopsTheNewestFirst(t *testing.T) {
	with(t, script([]step{{wait: time.Hour}}), func(b *bench) {
		b.say("go")
		time.Sleep(time.Millisecond)
		b.a.Bang("one", false)
		time.Sleep(time.Millisecond)
		b.a.Interrupt()
		time.Sleep(time.Millisecond)
		s := b.a.State()
		if s.Bangs != 0 || !s.Turn {
			t.Errorf("%d commands, turn %v", s.Bangs, s.Turn)
		}
		b.a.InterruptAll()
		b.idle()
	})
}

func TestAQuestionWaitsForItsAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		reply *chat.Reply
		want  string
	}{
		"yes":       {&chat.Reply{Decision: chat.AllowOnce}, "result:asks"},
		"no":        {&chat.Reply{Decision: chat.Deny, Word: "use make"}, "error:asks"},
		"interrupt": {nil, "error:asks"},
	} {
		t.Run(name, func(t *testing.T) {
			with(t, script([]step{{call: "asks"}}), func(b *bench) {
				b.say("go")
				time.Sleep(time.Millisecond)
				q := b.a.State().Question
				if q == nil || q.Reason != "it asks" || q.Call.Name != "asks" {
					t.Fatalf("%+v", q)
				}
				b.a.Answer("another", chat.Reply{Decision: chat.AllowOnce})
				if tt.reply != nil {
					b.a.Answer(q.ID, *tt.reply)
				} else {
					b.a.Interrupt()
				}
				b.idle()
				if got := b.branch(); !strings.Contains(got, tt.want) || b.a.State().Question != nil {
					t.Error(got)
				}
				if name == "no" && !strings.Contains(b.m.requests()[1].Messages[2].Result.Text(), "use make") {
					t.Error("the word did not reach the model")
				}
			})
		})
	}
}

func TestErrorsThatPassAreTriedAgain(t *testing.T) {
	busy := &llm.Error{Status: 529, Type: "overloaded_error", Transient: true, Message: "busy"}
	with(t, script([]step{{err: busy}}, []step{{text: "half"}, {err: busy}}, []step{{text: "well"}}), func(b *bench) {
		b.say("go")
		b.idle()
		if got := b.branch(); got != "user:go answer:well" {
			t.Error(got)
		}
	})
	with(t, func(int, llm.Request) []step { return []step{{err: &llm.Error{Status: 400, Message: "bad"}}} }, func(b *bench) {
		b.say("go")
		b.idle()
		if n := len(b.m.requests()); n != 1 {
			t.Errorf("asked %d times", n)
		}
		events, _ := b.f.Next(t.Context())
		end, ok := events[len(events)-1].(session.TurnEnded)
		if !ok || end.Reason != session.EndError || !strings.Contains(end.Error, "bad") {
			t.Errorf("%+v", end)
		}
	})
}

func TestGoingBackMakesABranch(t *testing.T) {
	with(t, script(), func(b *bench) {
		b.say("one")
		b.idle()
		at := b.s.Leaf()
		b.say("two")
		b.idle()
		b.a.GoTo(at)
		b.say("other")
		b.idle()
		if got := b.branch(); got != "user:one answer:end user:other answer:end" {
			t.Error(got)
		}
	})
}

func TestTheEndOfTheProgramEndsEverything(t *testing.T) {
	with(t, script([]step{{call: "waits"}, {call: "quick"}}), func(b *bench) {
		b.say("go")
		b.a.Bang("make", false)
		time.Sleep(100 * time.Millisecond)
	})
}

// TestAnyMixOfPromptsAndInterruptsLeavesAValidHistory does at random what a
// person can do, at random times.
func TestAnyMixOfPromptsAndInterruptsLeavesAValidHistory(t *testing.T) {
	names := []string{"waits", "quick", "reads", "asks", "fails", "denied", "panics", "unknown"}
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 7))
		var mu sync.Mutex
		answer := func(int, llm.Request) []step {
			mu.Lock()
			defer mu.Unlock()
			var out []step
			for range r.IntN(4) {
				switch r.IntN(6) {
				case 0, 1:
					out = append(out, step{call: names[r.IntN(len(names))]})
				case 2:
					out = append(out, step{wait: time.Duration(r.IntN(2000)) * time.Millisecond})
				case 3:
					out = append(out, step{err: &llm.Error{Transient: r.IntN(2) == 0, Message: "x"}})
				default:
					out = append(out, step{text: "text"})
				}
			}
			if r.IntN(8) == 0 {
				out = append(out, step{text: "cut", stop: chat.StopLength})
			}
			return out
		}
		with(t, answer, func(b *bench) {
			do := rand.New(rand.NewPCG(seed, 8))
			for i := range 12 {
				switch do.IntN(9) {
				case 0, 1, 2:
					b.say(fmt.Sprint("prompt ", i))
				case 3:
					b.a.FollowUp([]chat.Part{chat.TextPart(fmt.Sprint("later ", i))})
				case 4, 5:
					b.a.Interrupt()
				case 6:
					b.a.Bang("make", do.IntN(2) == 0)
				case 7:
					if q := b.a.State().Question; q != nil {
						b.a.Answer(q.ID, chat.Reply{Decision: []chat.Decision{chat.AllowOnce, chat.Deny}[do.IntN(2)]})
					}
				case 8:
					b.a.Unqueue()
				}
				time.Sleep(time.Duration(do.IntN(700)) * time.Millisecond)
			}
			for range 50 { // whatever is open is closed
				b.a.InterruptAll()
				time.Sleep(50 * time.Millisecond)
			}
			b.idle()
			b.m.mu.Lock()
			b.m.answer = script()
			b.m.mu.Unlock()
			b.say("the last prompt")
			b.idle()
			if got := b.branch(); !strings.Contains(got, "user:the last prompt answer:end") {
				t.Errorf("seed %d: %s", seed, got)
			}
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
