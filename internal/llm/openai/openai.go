// Package openai speaks the Chat Completions format, to OpenAI and to the many
// servers that serve it. Their differences are Quirks, never guesses by name.
package openai

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// Options say which server to ask, and how.
type Options struct {
	Name      string // the provider's name in the settings; "openai-chat" if empty
	BaseURL   string // with its version, "https://api.openai.com/v1" if empty
	Key       string
	KeySource string // where the key came from, for the sentences of errors
	Quirks    map[string]bool
	HTTP      *http.Client  // nil: the default transport
	Idle      time.Duration // how long the server may say nothing; 0: 2 minutes
}

// The quirks of servers.
const (
	quirkMaxCompletion  = "maxCompletionTokens" // the limit has the newer name
	quirkCacheKey       = "cacheKey"            // prompt_cache_key is known
	quirkReasoning      = "reasoningObject"     // the effort stands in an object
	quirkNoEffort       = "noReasoningEffort"   // there is no effort
	quirkCacheControl   = "cacheControl"        // cache points as in Anthropic's format
	quirkShortIDs       = "shortIDs"            // ids of calls have nine letters and digits
	quirkNoStreamUsage  = "noStreamUsage"       // asking for the usage is refused
	defaultBase         = "https://api.openai.com/v1"
	reasoningDetails    = "reasoning_details"
	maxImagesPerMessage = 20
)

// New makes a provider. It sends nothing yet.
func New(o Options) llm.Provider {
	o.Name = cmp.Or(o.Name, "openai-chat")
	return &llm.Client{
		Provider: o.Name, BaseURL: cmp.Or(o.BaseURL, defaultBase),
		Key: o.Key, KeySource: o.KeySource, HTTP: o.HTTP, Idle: o.Idle,
		Format: format{provider: o.Name, quirks: o.Quirks},
	}
}

type format struct {
	provider string
	quirks   map[string]bool
}

type obj = map[string]any

// Encode writes a request.
func (f format) Encode(base, key string, r llm.Request) (llm.Call, error) {
	h := map[string]string{}
	if key != "" {
		h["Authorization"] = "Bearer " + key
	}
	return llm.Call{URL: base + "/chat/completions", Header: h, Body: f.body(r)}, nil
}

// Decode reads the answer to one request.
func (f format) Decode(_ llm.Request, a *llm.Answer) llm.Decoder {
	return &decoder{answer: a, calls: map[int]*call{}}
}

func (f format) body(r llm.Request) obj {
	b := obj{"model": r.Model, "stream": true, "messages": f.messages(r)}
	if !f.quirks[quirkNoStreamUsage] {
		b["stream_options"] = obj{"include_usage": true}
	}
	if r.MaxTokens > 0 {
		name := "max_tokens"
		if f.quirks[quirkMaxCompletion] {
			name = "max_completion_tokens"
		}
		b[name] = r.MaxTokens
	}
	if r.Thinking != llm.EffortOff {
		switch {
		case f.quirks[quirkReasoning]:
			b["reasoning"] = obj{"effort": string(r.Thinking)}
		case !f.quirks[quirkNoEffort]:
			b["reasoning_effort"] = string(r.Thinking)
		}
	}
	if r.CacheKey != "" && f.quirks[quirkCacheKey] {
		b["prompt_cache_key"] = r.CacheKey
	}
	if len(r.Tools) > 0 {
		list := make([]obj, len(r.Tools))
		for i, t := range r.Tools {
			list[i] = obj{"type": "function", "function": obj{"name": t.Name, "description": t.Description, "parameters": t.Schema}}
		}
		b["tools"] = list
	}
	return b
}

// The rules of the format:
//
//   - A result is a message of its own, right after the call. It holds text
//     only, so pictures follow as a message of the user once all results are
//     there.
//   - An assistant message has text or calls, or it is left out.
func (f format) messages(r llm.Request) []obj {
	var out []obj
	if r.System != "" {
		out = append(out, obj{"role": "system", "content": f.system(r.System)})
	}
	var pictures []obj
	flush := func() {
		if len(pictures) > 0 {
			out = append(out, obj{"role": "user", "content": pictures})
			pictures = nil
		}
	}
	for _, m := range r.Messages {
		if m.Role != chat.RoleToolResult {
			flush()
		}
		switch m.Role {
		case chat.RoleUser:
			if content := userContent(m.Parts); content != nil {
				out = append(out, obj{"role": "user", "content": content})
			}
		case chat.RoleAssistant:
			if o := f.assistant(m, r.Own(f.provider, m)); o != nil {
				out = append(out, o)
			}
		case chat.RoleToolResult:
			if m.Result != nil {
				o, more := f.result(*m.Result)
				out = append(out, o)
				pictures = append(pictures, more...)
			}
		default:
		}
	}
	flush()
	if f.quirks[quirkCacheControl] {
		markLast(out)
	}
	return out
}

// system is the system prompt, with a cache point where the server knows them.
func (f format) system(text string) any {
	if !f.quirks[quirkCacheControl] {
		return text
	}
	return []obj{{"type": "text", "text": text, "cache_control": obj{"type": "ephemeral"}}}
}

// markLast sets a cache point at the last message of the user.
func markLast(messages []obj) {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i]["role"] != "user" {
			continue
		}
		if text, ok := messages[i]["content"].(string); ok {
			messages[i]["content"] = []obj{{"type": "text", "text": text, "cache_control": obj{"type": "ephemeral"}}}
		}
		return
	}
}

// userContent is plain text where it can be, which every server takes; nil if
// there is nothing to say.
func userContent(parts []chat.Part) any {
	var text []string
	var list []obj
	pictures := 0
	for _, p := range parts {
		switch {
		case p.Kind == chat.PartText && strings.TrimSpace(p.Text) != "":
			text = append(text, p.Text)
			list = append(list, obj{"type": "text", "text": p.Text})
		case p.Kind == chat.PartImage && p.Image != nil && pictures < maxImagesPerMessage:
			pictures++
			list = append(list, picture(*p.Image))
		}
	}
	switch {
	case len(list) == 0:
		return nil
	case pictures == 0:
		return strings.Join(text, "\n\n")
	default:
		return list
	}
}

func picture(i chat.Image) obj {
	return obj{"type": "image_url", "image_url": obj{"url": llm.DataURL(i)}}
}

func (f format) assistant(m chat.Message, own bool) obj {
	o := obj{"role": "assistant"}
	var text []string
	var calls []obj
	for _, p := range m.Parts {
		switch p.Kind {
		case chat.PartText:
			if strings.TrimSpace(p.Text) != "" {
				text = append(text, p.Text)
			}
		case chat.PartThinking:
			if own && len(p.Raw) > 0 {
				o[reasoningDetails] = p.Raw
			}
		case chat.PartToolCall:
			if p.Call != nil {
				calls = append(calls, obj{
					"id": f.id(p.Call.ID), "type": "function",
					"function": obj{"name": p.Call.Name, "arguments": string(p.Call.Args)},
				})
			}
		default:
		}
	}
	if len(text) == 0 && len(calls) == 0 {
		return nil
	}
	o["content"] = strings.Join(text, "\n\n")
	if len(calls) > 0 {
		o["tool_calls"] = calls
	}
	return o
}

func (f format) result(r chat.ToolResult) (message obj, pictures []obj) {
	var text []string
	for _, p := range llm.ResultParts(r) {
		if p.Kind == chat.PartImage {
			pictures = append(pictures, obj{"type": "text", "text": "A picture from the tool " + r.Name + ":"}, picture(*p.Image))
			continue
		}
		text = append(text, p.Text)
	}
	if len(text) == 0 {
		text = []string{"(see the picture)"}
	}
	return obj{"role": "tool", "tool_call_id": f.id(r.CallID), "content": strings.Join(text, "\n")}, pictures
}

// id is the id of a call as the server takes it.
func (f format) id(id string) string {
	id = llm.PlainID(id)
	if f.quirks[quirkShortIDs] {
		return llm.ShortID(id)
	}
	return id
}
