// Package gemini speaks Google's generateContent format. What a model thought
// stands in signatures, which go back to it with the parts that they came with.
package gemini

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// Options say which server to ask, and how.
type Options struct {
	Name      string // the provider's name in the settings; "gemini" if empty
	BaseURL   string // without a version, Google's if empty
	Key       string
	KeySource string        // where the key came from, for the sentences of errors
	HTTP      *http.Client  // nil: the default transport
	Idle      time.Duration // how long the server may say nothing; 0: 2 minutes
}

// New makes a provider. It sends nothing yet.
func New(o Options) llm.Provider {
	o.Name = cmp.Or(o.Name, "gemini")
	return &llm.Client{
		Provider: o.Name, BaseURL: cmp.Or(o.BaseURL, "https://generativelanguage.googleapis.com"),
		Key: o.Key, KeySource: o.KeySource, HTTP: o.HTTP, Idle: o.Idle, Format: format{o.Name},
	}
}

type format struct{ provider string }

type obj = map[string]any

// Encode writes a request.
func (f format) Encode(base, key string, r llm.Request) (llm.Call, error) {
	h := map[string]string{}
	if key != "" {
		h["x-goog-api-key"] = key
	}
	base = strings.TrimSuffix(base, "/v1beta")
	address := base + "/v1beta/models/" + url.PathEscape(strings.TrimPrefix(r.Model, "models/")) + ":streamGenerateContent?alt=sse"
	return llm.Call{URL: address, Header: h, Body: f.body(r)}, nil
}

// Decode reads the answer to one request.
func (f format) Decode(_ llm.Request, a *llm.Answer) llm.Decoder { return &decoder{answer: a} }

func (f format) body(r llm.Request) obj {
	b := obj{"contents": f.contents(r)}
	if r.System != "" {
		b["systemInstruction"] = obj{"parts": []obj{{"text": r.System}}}
	}
	limits := obj{}
	if r.MaxTokens > 0 {
		limits["maxOutputTokens"] = r.MaxTokens
	}
	if r.Thinking != llm.EffortOff {
		limits["thinkingConfig"] = obj{"includeThoughts": true, "thinkingBudget": budget(r.Thinking)}
	}
	if len(limits) > 0 {
		b["generationConfig"] = limits
	}
	if len(r.Tools) > 0 {
		list := make([]obj, len(r.Tools))
		for i, t := range r.Tools {
			list[i] = obj{"name": t.Name, "description": t.Description, "parametersJsonSchema": t.Schema}
		}
		b["tools"] = []obj{{"functionDeclarations": list}}
	}
	return b
}

// budget is how many tokens an effort may think.
func budget(e llm.Effort) int {
	switch e {
	case llm.EffortLow:
		return 2048
	case llm.EffortMedium:
		return 8192
	default:
		return 24576
	}
}

// contents is the conversation. The two sides take turns, so what follows each
// other on one side is one content; all results of an answer stand together.
func (f format) contents(r llm.Request) []obj {
	var out []obj
	add := func(role string, parts []obj) {
		if len(parts) == 0 {
			return
		}
		if n := len(out); n > 0 && out[n-1]["role"] == role {
			before, _ := out[n-1]["parts"].([]obj)
			out[n-1]["parts"] = append(before, parts...)
			return
		}
		out = append(out, obj{"role": role, "parts": parts})
	}
	var pictures []obj
	for _, m := range r.Messages {
		if m.Role != chat.RoleToolResult {
			add("user", pictures)
			pictures = nil
		}
		switch m.Role {
		case chat.RoleUser:
			add("user", said(m.Parts))
		case chat.RoleAssistant:
			add("model", answered(m, r.Own(f.provider, m)))
		case chat.RoleToolResult:
			if m.Result != nil {
				response, more := result(*m.Result)
				add("user", []obj{response})
				pictures = append(pictures, more...)
			}
		default:
		}
	}
	add("user", pictures)
	return out
}

func said(parts []chat.Part) []obj {
	var list []obj
	for _, p := range parts {
		switch {
		case p.Kind == chat.PartText && strings.TrimSpace(p.Text) != "":
			list = append(list, obj{"text": p.Text})
		case p.Kind == chat.PartImage && p.Image != nil:
			list = append(list, picture(*p.Image))
		}
	}
	return list
}

func picture(i chat.Image) obj { return obj{"inlineData": obj{"mimeType": i.MIME, "data": i.Data}} }

func answered(m chat.Message, own bool) []obj {
	list := make([]obj, 0, len(m.Parts))
	for _, p := range m.Parts {
		var o obj
		switch {
		case p.Kind == chat.PartText && strings.TrimSpace(p.Text) != "":
			o = obj{"text": p.Text}
		case p.Kind == chat.PartThinking && own && p.Signature != "":
			o = obj{"text": p.Text, "thought": true}
		case p.Kind == chat.PartToolCall && p.Call != nil:
			o = obj{"functionCall": obj{"name": p.Call.Name, "args": p.Call.Args}}
		default:
			continue
		}
		if own && p.Signature != "" {
			o["thoughtSignature"] = p.Signature
		}
		list = append(list, o)
	}
	return list
}

// result is the response to a call. Pictures follow behind all responses:
// models take none inside one.
func result(r chat.ToolResult) (response obj, pictures []obj) {
	var text []string
	for _, p := range llm.ResultParts(r) {
		if p.Kind == chat.PartImage {
			pictures = append(pictures, picture(*p.Image))
			continue
		}
		text = append(text, p.Text)
	}
	if len(text) == 0 {
		text = []string{"(see the picture)"}
	}
	key := "output"
	if r.IsError {
		key = "error"
	}
	return obj{"functionResponse": obj{"name": r.Name, "response": obj{key: strings.Join(text, "\n")}}}, pictures
}

// decoder reads the pieces of an answer.
type decoder struct {
	answer *llm.Answer
	now    *llm.Block // the part that goes on
	finish string
	usage  chat.Usage
}

type piece struct {
	Error      json.RawMessage `json:"error"`
	Candidates []struct {
		Content struct {
			Parts []part `json:"parts"`
		} `json:"content"`
		FinishReason string `json:"finishReason"`
	} `json:"candidates"`
	Feedback *struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *struct {
		Prompt   int `json:"promptTokenCount"`
		Output   int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
		Cached   int `json:"cachedContentTokenCount"`
	} `json:"usageMetadata"`
}

type part struct {
	Text      string `json:"text"`
	Thought   bool   `json:"thought"`
	Signature string `json:"thoughtSignature"`
	Call      *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
}

// Feed takes one event.
func (d *decoder) Feed(f llm.Frame) (llm.Progress, error) {
	if f.Data == "[DONE]" {
		if d.finish == "" {
			return llm.More, nil // a stream without an end is an error
		}
		return llm.Over, nil
	}
	var p piece
	if err := json.Unmarshal([]byte(f.Data), &p); err != nil {
		return llm.More, llm.BadJSON(f.Data, err)
	}
	if len(p.Error) > 0 && string(p.Error) != "null" {
		return llm.More, llm.FromBody(200, []byte(f.Data))
	}
	if u := p.Usage; u != nil {
		d.usage = chat.Usage{Input: max(0, u.Prompt-u.Cached), Output: u.Output + u.Thoughts, CacheRead: u.Cached, Reasoning: u.Thoughts}
	}
	if p.Feedback != nil && p.Feedback.BlockReason != "" {
		d.finish = p.Feedback.BlockReason
		return llm.Over, nil
	}
	for _, c := range p.Candidates {
		for _, x := range c.Content.Parts {
			d.take(x)
		}
		if c.FinishReason != "" {
			d.finish = c.FinishReason
		}
	}
	switch d.finish {
	case "":
		return llm.More, nil
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER":
		return llm.More, &llm.Error{Status: 200, Type: d.finish, Message: "the model's call could not be read", Transient: true}
	default:
		return llm.Whole, nil
	}
}

func (d *decoder) take(x part) {
	kind := chat.PartText
	switch {
	case x.Call != nil:
		b := d.answer.OpenCall(x.Call.ID, x.Call.Name)
		b.Part.Signature = x.Signature
		b.Append(string(x.Call.Args))
		d.now = nil
		return
	case x.Thought:
		kind = chat.PartThinking
	}
	if x.Text == "" && x.Signature == "" {
		return
	}
	if d.now == nil || d.now.Part.Kind != kind || d.now.Part.Signature != "" {
		d.now = d.answer.Open(kind)
	}
	d.now.Append(x.Text)
	if x.Signature != "" {
		d.now.Part.Signature = x.Signature
	}
}

// End says why the model stopped.
func (d *decoder) End() (chat.Stop, chat.Usage) {
	switch d.finish {
	case "STOP":
		return chat.StopEnd, d.usage
	case "MAX_TOKENS":
		return chat.StopLength, d.usage
	default: // SAFETY, RECITATION, BLOCKLIST, PROHIBITED_CONTENT and their like
		return chat.StopRefusal, d.usage
	}
}
