package demo

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

var allTools = []chat.ToolSpec{{Name: "bash"}, {Name: "read"}, {Name: "write"}}

func ask(ctx context.Context, p llm.Provider, messages ...chat.Message) (text string, calls []chat.ToolCall, err error) {
	streamed, whole := "", ""
	for d, err := range p.Stream(ctx, llm.Request{Messages: messages, Tools: allTools}) {
		if err != nil {
			return streamed, calls, err
		}
		switch {
		case d.Kind == llm.DeltaText:
			streamed += d.Text
		case d.Kind == llm.DeltaPart && d.Part.Call != nil:
			calls = append(calls, *d.Part.Call)
		case d.Kind == llm.DeltaPart && d.Part.Kind == chat.PartText:
			whole += d.Part.Text
		}
	}
	if streamed != whole {
		return "", nil, errors.New("what streamed is not the answer")
	}
	return whole, calls, nil
}

func quick() llm.Provider { return New(Options{Rate: -1}) }

func TestTheTourAnswersToWhatIsTyped(t *testing.T) {
	for prompt, want := range map[string]string{
		"hello": "ANTHROPIC_API_KEY", "what is this?": "not an AI", "zxcv": "only the demo", "list": "bash ls -la | head -20", "run make test": "bash make test", "please run `ls`": "bash ls",
		"slow": "sleep 1", "long": "seq 1 4000", "write a file": "agent-demo.txt", "read a.go": `"path":"a.go"`, "markdown": "```go", "think": "Ctrl+T",
	} {
		text, calls, err := ask(t.Context(), quick(), chat.UserText(prompt))
		got := text
		for _, c := range calls {
			var args map[string]any
			if json.Unmarshal(c.Args, &args) != nil {
				t.Errorf("%q: arguments %s", prompt, c.Args)
			}
			command, _ := args["command"].(string)
			got += " " + c.Name + " " + command + " " + string(c.Args)
		}
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%q: %q %v, lacks %q", prompt, got, err, want)
		}
	}
}

func TestTheTourGoesOnAfterItsTools(t *testing.T) {
	after := func(name, text string, failed bool) string {
		call := &chat.ToolCall{ID: "1", Name: name, Args: json.RawMessage("{}")}
		got, calls, err := ask(t.Context(), quick(), chat.UserText("list"), chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{{Kind: chat.PartToolCall, Call: call}}},
			chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: "1", Name: name, IsError: failed, Parts: []chat.Part{chat.TextPart(text)}}})
		if err != nil {
			t.Error(err)
		}
		for _, c := range calls {
			got += " " + string(c.Args)
		}
		return got
	}
	for _, tt := range [][3]string{
		{"bash", "a\nb\n", "state of the shell"}, {"bash", "[Full: artifact://3]", `"path":"artifact://3"`},
	} {
		if got := after(tt[0], tt[1], false); !strings.Contains(got, tt[2]) {
			t.Errorf("%q", got)
		}
	}
	if got := after("bash", "x\n\nCommand aborted", true); !strings.Contains(got, "stopped it") {
		t.Errorf("%q", got)
	}
	if got := after("write", "Not run: the user did not allow it.", true); !strings.Contains(got, "said no") {
		t.Errorf("%q", got)
	}
}

func TestItStreamsAtAPaceAndStopsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if _, _, err := ask(t.Context(), New(Options{}), chat.UserText("hello")); err != nil || time.Since(begun) < time.Second || time.Since(begun) > 5*time.Second {
			t.Errorf("%v %v", time.Since(begun), err)
		}
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(50*time.Millisecond, func() { cancel(stop) })
		begun = time.Now()
		if _, _, err := ask(ctx, New(Options{}), chat.UserText("hello")); !errors.Is(err, stop) || time.Since(begun) > 60*time.Millisecond {
			t.Errorf("%v %v", time.Since(begun), err)
		}
	})
}

func load(t *testing.T, text string) (llm.Provider, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "script.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return NewScript(file)
}

func TestScripts(t *testing.T) {
	p, err := load(t, `
turns:
  - expect: hello
    steps:
      - thinking: hm
      - text: look
      - call: bash
        args: {command: ls, timeout: 3}
  - steps:
      - fault: {status: 529, type: overloaded_error, message: busy, retryAfter: 1s}
  - expect: never said
    steps: []
`)
	if err != nil {
		t.Fatal(err)
	}
	text, calls, err := ask(t.Context(), p, chat.UserText("hello there"))
	if err != nil || text != "look" || len(calls) != 1 || string(calls[0].Args) != `{"command":"ls","timeout":3}` {
		t.Errorf("%q %v %v", text, calls, err)
	}
	var e *llm.Error
	if _, _, err := ask(t.Context(), p, chat.UserText("x")); !errors.As(err, &e) || !e.Transient || e.RetryAfter != time.Second {
		t.Errorf("%v", err)
	}
	if _, _, err := ask(t.Context(), p, chat.UserText("x")); err == nil || !strings.Contains(err.Error(), `expects "never said"`) {
		t.Errorf("%v", err)
	}
	if text, _, err := ask(t.Context(), p, chat.UserText("x")); err != nil || text != "(the script has ended)" {
		t.Errorf("%q %v", text, err)
	}
}

func TestABadScriptIsToldWithItsPlace(t *testing.T) {
	for text, want := range map[string]string{
		"turns:\n  - steps: [a: b: c]\n": ":2:", "turns: []\n": "no turns", "tunrs: []\n": "tunrs", "turns:\n  - steps:\n      - wait: soon\n": `"soon" is no duration`,
	} {
		if _, err := load(t, text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "script.yaml") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := NewScript("/does/not/exist.yaml"); err == nil {
		t.Error("a missing script")
	}
}
