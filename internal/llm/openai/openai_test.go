package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

func play(t *testing.T, status int, body string, seen *[]byte) llm.Provider {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		if seen != nil {
			*seen = data
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return New(Options{BaseURL: s.URL, Key: "sk-secret", KeySource: "OPENAI_API_KEY"})
}

// ask writes the answer to a request in short.
func ask(t *testing.T, p llm.Provider, r llm.Request) (string, error) {
	t.Helper()
	var out []string
	for d, err := range p.Stream(t.Context(), r) {
		if err != nil {
			return strings.Join(out, " "), err
		}
		switch {
		case d.Kind == llm.DeltaPart && d.Part.Call != nil:
			out = append(out, d.Part.Call.Name+string(d.Part.Call.Args))
		case d.Kind == llm.DeltaPart:
			out = append(out, string(d.Part.Kind))
		case d.Kind == llm.DeltaDone:
			out = append(out, string(d.Stop))
			if d.Usage.Input+d.Usage.CacheRead > 0 {
				out = append(out, "counted")
			}
		}
	}
	return strings.Join(out, " "), nil
}

func recorded(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRecordedStreamsOfManyServersAreRead(t *testing.T) {
	for name, want := range map[string][]string{
		"openai-chat-text.1.response.sse":              {"text", "end"},
		"openai-chat-parallel-tools-4o.1.response.sse": {"{", "tool", "counted"},
		"groq-parallel-tools.1.response.sse":           {"{", "tool", "counted"},
		"llamacpp-tool.1.response.sse":                 {"{", "tool"},
		"llamacpp-thinking.1.response.sse":             {"thinking"},
		"openrouter-anthropic-parallel.1.response.sse": {"{", "tool"},
	} {
		got, err := ask(t, play(t, 200, recorded(t, name), nil), llm.Request{Model: "m"})
		for _, w := range want {
			if err != nil || !strings.Contains(got, w) {
				t.Errorf("%s: %q %v, lacks %q", name, got, err, w)
			}
		}
		if strings.Contains(name, "parallel") && strings.Count(got, "{") < 2 {
			t.Errorf("%s: one call of several: %q", name, got)
		}
	}
}

func TestACutStreamNeverRunsACall(t *testing.T) {
	whole := recorded(t, "openai-chat-parallel-tools-4o.1.response.sse")
	end := strings.LastIndex(whole, `"finish_reason":"tool_calls"`)
	for cut := 0; cut < end; cut += 61 {
		got, err := ask(t, play(t, 200, whole[:cut], nil), llm.Request{Model: "m"})
		var e *llm.Error
		if !errors.As(err, &e) || !e.Transient || strings.Contains(got, "{") {
			t.Fatalf("cut at %d: %q %v", cut, got, err)
		}
	}
}

func event(delta, finish string) string {
	return fmt.Sprintf("data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
}

func TestServersThatDifferAreUnderstood(t *testing.T) {
	call := func(index, id, name, args string) string {
		return fmt.Sprintf(`{"tool_calls":[{%s%s"function":{"name":%q,"arguments":%q}}]}`, index, id, name, args)
	}
	for name, tt := range map[string]struct{ stream, want string }{
		"no index":        {event(call("", `"id":"a",`, "x", "{}"), "null") + event(call("", `"id":"b",`, "y", "{}"), "null") + event("{}", `"tool_calls"`), "x{} y{} tool"},
		"same index":      {event(call(`"index":0,`, `"id":"a",`, "x", "{}"), "null") + event(call(`"index":0,`, `"id":"b",`, "y", "{}"), "null") + event("{}", `"tool_calls"`), "x{} y{} tool"},
		"stop with calls": {event(call(`"index":0,`, `"id":"a",`, "x", "{}"), "null") + event("{}", `"stop"`), "x{} tool"},
		"no id":           {event(call(`"index":0,`, "", "x", "{}"), "null") + event("{}", `"tool_calls"`), "x{} tool"},
		"null content":    {event(`{"content":null}`, "null") + event(`{"content":"hi"}`, "null") + event("{}", `"stop"`), "text end"},
		"cut arguments":   {event(call(`"index":0,`, `"id":"a",`, "x", `{"command":"rm -rf /home/me/pro`), "null") + event("{}", `"length"`), "length"},
		"cut and stopped": {event(call(`"index":0,`, `"id":"a",`, "x", `{"command":"rm`), "null") + event("{}", `"stop"`), "length"},
		"one piece":       {`{"choices":[{"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1}}`, "text end counted"},
	} {
		if got, err := ask(t, play(t, 200, tt.stream, nil), llm.Request{Model: "m"}); got != tt.want || err != nil {
			t.Errorf("%s: %q %v, want %q", name, got, err, tt.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for body, want := range map[string]string{
		`{"error":{"message":"Incorrect API key provided: sk-secret","type":"invalid_request_error","code":"invalid_api_key"}}`: "does not accept the key from OPENAI_API_KEY",
		"not json": "OPENAI_API_KEY",
	} {
		_, err := ask(t, play(t, 401, body, nil), llm.Request{Model: "m"})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%s: %v", body, err)
		}
	}
	if _, err := ask(t, play(t, 200, "data: {\"error\":{\"message\":\"boom\"}}\n\n", nil), llm.Request{Model: "m"}); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("an error within the stream: %v", err)
	}
}

func TestARequestFollowsTheRulesOfTheFormat(t *testing.T) {
	var body []byte
	p := play(t, 200, recorded(t, "openai-chat-text.1.response.sse"), &body)
	call := &chat.ToolCall{ID: "c1", Name: "read", Args: json.RawMessage(`{"path":"p.png"}`)}
	_, err := ask(t, p, llm.Request{
		Model: "m", System: "be brief", Tools: []chat.ToolSpec{{Name: "read", Schema: json.RawMessage(`{"type":"object"}`)}},
		Messages: []chat.Message{
			chat.UserText("look"),
			{Role: chat.RoleAssistant, Parts: []chat.Part{{Kind: chat.PartToolCall, Call: call}}},
			{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: "c1", Name: "read", Parts: []chat.Part{chat.TextPart("a picture"), {Kind: chat.PartImage, Image: &chat.Image{MIME: "image/png", Data: []byte("x")}}}}},
			{Role: chat.RoleAssistant},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var sent struct {
		Messages []struct {
			Role       string
			ToolCallID string          `json:"tool_call_id"`
			Content    json.RawMessage `json:"content"`
		}
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	roles := make([]string, 0, len(sent.Messages))
	for _, m := range sent.Messages {
		roles = append(roles, m.Role)
	}
	if strings.Join(roles, " ") != "system user assistant tool user" || sent.Messages[3].ToolCallID != "c1" || !strings.Contains(string(sent.Messages[4].Content), "data:image/png;base64,eA==") {
		t.Errorf("%s", body)
	}
}
