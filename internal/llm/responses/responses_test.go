package responses

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
		data, _ := io.ReadAll(r.Body)
		if seen != nil {
			*seen = data
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return New(Options{BaseURL: s.URL, Key: "sk-secret", KeySource: "OPENAI_API_KEY"})
}

// ask collects an answer.
func ask(t *testing.T, p llm.Provider, r llm.Request) (m chat.Message, live string, err error) {
	t.Helper()
	m = chat.Message{Role: chat.RoleAssistant, Answer: &chat.Answer{Provider: "openai", Model: r.Model}}
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
		if len(p.Raw) > 0 {
			kind += "+raw"
		}
		list = append(list, kind)
	}
	return strings.Join(append(list, string(m.Answer.Stop)), " ")
}

func TestRecordedStreamsAreRead(t *testing.T) {
	for name, want := range map[string]string{
		"openai-responses-text.1.response.sse":     "text end",
		"openai-responses-tool.1.response.sse":     `weather{"location":"Florence, Italy"} tool`,
		"openai-responses-tool.2.response.sse":     "text end",
		"openai-responses-thinking.1.response.sse": `thinking+raw weather{"location":"Florence, Italy"} tool`,
		"openai-responses-thinking.2.response.sse": "thinking+raw text end",
	} {
		m, live, err := ask(t, play(t, recorded(t, name), nil), llm.Request{Model: "m"})
		if got := kinds(m); err != nil || got != want || m.Answer.Usage.Input == 0 || m.Answer.Usage.Output == 0 {
			t.Errorf("%s: %q %+v %v, want %q", name, got, m.Answer.Usage, err, want)
		}
		if !strings.Contains(live, m.Text()) {
			t.Errorf("%s: %q came in pieces, %q in the end", name, live, m.Text())
		}
	}
}

func TestACutStreamNeverRunsACall(t *testing.T) {
	whole := recorded(t, "openai-responses-thinking.1.response.sse")
	end := strings.LastIndex(whole, "event: response.completed")
	for cut := 0; cut < end; cut += 997 {
		m, _, err := ask(t, play(t, whole[:cut], nil), llm.Request{Model: "m"})
		var e *llm.Error
		if !errors.As(err, &e) || !e.Transient || len(m.Calls()) > 0 {
			t.Fatalf("cut at %d: %s %v", cut, kinds(m), err)
		}
	}
}

func TestReasoningGoesBackOnlyToItsModel(t *testing.T) {
	m, _, err := ask(t, play(t, recorded(t, "openai-responses-thinking.1.response.sse"), nil), llm.Request{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	call := m.Calls()[0]
	history := []chat.Message{chat.UserText("weather?"), m, {Role: chat.RoleToolResult, Result: &chat.ToolResult{
		CallID: call.ID, Name: call.Name, Parts: []chat.Part{chat.TextPart("sunny"), {Kind: chat.PartImage, Image: &chat.Image{MIME: "image/png", Data: []byte{1}}}},
	}}}
	for model, want := range map[string]string{
		"m":     "user reasoning function_call function_call_output",
		"other": "user function_call function_call_output",
	} {
		var seen []byte
		_, _, err := ask(t, play(t, recorded(t, "openai-responses-thinking.2.response.sse"), &seen), llm.Request{
			Model: model, System: "be good", Messages: history, Thinking: llm.EffortHigh, MaxTokens: 9, CacheKey: "k",
			Tools: []chat.ToolSpec{{Name: "weather", Description: "d", Schema: json.RawMessage(`{"type":"object"}`)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		var body struct {
			Input []struct {
				Type, Role, Arguments string
				CallID                string `json:"call_id"`
				Output                []struct{ Type string }
			}
			Instructions string
			Store        bool
			Include      []string
			Tools        []struct{ Type, Name string }
			Max          int    `json:"max_output_tokens"`
			Cache        string `json:"prompt_cache_key"`
			Reasoning    struct{ Effort string }
		}
		if err := json.Unmarshal(seen, &body); err != nil {
			t.Fatalf("%v: %s", err, seen)
		}
		got := make([]string, 0, len(body.Input))
		for _, i := range body.Input {
			got = append(got, i.Type+i.Role)
			if i.CallID != "" && i.CallID != call.ID {
				t.Errorf("call id %q", i.CallID)
			}
		}
		last := body.Input[len(body.Input)-1]
		if strings.Join(got, " ") != want || body.Instructions != "be good" || body.Store || len(body.Include) != 1 || len(body.Tools) != 1 ||
			body.Max != 9 || body.Cache != "k" || body.Reasoning.Effort != "high" || len(last.Output) != 2 || last.Output[1].Type != "input_image" {
			t.Errorf("%s: %v\n%s", model, got, seen)
		}
	}
}

func sse(kind, rest string) string {
	return "event: " + kind + "\ndata: {\"type\":\"" + kind + "\"" + rest + "}\n\n"
}

func TestEndsAndErrors(t *testing.T) {
	text := sse("response.output_item.added", `,"item":{"id":"a","type":"message"}`) + sse("response.output_text.delta", `,"item_id":"a","delta":"half"`)
	call := sse("response.output_item.added", `,"item":{"id":"b","type":"function_call","call_id":"c","name":"x"}`) +
		sse("response.function_call_arguments.delta", `,"item_id":"b","delta":"{\"command\":\"rm"`)
	for name, tt := range map[string]struct{ stream, want, fails string }{
		"length":          {text + sse("response.incomplete", `,"response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}`), "text length", ""},
		"filtered":        {text + sse("response.incomplete", `,"response":{"incomplete_details":{"reason":"content_filter"}}`), "text refusal", ""},
		"cut arguments":   {text + call + sse("response.incomplete", `,"response":{"incomplete_details":{"reason":"max_output_tokens"}}`), "text length", ""},
		"failed":          {text + sse("response.failed", `,"response":{"status":"failed","error":{"code":"server_error","message":"boom"}}`), "", "boom"},
		"error":           {sse("error", `,"code":"rate_limit_exceeded","message":"slow down"`), "", "slow down"},
		"error object":    {sse("error", `,"error":{"type":"invalid_request_error","message":"no such thing"}`), "", "no such thing"},
		"refusal":         {sse("response.output_item.added", `,"item":{"id":"a","type":"message"}`) + sse("response.refusal.delta", `,"item_id":"a","delta":"no"`) + sse("response.completed", `,"response":{"status":"completed"}`), "text end", ""},
		"unknown events":  {sse("response.something.new", `,"x":1`) + text + sse("response.completed", `,"response":{}`), "text end", ""},
		"done but no end": {text + "data: [DONE]\n\n", "", "whole"},
		"no JSON":         {"data: {\n\n", "", ""},
	} {
		m, _, err := ask(t, play(t, tt.stream, nil), llm.Request{Model: "m"})
		if tt.want != "" {
			if got := kinds(m); got != tt.want || err != nil {
				t.Errorf("%s: %q %v, want %q", name, got, err, tt.want)
			}
			continue
		}
		if err == nil || tt.fails != "whole" && !strings.Contains(err.Error(), tt.fails) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
