// Package responses speaks OpenAI's Responses format. Nothing is stored at the
// server: the reasoning of a model comes back to it encrypted, as it came.
package responses

import (
	"cmp"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// Options say which server to ask, and how.
type Options struct {
	Name      string // the provider's name in the settings; "openai" if empty
	BaseURL   string // with its version, "https://api.openai.com/v1" if empty
	Key       string
	KeySource string        // where the key came from, for the sentences of errors
	HTTP      *http.Client  // nil: the default transport
	Idle      time.Duration // how long the server may say nothing; 0: 2 minutes
}

// New makes a provider. It sends nothing yet.
func New(o Options) llm.Provider {
	o.Name = cmp.Or(o.Name, "openai")
	return &llm.Client{
		Provider: o.Name, BaseURL: cmp.Or(o.BaseURL, "https://api.openai.com/v1"),
		Key: o.Key, KeySource: o.KeySource, HTTP: o.HTTP, Idle: o.Idle, Format: format{o.Name},
	}
}

type format struct{ provider string }

type obj = map[string]any

// Encode writes a request.
func (f format) Encode(base, key string, r llm.Request) (llm.Call, error) {
	h := map[string]string{}
	if key != "" {
		h["Authorization"] = "Bearer " + key
	}
	return llm.Call{URL: base + "/responses", Header: h, Body: f.body(r)}, nil
}

// Decode reads the answer to one request.
func (f format) Decode(_ llm.Request, a *llm.Answer) llm.Decoder {
	return &decoder{answer: a, items: map[string]*llm.Block{}}
}

func (f format) body(r llm.Request) obj {
	b := obj{
		"model": r.Model, "stream": true, "store": false, "input": f.input(r),
		"include": []string{"reasoning.encrypted_content"},
	}
	if r.System != "" {
		b["instructions"] = r.System
	}
	if r.MaxTokens > 0 {
		b["max_output_tokens"] = r.MaxTokens
	}
	if r.Thinking != llm.EffortOff {
		b["reasoning"] = obj{"effort": string(r.Thinking), "summary": "auto"}
	}
	if r.CacheKey != "" {
		b["prompt_cache_key"] = r.CacheKey
	}
	if len(r.Tools) > 0 {
		list := make([]obj, len(r.Tools))
		for i, t := range r.Tools {
			list[i] = obj{"type": "function", "name": t.Name, "description": t.Description, "parameters": t.Schema, "strict": false}
		}
		b["tools"] = list
	}
	return b
}

// input is the conversation as a list of items. Calls and their results are
// items of their own, in the order in which they were made; reasoning stands
// before what it led to, and goes back only to the model that it is of.
func (f format) input(r llm.Request) []any {
	var out []any
	for _, m := range r.Messages {
		switch m.Role {
		case chat.RoleUser:
			if content := userContent(m.Parts); len(content) > 0 {
				out = append(out, obj{"role": "user", "content": content})
			}
		case chat.RoleAssistant:
			out = append(out, assistant(m, r.Own(f.provider, m))...)
		case chat.RoleToolResult:
			if m.Result != nil {
				out = append(out, obj{"type": "function_call_output", "call_id": llm.PlainID(m.Result.CallID), "output": output(*m.Result)})
			}
		default:
		}
	}
	return out
}

func userContent(parts []chat.Part) []obj {
	var list []obj
	for _, p := range parts {
		switch {
		case p.Kind == chat.PartText && strings.TrimSpace(p.Text) != "":
			list = append(list, obj{"type": "input_text", "text": p.Text})
		case p.Kind == chat.PartImage && p.Image != nil:
			list = append(list, picture(*p.Image))
		}
	}
	return list
}

func picture(i chat.Image) obj { return obj{"type": "input_image", "image_url": llm.DataURL(i)} }

// output is plain text where it can be, which every server takes.
func output(r chat.ToolResult) any {
	var text []string
	var list []obj
	pictures := false
	for _, p := range llm.ResultParts(r) {
		if p.Kind == chat.PartImage {
			pictures = true
			list = append(list, picture(*p.Image))
			continue
		}
		text = append(text, p.Text)
		list = append(list, obj{"type": "input_text", "text": p.Text})
	}
	if pictures {
		return list
	}
	return strings.Join(text, "\n")
}

func assistant(m chat.Message, own bool) []any {
	var out []any
	for _, p := range m.Parts {
		switch p.Kind {
		case chat.PartText:
			if strings.TrimSpace(p.Text) != "" {
				out = append(out, obj{"role": "assistant", "content": []obj{{"type": "output_text", "text": p.Text}}})
			}
		case chat.PartThinking, chat.PartOpaque:
			if own && len(p.Raw) > 0 {
				out = append(out, p.Raw)
			}
		case chat.PartToolCall:
			if p.Call != nil {
				out = append(out, obj{"type": "function_call", "call_id": llm.PlainID(p.Call.ID), "name": p.Call.Name, "arguments": string(p.Call.Args)})
			}
		default:
		}
	}
	return withoutLooseReasoning(out)
}

// withoutLooseReasoning drops reasoning at the end, which the server refuses: an
// answer that was cut led to nothing.
func withoutLooseReasoning(items []any) []any {
	for len(items) > 0 {
		if _, raw := items[len(items)-1].(json.RawMessage); !raw {
			break
		}
		items = items[:len(items)-1]
	}
	return items
}
