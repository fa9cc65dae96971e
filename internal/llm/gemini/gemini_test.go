package gemini

import (
	"encoding/json"
	"errors"
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

func play(t *testing.T, body string, seen *[]byte) llm.Provider {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1beta/models/m:streamGenerateContent" && r.URL.Path != "/v1beta/models/other:streamGenerateContent" || r.Header.Get("X-Goog-Api-Key") != "secret" {
			t.Errorf("asked for %s", r.URL)
		}
		data, _ := io.ReadAll(r.Body)
		if seen != nil {
			*seen = data
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return New(Options{BaseURL: s.URL, Key: "secret", KeySource: "GEMINI_API_KEY"})
}

// ask collects an answer.
func ask(t *testing.T, p llm.Provider, r llm.Request) (m chat.Message, live string, err error) {
	t.Helper()
	m = chat.Message{Role: chat.RoleAssistant, Answer: &chat.Answer{Provider: "gemini", Model: r.Model}}
	for d, err := range p.Stream(t.Context(), r) {
		if err != nil {
			return m, live, err
		}
		switch d.Kind {
		case llm.DeltaText, llm.DeltaThinking, llm.DeltaArgs:
			live += d.Text
		case llm.DeltaPart:
			m.Parts = append(m.Parts, d.Part)
		case llm.DeltaDone:
			m.Answer.Stop, m.Answer.Usage = d.Stop, d.Usage
		default:
		}
	}
	return m, live, nil
}

func recorded(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func kinds(m chat.Message) string {
	var list []string
	for _, p := range m.Parts {
		kind := string(p.Kind)
		if p.Call != nil {
			kind = p.Call.Name + string(p.Call.Args)
		}
		if p.Signature != "" {
			kind += "+signed"
		}
		list = append(list, kind)
	}
	return strings.Join(append(list, string(m.Answer.Stop)), " ")
}

func TestRecordedStreamsAreRead(t *testing.T) {
	for name, want := range map[string]string{
		"gemini-text.1.response.sse":                      "text",
		"gemini-thinking.1.response.sse":                  "thinking",
		"gemini-tool.1.response.sse":                      `weather{"location": "Florence, Italy"}+signed tool`,
		"gemini-tool.2.response.sse":                      "text",
		"gemini3-parallel-tools-signature.1.response.sse": "+signed",
		"gemini3-parallel-tools-signature.2.response.sse": "text",
	} {
		m, live, err := ask(t, play(t, recorded(t, name), nil), llm.Request{Model: "m"})
		if got := kinds(m); err != nil || !strings.Contains(got, want) || m.Answer.Usage.Input == 0 {
			t.Errorf("%s: %q %+v %v, want %q", name, got, m.Answer.Usage, err, want)
		}
		if !strings.Contains(live, m.Text()) {
			t.Errorf("%s: %q came in pieces, %q in the end", name, live, m.Text())
		}
		if strings.Contains(name, "parallel") && strings.Contains(name, ".1.") && len(m.Calls()) < 2 {
			t.Errorf("%s: one call of several: %s", name, kinds(m))
		}
	}
}

func TestACutStreamNeverRunsACall(t *testing.T) {
	for _, name := range []string{"gemini-tool.1.response.sse", "gemini-thinking.1.response.sse"} {
		whole := recorded(t, name)
		end := strings.LastIndex(whole, "finishReason")
		for cut := 0; cut < end; cut += 211 {
			m, _, err := ask(t, play(t, whole[:cut], nil), llm.Request{Model: "m"})
			var e *llm.Error
			if !errors.As(err, &e) || !e.Transient || len(m.Calls()) > 0 {
				t.Fatalf("%s cut at %d: %s %v", name, cut, kinds(m), err)
			}
		}
	}
}

func TestSignaturesGoBackOnlyToTheirModel(t *testing.T) {
	m, _, err := ask(t, play(t, recorded(t, "gemini3-parallel-tools-signature.1.response.sse"), nil), llm.Request{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	history := append(make([]chat.Message, 0, 2+len(m.Calls())), chat.UserText("weather?"), m)
	for i, c := range m.Calls() {
		history = append(history, chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{
			CallID: c.ID, Name: c.Name, IsError: i > 0, Parts: []chat.Part{chat.TextPart("sunny"), {Kind: chat.PartImage, Image: &chat.Image{MIME: "image/png", Data: []byte{1}}}},
		}})
	}
	for model, signed := range map[string]bool{"m": true, "other": false} {
		var seen []byte
		_, _, err := ask(t, play(t, recorded(t, "gemini-text.1.response.sse"), &seen), llm.Request{
			Model: model, System: "be good", Messages: history, Thinking: llm.EffortHigh, MaxTokens: 9,
			Tools: []chat.ToolSpec{{Name: "weather", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		var body struct {
			Contents []struct {
				Role  string
				Parts []map[string]json.RawMessage
			}
			System struct{ Parts []struct{ Text string } } `json:"systemInstruction"`
			Tools  []struct {
				Functions []struct{ Name string } `json:"functionDeclarations"`
			}
		}
		if err := json.Unmarshal(seen, &body); err != nil {
			t.Fatalf("%v: %s", err, seen)
		}
		roles := make([]string, 0, len(body.Contents))
		for _, c := range body.Contents {
			roles = append(roles, c.Role)
		}
		last := body.Contents[len(body.Contents)-1].Parts
		calls := len(m.Calls())
		if strings.Join(roles, " ") != "user model user" || len(last) != 2*calls || last[0]["functionResponse"] == nil || last[calls]["inlineData"] == nil ||
			strings.Contains(string(seen), "thoughtSignature") != signed || len(body.System.Parts) != 1 || len(body.Tools[0].Functions) != 1 ||
			!strings.Contains(string(last[1]["functionResponse"]), `"error"`) {
			t.Errorf("%s: %v\n%s", model, roles, seen)
		}
	}
}

func chunk(parts, finish string) string {
	if finish != "" {
		finish = `,"finishReason":"` + finish + `"`
	}
	return `data: {"candidates":[{"content":{"parts":[` + parts + `]}` + finish + "}]}\n\n"
}

func TestEndsAndErrors(t *testing.T) {
	for name, tt := range map[string]struct{ stream, want, fails string }{
		"length":       {chunk(`{"text":"half"}`, "MAX_TOKENS"), "text length", ""},
		"safety":       {chunk(`{"text":"half"}`, "SAFETY"), "text refusal", ""},
		"blocked":      {`data: {"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}` + "\n\n", "refusal", ""},
		"no arguments": {chunk(`{"functionCall":{"name":"x"}}`, "STOP"), "x{} tool", ""},
		"same call":    {chunk(`{"functionCall":{"id":"1","name":"x"}},{"functionCall":{"id":"1","name":"y"}}`, "STOP"), "x{} y{} tool", ""},
		"malformed":    {chunk(`{"text":"x"}`, "MALFORMED_FUNCTION_CALL"), "", "could not be read"},
		"error":        {`data: {"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"slow down"}}` + "\n\n", "", "slow down"},
		"no end":       {chunk(`{"text":"x"}`, ""), "", ""},
		"no JSON":      {"data: {\n\n", "", ""},
	} {
		m, _, err := ask(t, play(t, tt.stream, nil), llm.Request{Model: "m"})
		if tt.want != "" {
			if got := kinds(m); got != tt.want || err != nil {
				t.Errorf("%s: %q %v, want %q", name, got, err, tt.want)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
