package anthropic

import (
	"context"
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

// play serves a body with a status and hands over the request.
func play(t *testing.T, status int, header map[string]string, body string, seen *[]byte) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if seen != nil {
			*seen, _ = io.ReadAll(r.Body)
		}
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

// ask sends a request and writes what came in short.
func ask(ctx context.Context, p llm.Provider, r llm.Request) (string, error) {
	var out []string
	streamed := ""
	for d, err := range p.Stream(ctx, r) {
		if err != nil {
			return strings.Join(out, " "), err
		}
		switch d.Kind {
		case llm.DeltaText:
			streamed += d.Text
		case llm.DeltaPart:
			switch d.Part.Kind {
			case chat.PartToolCall:
				out = append(out, fmt.Sprintf("call:%s(%s)", d.Part.Call.Name, d.Part.Call.Args))
			case chat.PartText:
				if !strings.Contains(streamed, d.Part.Text) {
					return "", fmt.Errorf("the text %q did not stream", d.Part.Text)
				}
				out = append(out, "text:"+d.Part.Text)
			default:
				out = append(out, string(d.Part.Kind))
			}
		case llm.DeltaDone:
			out = append(out, fmt.Sprintf("%s in=%d out=%d", d.Stop, d.Usage.Input+d.Usage.CacheRead+d.Usage.CacheWrite, d.Usage.Output))
		default:
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

func provider(url string) llm.Provider {
	return New(Options{BaseURL: url, Key: "sk-secret", KeySource: "ANTHROPIC_API_KEY"})
}

func TestRecordedStreamsAreRead(t *testing.T) {
	for name, want := range map[string]string{
		"anthropic-text.1.response.sse":     "end in=",
		"anthropic-tool.1.response.sse":     "tool in=",
		"anthropic-thinking.1.response.sse": "thinking",
	} {
		got, err := ask(t.Context(), provider(play(t, 200, nil, recorded(t, name), nil).URL), llm.Request{Model: "claude-sonnet-5"})
		if err != nil || !strings.Contains(got, want) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
}

// TestAStreamThatIsCutIsAnError cuts a recording everywhere: whatever comes, it
// is never taken for a whole answer.
func TestAStreamThatIsCutIsAnError(t *testing.T) {
	whole := recorded(t, "anthropic-tool.1.response.sse")
	end := strings.Index(whole, "event: message_stop")
	for cut := 0; cut < end; cut += 37 {
		got, err := ask(t.Context(), provider(play(t, 200, nil, whole[:cut], nil).URL), llm.Request{Model: "m"})
		var e *llm.Error
		if !errors.As(err, &e) || !e.Transient || strings.Contains(got, "call:") {
			t.Fatalf("cut at %d: %q %v", cut, got, err)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, tt := range []struct {
		status                 int
		body, want             string
		transient, auth, quota bool
	}{
		{401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-secret"}}`, "does not accept the key from ANTHROPIC_API_KEY", false, true, false},
		{429, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, "try again in 7.0s", true, false, false},
		{529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, "overloaded", true, false, false},
		{500, `oops`, "status 500", true, false, false},
		{404, `<html>not here</html>`, "not that of a model server", false, false, false},
		{400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 250000 tokens > 200000 maximum"}}`, "too long", false, false, false},
		{200, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", "overloaded", true, false, false},
		{200, "", "cut off", true, false, false},
	} {
		s := play(t, tt.status, map[string]string{"Retry-After": "7"}, tt.body, nil)
		_, err := ask(t.Context(), provider(s.URL), llm.Request{Model: "m"})
		var e *llm.Error
		if !errors.As(err, &e) || e.Transient != tt.transient || e.Auth != tt.auth || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%d %.40s: %v %+v", tt.status, tt.body, err, e)
		}
	}
}

func TestARequestFollowsTheRulesOfTheFormat(t *testing.T) {
	var body []byte
	s := play(t, 200, nil, recorded(t, "anthropic-text.1.response.sse"), &body)
	call := &chat.ToolCall{ID: "call.with:odd/id", Name: "bash", Args: json.RawMessage(`{"command":"ls"}`)}
	_, err := ask(t.Context(), provider(s.URL), llm.Request{
		Model: "claude-sonnet-5", System: "be brief", Tools: []chat.ToolSpec{{Name: "bash", Description: "runs", Schema: json.RawMessage(`{"type":"object"}`)}},
		Messages: []chat.Message{
			chat.UserText("one"),
			{Role: chat.RoleAssistant, Parts: []chat.Part{{Kind: chat.PartThinking, Text: "foreign", Signature: "s"}, chat.TextPart(" "), {Kind: chat.PartToolCall, Call: call}}},
			{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: call.ID, Name: "bash", Parts: []chat.Part{chat.TextPart("out")}, IsError: true}},
			chat.UserText("two"),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var sent struct {
		MaxTokens int `json:"max_tokens"`
		Messages  []struct {
			Role    string
			Content []map[string]any
		}
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	if sent.MaxTokens <= 0 || len(sent.Messages) != 3 || sent.Messages[0].Role != "user" || sent.Messages[1].Role != "assistant" || len(sent.Messages[1].Content) != 1 || len(sent.Messages[2].Content) != 2 {
		t.Fatalf("%s", body)
	}
	use, result := sent.Messages[1].Content[0], sent.Messages[2].Content[0]
	if use["id"] != result["tool_use_id"] || result["is_error"] != true || strings.Contains(fmt.Sprint(use["id"]), ":") || !strings.Contains(string(body), "cache_control") {
		t.Errorf("%s", body)
	}
}

func TestCancellingEndsTheRequestAtOnce(t *testing.T) {
	begun := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server notices that the client left
		close(begun)
		<-r.Context().Done()
	}))
	defer s.Close()
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-begun
		cancel(stop)
	}()
	if _, err := ask(ctx, provider(s.URL), llm.Request{Model: "m"}); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}
