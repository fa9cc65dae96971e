package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
)

// parrot is a model that says what it was told, or calls the tool of a test.
type parrot struct{}

func (parrot) Name() string { return "parrot" }

func (parrot) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		last := r.Messages[len(r.Messages)-1]
		text := last.Text()
		if strings.HasSuffix(text, "hold on") {
			<-ctx.Done()
			yield(llm.Delta{}, context.Cause(ctx))
			return
		}
		part, stop := chat.TextPart("you said "+text), chat.StopEnd
		if strings.HasSuffix(text, "call") {
			part = chat.Part{Kind: chat.PartToolCall, Call: &chat.ToolCall{ID: "c1", Name: "tool", Args: json.RawMessage(`{}`)}}
			stop = chat.StopTool
		} else if !yield(llm.Delta{Kind: llm.DeltaText, Text: part.Text}, nil) {
			return
		}
		if yield(llm.Delta{Kind: llm.DeltaPart, Part: part}, nil) {
			yield(llm.Delta{Kind: llm.DeltaDone, Stop: stop, Usage: chat.Usage{Input: 1, Output: 2}}, nil)
		}
	}
}

// hammer is the tool of a test. It asks for permission and answers at once.
type hammer struct{}

func (hammer) Spec() chat.ToolSpec {
	return chat.ToolSpec{Name: "tool", Schema: json.RawMessage(`{"type":"object"}`)}
}
func (hammer) ReadOnly() bool { return false }
func (hammer) Access(chat.ToolCall) ([]chat.Access, error) {
	return []chat.Access{{Kind: chat.AccessRun, Command: "make"}}, nil
}

func (hammer) Run(context.Context, chat.ToolCall, tools.Progress) (chat.ToolResult, error) {
	return chat.ToolResult{Parts: []chat.Part{chat.TextPart("hit")}}, nil
}

// text is a tail.
type text string

func (t text) String() string { return string(t) }

// shell runs "wait" until it is stopped, "flood" with much to show, and
// anything else at once.
type shell struct{}

func (shell) Run(ctx context.Context, id, line string, progress tools.Progress) chat.BashRun {
	run := chat.BashRun{ID: id, Command: line, Output: line + "\n"}
	code := 0
	run.Outcome, run.ExitCode = chat.Exited, &code
	switch {
	case strings.HasPrefix(line, "wait"):
		progress(text("waiting\n"))
		<-ctx.Done()
		run.Outcome, run.ExitCode, run.Cancelled = chat.Cancelled, nil, true
	case line == "flood":
		for i := range 10_000 {
			progress(text(fmt.Sprint(i)))
		}
	case line == "long":
		run.Truncated = true
		run.Meta.Truncation = &chat.Truncation{Direction: "tail", TruncatedBy: "bytes", TotalLines: 9, TotalBytes: 90, OutputLines: 3, OutputBytes: 30, ArtifactID: 4}
	}
	return run
}

// client is the program at the other end.
type client struct {
	t     *testing.T
	in    io.WriteCloser
	out   *bufio.Reader
	raw   io.Closer
	end   chan error
	check *jsonschema.Resolved
	order *jsonschema.Resolved

	log []map[string]any
}

func resolve(t *testing.T, def string) *jsonschema.Resolved {
	t.Helper()
	raw, err := os.ReadFile("../../docs/rpc.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatal(err)
	}
	if def != "" {
		part := s.Defs[def].CloneSchemas()
		part.Defs = s.Defs
		s = *part
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func dial(t *testing.T, change func(*Options)) *client {
	t.Helper()
	inR, inW, err1 := os.Pipe()
	outR, outW, err2 := os.Pipe()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	start := func(s *session.Session) Conversation {
		policy, err := permission.New(permission.Options{Mode: permission.Ask, Root: "/", Home: "/home/me"})
		if err != nil {
			t.Fatal(err)
		}
		a := agent.New(agent.Options{Session: s, Provider: parrot{}, Model: llm.Model{Provider: "parrot", ID: "grey"}, Shell: shell{}, Tools: tools.NewRegistry(hammer{}), Policy: policy})
		go func() { _ = a.Run(ctx) }()
		return Conversation{Session: s, Agent: a}
	}
	o := Options{
		First: start(session.NewMemory("/work")), In: inR, Out: outW, Version: "test",
		New: func() (Conversation, error) { return start(session.NewMemory("/new")), nil },
		Open: func(id string) (Conversation, string, error) {
			if id != "known" {
				return Conversation{}, "", fmt.Errorf("session %q not found", id)
			}
			return start(session.NewMemory("/known")), "a note", nil
		},
		Fork: func(from *session.Session, leaf string) (Conversation, error) {
			s := session.NewMemory("/fork")
			for _, e := range from.Branch() {
				if e.ID == leaf || leaf == "" {
					break
				}
				if e.Message != nil {
					_, _ = s.AppendMessage(*e.Message)
				}
			}
			return start(s), nil
		},
		Models: func() []Model {
			return []Model{{Provider: "parrot", ID: "grey"}, {Provider: "parrot", ID: "locked", Needs: "KEY"}, {Provider: "parrot", ID: "green"}}
		},
		SetModel: func(c Conversation, provider, id string) error {
			a, _ := c.Agent.(*agent.Agent)
			a.SetModel(parrot{}, llm.Model{Provider: provider, ID: id})
			return nil
		},
		Export: func(*session.Session, string) (string, error) { return "/tmp/x.html", nil },
	}
	if change != nil {
		change(&o)
	}
	c := &client{t: t, in: inW, raw: outR, out: bufio.NewReader(outR), end: make(chan error, 1), check: resolve(t, ""), order: resolve(t, "command")}
	go func() {
		c.end <- Serve(ctx, o)
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		cancel()
		_ = inW.Close()
		_ = outR.Close()
	})
	return c
}

// send writes a line; a string goes as it is.
func (c *client) send(v any) {
	c.t.Helper()
	line, isText := v.(string)
	if !isText {
		raw, err := json.Marshal(v)
		if err != nil {
			c.t.Error(err)
			return
		}
		var back any
		_ = json.Unmarshal(raw, &back)
		if err := c.order.Validate(back); err != nil {
			c.t.Errorf("the schema does not know the command %s: %v", raw, err)
		}
		line = string(raw)
	}
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Error(err)
	}
}

// next reads one line and holds it against the schema.
func (c *client) next() (map[string]any, error) {
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var o map[string]any
	if err := json.Unmarshal(line, &o); err != nil {
		c.t.Fatalf("%q: %v", line, err)
	}
	if err := c.check.Validate(o); err != nil {
		c.t.Errorf("the schema does not know %s: %v", line, err)
	}
	c.log = append(c.log, o)
	return o, nil
}

// until reads up to a line of a type for which ok holds.
func (c *client) until(kind string, ok func(map[string]any) bool) map[string]any {
	c.t.Helper()
	for {
		o, err := c.next()
		if err != nil {
			c.t.Fatalf("%v before %s; so far %v", err, kind, c.log)
		}
		if o["type"] == kind && (ok == nil || ok(o)) {
			return o
		}
	}
}

func (c *client) response(id any) map[string]any {
	c.t.Helper()
	return c.until("response", func(o map[string]any) bool { return o["id"] == id })
}

// ask sends a command and returns the data of its response.
func (c *client) ask(command object) map[string]any {
	c.t.Helper()
	command["id"] = "ask"
	c.send(command)
	o := c.response("ask")
	if o["success"] != true {
		c.t.Errorf("%v: %v", command, o)
	}
	data, _ := o["data"].(map[string]any)
	return data
}

type object = map[string]any

func TestAConversation(t *testing.T) {
	c := dial(t, nil)
	if ready := c.until("ready", nil); ready["protocol"] != 1.0 || len(ready["commands"].([]any)) != 23 {
		t.Errorf("%v", ready)
	}
	c.send(object{"type": "prompt", "message": "hello", "id": 7})
	if o := c.response(7.0); o["success"] != true || o["command"] != "prompt" {
		t.Errorf("%v", o)
	}
	c.until("agent_end", func(o map[string]any) bool { return o["reason"] == "done" })
	var kinds []string
	for _, o := range c.log {
		kinds = append(kinds, o["type"].(string))
	}
	kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == "response" || k == "ready" || k == "message_update" })
	if got := strings.Join(kinds, " "); got != "agent_start message_start message_end turn_start message_start message_end turn_end agent_end" {
		t.Errorf("%s", got)
	}
	if got := c.ask(object{"type": "get_last_assistant_text"}); got["text"] != "you said hello" {
		t.Errorf("%v", got)
	}
	if got := c.ask(object{"type": "get_messages"}); len(got["messages"].([]any)) != 2 {
		t.Errorf("%v", got)
	}
	if got := c.ask(object{"type": "get_session_stats"}); got["userMessages"] != 1.0 || got["assistantMessages"] != 1.0 {
		t.Errorf("%v", got)
	}
	c.ask(object{"type": "set_session_name", "name": "Parrots"})
	c.ask(object{"type": "set_thinking_level", "level": "high"})
	c.ask(object{"type": "set_auto_compaction", "enabled": false})
	st := c.ask(object{"type": "get_state"})
	if st["thinking"] != "high" || st["autoCompaction"] != false || st["session"].(map[string]any)["name"] != "Parrots" {
		t.Errorf("%v", st)
	}
	c.send(object{"type": "compact", "id": "k"})
	c.response("k")
}

func TestBashAndItsAbort(t *testing.T) {
	c := dial(t, nil)
	if got := c.ask(object{"type": "bash", "command": "ls"}); got["output"] != "ls\n" || got["exitCode"] != 0.0 || got["cancelled"] != false {
		t.Errorf("%v", got)
	}
	data := c.ask(object{"type": "bash", "command": "long"})
	if data["truncated"] != true || data["artifactId"] != 4.0 || data["totalLines"] != 9.0 {
		t.Errorf("%v", data)
	}
	if err := resolve(t, "bashResult").Validate(data); err != nil {
		t.Error(err)
	}
	// abort stops the turn and abort_bash the command, never the other way.
	c.send(object{"type": "bash", "command": "wait", "id": "b"})
	run := c.until("bash_start", nil)["id"]
	c.send(object{"type": "prompt", "message": "hold on"})
	c.until("agent_start", nil)
	c.send(object{"type": "abort"})
	c.until("agent_end", func(o map[string]any) bool { return o["reason"] == "interrupted" })
	if st := c.ask(object{"type": "get_state"}); st["bashRuns"] != 1.0 {
		t.Errorf("%v", st)
	}
	c.send(object{"type": "abort_bash", "runId": "other", "id": "no"})
	if o := c.response("no"); o["success"] != false {
		t.Errorf("%v", o)
	}
	c.send(object{"type": "abort_bash"})
	var aborted, ended bool
	for !aborted || !ended {
		o := c.until("response", nil)
		switch o["id"] {
		case "b":
			ended = o["data"].(map[string]any)["cancelled"] == true
		case nil:
			aborted = aborted || o["command"] == "abort_bash" && fmt.Sprint(o["data"].(map[string]any)["aborted"]) == fmt.Sprint([]any{run})
		}
	}
}

func TestPermission(t *testing.T) {
	for decision, want := range map[string]string{"once": "hit", "no": "did not allow"} {
		c := dial(t, nil)
		c.send(object{"type": "prompt", "message": "call"})
		q := c.until("permission", nil)
		c.send(object{"type": "answer_permission", "permissionId": "other", "decision": decision, "id": 1})
		if o := c.response(1.0); o["success"] != false {
			t.Errorf("%v", o)
		}
		c.send(object{"type": "answer_permission", "permissionId": q["id"], "decision": decision, "id": 2})
		o := c.until("tool_execution_end", nil)
		if raw, _ := json.Marshal(o); !strings.Contains(string(raw), want) {
			t.Errorf("%s: %s", decision, raw)
		}
		c.until("agent_end", nil)
	}
}

func TestOtherSessions(t *testing.T) {
	c := dial(t, nil)
	c.ask(object{"type": "bash", "command": "ls"})
	c.send(object{"type": "prompt", "message": "first"})
	c.until("agent_end", nil)
	points := c.ask(object{"type": "get_fork_points"})["points"].([]any)
	if len(points) != 1 {
		t.Fatalf("%v", points)
	}
	entry := points[0].(map[string]any)
	if got := c.ask(object{"type": "fork", "entryId": entry["entryId"]}); got["text"] != "first" || got["cwd"] != "/fork" {
		t.Errorf("%v", got)
	}
	if got := c.ask(object{"type": "switch_session", "session": "known"}); got["note"] != "a note" || got["cwd"] != "/known" {
		t.Errorf("%v", got)
	}
	if got := c.ask(object{"type": "new_session"}); got["cwd"] != "/new" {
		t.Errorf("%v", got)
	}
	c.send(object{"type": "prompt", "message": "here"})
	c.until("agent_end", nil)
	if got := c.ask(object{"type": "get_messages"}); len(got["messages"].([]any)) != 2 {
		t.Errorf("%v", got)
	}
	if got := c.ask(object{"type": "export_html"}); got["file"] != "/tmp/x.html" {
		t.Errorf("%v", got)
	}
}

func TestModels(t *testing.T) {
	c := dial(t, nil)
	if got := c.ask(object{"type": "get_available_models"}); len(got["models"].([]any)) != 3 {
		t.Errorf("%v", got)
	}
	for _, want := range []string{"green", "grey"} {
		if got := c.ask(object{"type": "cycle_model"}); got["id"] != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	c.ask(object{"type": "set_model", "provider": "parrot", "model": "green"})
	if got := c.ask(object{"type": "get_state"}); got["model"].(map[string]any)["id"] != "green" {
		t.Errorf("%v", got)
	}
}

func TestGarbageGetsAnErrorAndTheLoopGoesOn(t *testing.T) {
	c := dial(t, nil)
	for line, want := range map[string]string{
		`{`: "no JSON object", `[]`: "no JSON object", `"x"`: "no JSON object", `{"id":"x"}`: `no "type"`,
		`{"id":"x","type":"promt"}`: `did you mean "prompt"`, `{"id":"x","type":"prompt","message":1}`: `"message" has to be a string`,
		`{"id":"x","type":"prompt"}`: `"message" is missing`, `{"id":"x","type":"bash","command":" "}`: `"command" is missing`,
		`{"id":"x","type":"set_thinking_level","level":"most"}`: "one of", `{"id":"x","type":"set_auto_compaction"}`: `"enabled" is missing`,
		`{"id":"x","type":"switch_session","session":"nope"}`: "not found", `{"id":"x","type":"fork","entryId":"nope"}`: "no message",
		`{"id":"x","type":"answer_permission","permissionId":"q","decision":"maybe"}`: "one of",
		`{"id":"x","type":"prompt","images":[{"mime":"text/plain"}]}`:                 `"images[0]"`,
		`{"id":"x","type":"set_model","provider":"p"}`:                                `"model" is missing`,
	} {
		c.send(line)
		o := c.until("response", nil)
		if message, _ := o["error"].(string); o["success"] != false || !strings.Contains(message, want) {
			t.Errorf("%s: %v", line, o)
		}
		if strings.Contains(line, `"id"`) && o["id"] != "x" {
			t.Errorf("%s: the id is lost: %v", line, o)
		}
	}
	c.send("")
	c.send(`{"type":"get_state","id":"alive"}`)
	c.response("alive")
}

func TestLongLines(t *testing.T) {
	c := dial(t, nil)
	c.until("ready", nil)
	go c.send(object{"type": "prompt", "message": strings.Repeat("x", 10<<20), "id": "big"})
	if o := c.response("big"); o["success"] != true {
		t.Errorf("%v", o)
	}
	c.until("agent_end", nil)
	go c.send(strings.Repeat("y", maxLine+2))
	if o := c.until("response", func(o map[string]any) bool { return o["success"] == false }); !strings.Contains(o["error"].(string), "32 MB") {
		t.Errorf("%v", o)
	}
	c.ask(object{"type": "get_state"})
}

func TestTheEndOfTheInputLetsWorkEnd(t *testing.T) {
	c := dial(t, nil)
	c.until("ready", nil)
	c.send(object{"type": "prompt", "message": "call"})                                           // asks, and nobody answers
	if _, err := io.WriteString(c.in, `{"type":"bash","command":"ls","id":"last"}`); err != nil { // no newline
		t.Fatal(err)
	}
	_ = c.in.Close()
	var sawRun, sawEnd bool
	for {
		o, err := c.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		sawRun = sawRun || o["type"] == "response" && o["id"] == "last" && o["success"] == true
		sawEnd = sawEnd || o["type"] == "agent_end"
	}
	if err := <-c.end; err != nil || !sawRun || !sawEnd {
		t.Errorf("%v %v %v", err, sawRun, sawEnd)
	}
}

func TestAClientThatIsGoneEndsTheServer(t *testing.T) {
	c := dial(t, func(o *Options) { o.Gone = func() bool { return true } })
	c.until("ready", nil)
	c.send(object{"type": "bash", "command": "wait"})
	c.until("bash_start", nil)
	_ = c.in.Close()
	go func() { _, _ = io.Copy(io.Discard, c.out) }()
	if err := <-c.end; err != nil {
		t.Error(err)
	}

	c = dial(t, nil)
	c.until("ready", nil)
	_ = c.raw.Close()
	c.send(object{"type": "get_state"})
	if err := <-c.end; !errors.Is(err, syscall.EPIPE) {
		t.Errorf("%v", err)
	}
}

func TestASlowReaderLosesNoEnd(t *testing.T) {
	c := dial(t, nil)
	c.until("ready", nil)
	for range 20 {
		c.send(object{"type": "bash", "command": "flood"})
	}
	c.send(object{"type": "bash", "command": "ls", "id": "last"})
	<-time.After(50 * time.Millisecond) // nobody reads
	ends := 0
	for ends < 21 {
		o, err := c.next()
		if err != nil {
			t.Fatal(err)
		}
		if o["type"] == "bash_end" {
			ends++
		}
	}
	if len(c.log) > 2000 {
		t.Errorf("%d lines", len(c.log))
	}
}
