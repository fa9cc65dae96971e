package headless_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/headless"
	"github.com/seed7484d81d/agent/internal/session"
)

// actor plays what an agent would do with a prompt.
type actor func(prompt []chat.Part)

func (a actor) Prompt(parts []chat.Part) { a(parts) }

func answer(stop chat.Stop, parts ...chat.Part) chat.Message {
	return chat.Message{Role: chat.RoleAssistant, Parts: parts, Answer: &chat.Answer{Stop: stop}}
}

func add(t *testing.T, s *session.Session, m chat.Message) {
	t.Helper()
	if _, err := s.AppendMessage(m); err != nil {
		t.Error(err)
	}
}

func TestTextPrintsOnlyTheLastAnswer(t *testing.T) {
	for _, tt := range []struct {
		name     string
		play     func(s *session.Session)
		out, err string
		failed   bool
	}{
		{"answer", func(s *session.Session) {
			add(t, s, answer(chat.StopTool, chat.TextPart("first")))
			add(t, s, answer(chat.StopEnd, chat.TextPart("second")))
			s.Publish(session.TurnEnded{Reason: session.EndDone})
		}, "second\n", "", false},
		{"own newline", func(s *session.Session) {
			add(t, s, answer(chat.StopEnd, chat.TextPart("text\n")))
			s.Publish(session.TurnEnded{Reason: session.EndDone})
		}, "text\n", "", false},
		{"warning", func(s *session.Session) {
			s.Publish(session.Notice{Level: session.Warning, Text: "the disk is full"})
			s.Publish(session.Notice{Level: session.Info, Text: "not worth a line"})
			add(t, s, answer(chat.StopEnd, chat.TextPart("ok")))
			s.Publish(session.TurnEnded{Reason: session.EndDone})
		}, "ok\n", "agent: the disk is full\n", false},
		{"error", func(s *session.Session) {
			s.Publish(session.TurnEnded{Reason: session.EndError, Error: "the server is down"})
		}, "", "agent: the server is down\n", true},
		{"cut", func(s *session.Session) {
			add(t, s, answer(chat.StopLength, chat.TextPart("half")))
			s.Publish(session.TurnEnded{Reason: session.EndDone})
		}, "half\n", "agent: the answer ran into the model's output limit and is cut\n", true},
		{"nothing", func(s *session.Session) {
			s.Publish(session.TurnEnded{Reason: session.EndDone})
		}, "", "agent: the model gave no answer\n", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := session.NewMemory("/")
			var out, errs bytes.Buffer
			err := headless.Text(t.Context(), headless.Options{
				Session: s, Agent: actor(func([]chat.Part) { tt.play(s) }), Out: &out, Err: &errs,
			}, []chat.Part{chat.TextPart("hello")})
			if out.String() != tt.out || errs.String() != tt.err || errors.Is(err, headless.ErrFailed) != tt.failed {
				t.Errorf("out %q, err %q, returned %v", out.String(), errs.String(), err)
			}
		})
	}
}

func TestTextEndsWithItsContext(t *testing.T) {
	stop := errors.New("SIGINT")
	ctx, cancel := context.WithCancelCause(t.Context())
	var out, errs bytes.Buffer
	err := headless.Text(ctx, headless.Options{
		Session: session.NewMemory("/"), Agent: actor(func([]chat.Part) { cancel(stop) }), Out: &out, Err: &errs,
	}, nil)
	if !errors.Is(err, stop) || out.Len()+errs.Len() > 0 {
		t.Errorf("returned %v, out %q, err %q", err, out.String(), errs.String())
	}
}

type tail string

func (t tail) String() string { return string(t) }

func TestJSONTellsEveryStepInOrder(t *testing.T) {
	s := session.NewMemory("/work")
	call := chat.ToolCall{ID: "c1", Name: "bash", Args: json.RawMessage(`{"command":"ls <x>"}`)}
	play := func(prompt []chat.Part) {
		s.Publish(session.TurnStarted{})
		add(t, s, chat.Message{Role: chat.RoleUser, Parts: prompt})
		add(t, s, answer(chat.StopTool, chat.TextPart("Look"), chat.Part{Kind: chat.PartToolCall, Call: &call}))
		s.Publish(session.ToolStarted{Call: call})
		s.Publish(session.Progress{ID: "c1", Tail: tail("a.go")})
		s.Publish(session.ToolEnded{CallID: "c1"})
		add(t, s, chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: "c1", Name: "bash", Parts: []chat.Part{chat.TextPart("a.go\n")}}})
		s.Publish(session.Retrying{Attempt: 1, Error: "overloaded"})
		add(t, s, answer(chat.StopEnd, chat.TextPart("Done")))
		s.Publish(session.TurnEnded{Reason: session.EndDone})
	}
	var out, errs bytes.Buffer
	err := headless.JSON(t.Context(), headless.Options{Session: s, Agent: actor(play), Out: &out, Err: &errs}, []chat.Part{chat.TextPart("hi")})
	if err != nil || errs.Len() > 0 {
		t.Fatalf("returned %v, err %q", err, errs.String())
	}
	var kinds []string
	for line := range strings.Lines(out.String()) {
		var ev struct {
			Type     string
			Role     string
			ToolName string
		}
		if err := json.Unmarshal([]byte(line), &ev); err != nil {
			t.Fatalf("not JSON: %q", line)
		}
		kinds = append(kinds, strings.TrimSpace(ev.Type+" "+ev.Role+ev.ToolName))
	}
	want := []string{
		"session", "agent_start", "message_start user", "message_end",
		"turn_start", "message_start assistant", "message_end",
		"tool_execution_start bash", "tool_execution_update", "tool_execution_end bash", "message_end", "turn_end",
		"retry_start", "retry_end", "turn_start", "message_start assistant", "message_end", "turn_end", "agent_end",
	}
	if got := fmt.Sprintf("%q", kinds); got != fmt.Sprintf("%q", want) {
		t.Errorf("events:\n got %s\nwant %q", got, want)
	}
	if !strings.Contains(out.String(), "ls <x>") {
		t.Error("angle brackets are escaped as in a web page")
	}
}

func TestJSONTellsAFailureAsAnEvent(t *testing.T) {
	s := session.NewMemory("/")
	var out, errs bytes.Buffer
	err := headless.JSON(t.Context(), headless.Options{
		Session: s, Out: &out, Err: &errs,
		Agent: actor(func([]chat.Part) { s.Publish(session.TurnEnded{Reason: session.EndError, Error: "no credit"}) }),
	}, nil)
	if !errors.Is(err, headless.ErrFailed) || !strings.Contains(out.String(), `"message":"no credit","type":"error"`) {
		t.Errorf("returned %v, out %q", err, out.String())
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("closed pipe") }

func TestAPrinterThatCannotPrintSaysSo(t *testing.T) {
	for name, face := range map[string]func(context.Context, headless.Options, []chat.Part) error{"text": headless.Text, "json": headless.JSON} {
		s := session.NewMemory("/")
		play := func([]chat.Part) {
			add(t, s, answer(chat.StopEnd, chat.TextPart("x")))
			s.Publish(session.TurnEnded{Reason: session.EndDone})
		}
		err := face(t.Context(), headless.Options{Session: s, Agent: actor(play), Out: broken{}, Err: &bytes.Buffer{}}, nil)
		if err == nil || !strings.Contains(err.Error(), "closed pipe") {
			t.Errorf("%s returned %v", name, err)
		}
	}
}

func TestJSONTellsAnAnswerWhileItComesIn(t *testing.T) {
	s := session.NewMemory("/")
	var out, errs bytes.Buffer
	play := func([]chat.Part) {
		s.Publish(session.Delta{Kind: session.DeltaText, Text: "Lo"})
		s.Publish(session.Delta{Kind: session.DeltaText, Text: "ok"})
		s.Publish(session.Delta{Kind: session.DeltaArgs, CallID: "c", Name: "ls", Text: "{"})
		s.Publish(session.TurnEnded{Reason: session.EndInterrupted})
	}
	_ = headless.JSON(t.Context(), headless.Options{Session: s, Agent: actor(play), Out: &out, Err: &errs}, nil)
	for _, want := range []string{
		`{"kind":"text","text":"Look","type":"message_update"}`,
		`{"kind":"args","text":"{","toolCallId":"c","toolName":"ls","type":"message_update"}`,
		`{"reason":"interrupted","type":"agent_end"}`,
	} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("lacks %s:\n%s", want, out.String())
		}
	}
}
