package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// A modelServer answers each request with the next of its streams and keeps
// what it was asked.
type modelServer struct {
	*httptest.Server
	mu      sync.Mutex
	paths   []string
	headers []http.Header
	bodies  []string
}

func serve(t *testing.T, streams ...string) *modelServer {
	t.Helper()
	s := &modelServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		n := len(s.bodies)
		s.paths, s.headers, s.bodies = append(s.paths, r.URL.Path), append(s.headers, r.Header), append(s.bodies, string(body))
		s.mu.Unlock()
		if n >= len(streams) {
			http.Error(w, `{"error":{"type":"invalid_request_error","message":"no more answers"}}`, http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for event := range strings.SplitAfterSeq(streams[n], "\n\n") {
			_, _ = io.WriteString(w, event)
			w.(http.Flusher).Flush()
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// all is what every request held, in order.
func (s *modelServer) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.bodies...)
}

// body is what one request held; "" if it never came.
func (s *modelServer) body(n int) string {
	if all := s.all(); n >= 0 && n < len(all) {
		return all[n]
	}
	return ""
}

// anthropic writes a stream of the Messages API.
func anthropic(stop string, blocks ...string) string {
	var b strings.Builder
	event := func(name, data string) { fmt.Fprintf(&b, "event: %s\ndata: %s\n\n", name, data) }
	event("message_start", `{"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":12,"output_tokens":1}}}`)
	for i, block := range blocks {
		kind, rest, _ := strings.Cut(block, " ")
		if kind == "text" {
			event("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"text","text":""}}`, i))
			event("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"text_delta","text":%q}}`, i, rest))
		} else {
			name, args, _ := strings.Cut(rest, " ")
			event("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":{"type":"tool_use","id":"toolu_%d","name":%q,"input":{}}}`, i, i, name))
			for half := range halves(args) {
				event("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{"type":"input_json_delta","partial_json":%q}}`, i, half))
			}
		}
		event("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i))
	}
	event("message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q},"usage":{"output_tokens":9}}`, stop))
	event("message_stop", `{"type":"message_stop"}`)
	return b.String()
}

// chat writes a stream of the Chat Completions API.
func chat(stop string, blocks ...string) string {
	var b strings.Builder
	send := func(delta, finish string) {
		fmt.Fprintf(&b, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
	}
	calls := 0
	for _, block := range blocks {
		kind, rest, _ := strings.Cut(block, " ")
		if kind == "text" {
			send(fmt.Sprintf(`{"content":%q}`, rest), "null")
			continue
		}
		name, args, _ := strings.Cut(rest, " ")
		send(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"call_%d","type":"function","function":{"name":%q,"arguments":""}}]}`, calls, calls, name), "null")
		for half := range halves(args) {
			send(fmt.Sprintf(`{"tool_calls":[{"index":%d,"function":{"arguments":%q}}]}`, calls, half), "null")
		}
		calls++
	}
	send("{}", fmt.Sprintf("%q", stop))
	b.WriteString("data: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5}}\n\ndata: [DONE]\n\n")
	return b.String()
}

func halves(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		_ = yield(s[:len(s)/2]) && yield(s[len(s)/2:])
	}
}

// run runs the program without a terminal.
func (h *home) run(t *testing.T, stdin string, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env = h.project, append(append([]string{}, h.env...), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if stdin != "" {
		cmd.Stdin = strings.NewReader(stdin)
	}
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestPrintRunsAToolThroughTheAnthropicFormat(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", "text Let me look.", `call bash {"command":"echo from-the-shell"}`),
		anthropic("end_turn", "text The shell said it."))
	out, errs, code := h.run(t, "", []string{"ANTHROPIC_API_KEY=key-for-tests", "ANTHROPIC_BASE_URL=" + s.URL},
		"-p", "--permission", "all", "what does the shell say?")
	if code != 0 || strings.TrimSpace(out) != "The shell said it." {
		t.Fatalf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
	if len(s.bodies) != 2 || s.paths[0] != "/v1/messages" || s.headers[0].Get("x-api-key") != "key-for-tests" {
		t.Fatalf("requests: %q %v", s.paths, s.headers)
	}
	var second struct {
		Messages []struct {
			Role    string
			Content []struct {
				Type      string
				ToolUseID string `json:"tool_use_id"`
				Content   json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(s.bodies[1]), &second); err != nil {
		t.Fatal(err)
	}
	last := second.Messages[len(second.Messages)-1]
	if last.Role != "user" || last.Content[0].Type != "tool_result" || last.Content[0].ToolUseID != "toolu_1" ||
		!strings.Contains(string(last.Content[0].Content), "from-the-shell") {
		t.Errorf("the result did not go back: %s", s.bodies[1])
	}
}

func TestPrintRunsToolsThroughTheChatFormat(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		chat("tool_calls", `call bash {"command":"echo one; exit 3"}`, `call ls {}`),
		chat("stop", "text Both ran."))
	out, errs, code := h.run(t, "", []string{"OPENAI_API_KEY=key-for-tests", "OPENAI_BASE_URL=" + s.URL},
		"-p", "--permission", "all", "--provider", "openai-chat", "--model", "m", "run two")
	if code != 0 || strings.TrimSpace(out) != "Both ran." {
		t.Fatalf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
	if len(s.bodies) != 2 || s.headers[0].Get("Authorization") != "Bearer key-for-tests" || !strings.HasSuffix(s.paths[0], "/chat/completions") {
		t.Fatalf("requests: %q %v", s.paths, s.headers)
	}
	for _, want := range []string{`"tool_call_id":"call_0"`, `"tool_call_id":"call_1"`, "Command exited with code 3"} {
		if !strings.Contains(s.bodies[1], want) {
			t.Errorf("second request lacks %s: %s", want, s.bodies[1])
		}
	}
}

func TestPrintRefusesWhatWouldAsk(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", `call bash {"command":"touch made-by-the-model"}`),
		anthropic("end_turn", "text I may not."))
	out, errs, code := h.run(t, "", []string{"ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL=" + s.URL}, "-p", "make a file")
	if code != 0 || strings.TrimSpace(out) != "I may not." {
		t.Fatalf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
	if !strings.Contains(s.bodies[1], "is_error") {
		t.Errorf("the refusal did not reach the model: %s", s.bodies[1])
	}
	if ls, _ := exec.Command("ls", h.project).Output(); len(ls) != 0 {
		t.Errorf("the command ran: %s", ls)
	}
}

func TestPrintPutsPipedInputBeforeThePrompt(t *testing.T) {
	h := newHome(t)
	s := serve(t, anthropic("end_turn", "text ok"))
	_, errs, code := h.run(t, "piped text\n", []string{"ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL=" + s.URL}, "-p", "explain this")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	piped, asked := strings.Index(s.bodies[0], "piped text"), strings.Index(s.bodies[0], "explain this")
	if piped < 0 || asked < piped {
		t.Errorf("request: %s", s.bodies[0])
	}
}

func TestPrintDoesNotWaitForAPipeThatNeverSpeaks(t *testing.T) {
	h := newHome(t)
	s := serve(t, anthropic("end_turn", "text ok"))
	silent, stop := io.Pipe()
	defer func() { _ = stop.Close() }()
	cmd := exec.Command(binary, "-p", "hello")
	cmd.Dir, cmd.Env, cmd.Stdin = h.project, append(append([]string{}, h.env...), "ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL="+s.URL), silent
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "an answer", func() bool { return len(s.all()) == 1 })
	_ = stop.Close() // lets Wait end its copying
	if err := cmd.Wait(); err != nil || strings.TrimSpace(out.String()) != "ok" || !strings.Contains(errs.String(), "nothing came through the pipe") {
		t.Errorf("%v, stdout %q, stderr %q", err, out.String(), errs.String())
	}
}

func TestPrintFailsWithOneClearLine(t *testing.T) {
	h := newHome(t)
	s := serve(t) // every request is answered by an error
	out, errs, code := h.run(t, "", []string{"ANTHROPIC_API_KEY=secret-key", "ANTHROPIC_BASE_URL=" + s.URL}, "-p", "hello")
	if code != 1 || out != "" || strings.Count(strings.TrimSpace(errs), "\n") != 0 || !strings.Contains(errs, "no more answers") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
	if strings.Contains(errs, "secret-key") {
		t.Errorf("the key is shown: %s", errs)
	}
}

func TestBadInputGetsOneLineAndTheRightExitCode(t *testing.T) {
	h := newHome(t)
	for _, tt := range []struct {
		name, config string
		args         []string
		env          []string
		code         int
		want         string
	}{
		{name: "unknown flag", args: []string{"--modell", "x"}, code: 2, want: "unknown flag --modell; did you mean --model?"},
		{name: "unknown short flag", args: []string{"-z"}, code: 2, want: "unknown flag -z"},
		{name: "bad mode", args: []string{"-p", "--mode", "xml", "hi"}, code: 2, want: `--mode must be text, json or rpc, not "xml"`},
		{name: "print without prompt", args: []string{"-p"}, code: 2, want: "prompt"},
		{name: "broken YAML", config: "theme: dark\nmodel: a: b\n", args: []string{"-p", "hi"}, code: 2, want: "config.yaml:2:9: not valid YAML"},
		{name: "unknown setting", config: "thme: dark\n", args: []string{"-p", "hi"}, code: 2, want: `config.yaml:1:1: unknown setting "thme"; did you mean "theme"?`},
		{name: "bad value", config: "theme: pink\n", args: []string{"-p", "hi"}, code: 2, want: "theme must be one of"},
		{name: "unknown provider", args: []string{"-p", "--provider", "antropic", "hi"}, code: 2, want: `unknown provider "antropic"; did you mean "anthropic"?`},
		{name: "no key", args: []string{"-p", "--provider", "anthropic", "hi"}, code: 1, want: "ANTHROPIC_API_KEY"},
		{name: "no such directory", args: []string{"--cwd", "/does/not/exist", "-p", "hi"}, code: 2, want: "/does/not/exist"},
		{name: "no such session", args: []string{"--resume=abcdef", "-p", "hi"}, code: 1, want: `session "abcdef" not found`},
		{name: "no place for sessions", args: []string{"--session-dir", "/proc/nothing", "-p", "hi"}, code: 1, want: "sessions cannot be kept in /proc/nothing"},
		{name: "two sessions", args: []string{"-c", "--no-session", "-p", "hi"}, code: 2, want: "only one of --continue"},
		{name: "unknown tool", args: []string{"--tools", "bahs", "-p", "hi"}, code: 2, want: `"bahs"`},
		{name: "missing shell", args: []string{"-p", "--provider", "demo", "hi"}, env: []string{"AGENT_SHELL_PATH=/does/not/exist/bash"}, code: 2, want: "/does/not/exist/bash"},
		{name: "not a terminal", args: nil, code: 2, want: "terminal"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.config != "" {
				h.write(t, "config/config.yaml", tt.config)
			} else {
				h.write(t, "config/config.yaml", "")
			}
			out, errs, code := h.run(t, "", tt.env, tt.args...)
			line := strings.TrimSpace(errs)
			if code != tt.code || !strings.Contains(line, tt.want) || strings.Contains(line, "\n") || out != "" {
				t.Errorf("exit %d, stdout %q, stderr %q; want exit %d and %q", code, out, errs, tt.code, tt.want)
			}
		})
	}
}
