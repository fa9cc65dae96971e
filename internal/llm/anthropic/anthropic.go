// Package anthropic speaks the Anthropic Messages format, to Anthropic and to
// everybody else who serves it. It does not retry, and asks for no sampling
// parameters: newer versions of the format refuse them.
package anthropic

import (
	"cmp"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/seed7484d81d/agent/internal/llm"
)

// version is the revision of the format that the decoder is written for.
const version = "2023-06-01"

// Options say which server to ask, and how.
type Options struct {
	Name      string // the provider's name in the settings; "anthropic" if empty
	BaseURL   string // "https://api.anthropic.com" if empty
	Key       string
	KeySource string        // where the key came from, for the sentences of errors
	HTTP      *http.Client  // nil: the default transport
	Idle      time.Duration // how long the server may say nothing; 0: 2 minutes
}

// New makes a provider. It sends nothing yet.
func New(o Options) llm.Provider {
	o.Name = cmp.Or(o.Name, "anthropic")
	return &llm.Client{
		Provider: o.Name, BaseURL: cmp.Or(o.BaseURL, "https://api.anthropic.com"),
		Key: o.Key, KeySource: o.KeySource, HTTP: o.HTTP, Idle: o.Idle,
		Format: format{provider: o.Name},
	}
}

type format struct{ provider string }

type obj = map[string]any

// Encode writes a request.
func (f format) Encode(base, key string, r llm.Request) (llm.Call, error) {
	h := map[string]string{"anthropic-version": version}
	if key != "" {
		h["x-api-key"] = key
	}
	return llm.Call{URL: base + "/v1/messages", Header: h, Body: f.body(r)}, nil
}

// Decode reads the answer to one request.
func (f format) Decode(_ llm.Request, a *llm.Answer) llm.Decoder {
	return &decoder{answer: a, blocks: map[int]*block{}}
}

func (f format) body(r llm.Request) obj {
	maxTokens := f.maxTokens(r)
	b := obj{"model": r.Model, "stream": true, "max_tokens": maxTokens}
	messages := f.messages(r)
	mark(messages)
	b["messages"] = messages
	if r.System != "" {
		b["system"] = []obj{{"type": "text", "text": r.System, "cache_control": ephemeral()}}
	}
	if len(r.Tools) > 0 {
		b["tools"] = tools(r)
	}
	f.think(r, b)
	return b
}

// maxTokens bounds the answer; the format wants a number.
func (f format) maxTokens(r llm.Request) int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	m, ok := llm.Lookup(f.provider, r.Model)
	if !ok {
		m, _ = llm.Lookup("anthropic", r.Model)
	}
	if m.MaxOutput == 0 {
		return 8192
	}
	return min(m.MaxOutput, 32000)
}

var generation = regexp.MustCompile(`claude-[a-z]+-(\d+)(?:[-.](\d{1,2}))?(?:\D|$)`)

// adaptive says that a model decides by itself how long it thinks; older ones
// want a budget in tokens.
func adaptive(model string) bool {
	m := generation.FindStringSubmatch(model)
	if m == nil {
		return false
	}
	major, _ := strconv.Atoi(m[1]) // digits
	minor, _ := strconv.Atoi(m[2]) // digits, or 0
	return major > 4 && major < 100 || major == 4 && minor >= 6
}

// think asks for thinking.
func (f format) think(r llm.Request, b obj) {
	if r.Thinking == llm.EffortOff {
		return
	}
	if adaptive(r.Model) {
		b["thinking"] = obj{"type": "adaptive", "display": "summarized"}
		b["output_config"] = obj{"effort": string(r.Thinking)}
		return
	}
	// A turn that began without thinking cannot go on with it: the server would
	// miss the thinking before the calls that it already made.
	if f.midTurnWithoutThinking(r) {
		return
	}
	budget := map[llm.Effort]int{llm.EffortLow: 2048, llm.EffortMedium: 8192, llm.EffortHigh: 16384}[r.Thinking]
	maxTokens := f.maxTokens(r)
	if r.MaxTokens == 0 {
		maxTokens = max(maxTokens, budget+4096)
		b["max_tokens"] = maxTokens
	}
	if budget = min(budget, maxTokens-1024); budget >= 1024 {
		b["thinking"] = obj{"type": "enabled", "budget_tokens": budget}
	}
}
