// Package llm is one interface for every language model: a request goes in, a
// stream of deltas comes out. It knows nothing of sessions, tools or screens,
// and retries nothing: that is the business of whoever drives the turn.
package llm

import (
	"context"
	"iter"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Provider speaks to one kind of model server.
type Provider interface {
	// Name is the provider's name in the settings, such as "anthropic".
	Name() string
	// Stream sends the request once and yields what comes back. The last thing
	// that it yields is either a DeltaDone with a nil error, which means that
	// the answer is whole, or a non-nil error, after which the iteration ends.
	// Errors are *Error, or the cause of a cancelled ctx. Breaking out of the
	// loop or cancelling ctx closes the connection at once.
	Stream(ctx context.Context, r Request) iter.Seq2[Delta, error]
}

// Request is all that a model gets to see.
type Request struct {
	Model  string // the model's id at the provider
	System string
	// Messages are of the roles user, assistant and toolResult; every tool
	// call is followed by its result before the next message of the user.
	Messages []chat.Message
	Tools    []chat.ToolSpec
	// MaxTokens bounds the answer; 0 takes the provider's default.
	MaxTokens int
	Thinking  Effort
	// CacheKey is the same for every request of one conversation.
	CacheKey string
}

// Effort is how much a model thinks before it answers.
type Effort string

// The efforts. The zero value is off.
const (
	EffortOff    Effort = ""
	EffortLow    Effort = "low"
	EffortMedium Effort = "medium"
	EffortHigh   Effort = "high"
)

// DeltaKind says what a Delta brings.
type DeltaKind string

// The kinds of deltas, in the order in which they can come.
const (
	DeltaText     DeltaKind = "text"     // Text is more of the answer
	DeltaThinking DeltaKind = "thinking" // Text is more of the thinking
	DeltaArgs     DeltaKind = "args"     // Text is more of the arguments of call ID, Name
	DeltaRestart  DeltaKind = "restart"  // forget all that came: the server began again
	DeltaPart     DeltaKind = "part"     // Part is whole, as it is to be stored
	DeltaDone     DeltaKind = "done"     // Stop and Usage; nothing comes after it
)

// Delta is one step of an answer.
type Delta struct {
	Kind  DeltaKind
	ID    string
	Name  string
	Text  string
	Part  chat.Part
	Stop  chat.Stop
	Usage chat.Usage
}

// Model describes one model of a catalogue.
type Model struct {
	Provider string
	ID       string
	Name     string // for people; may be empty
	// Window is the size of the context in tokens, 0 if unknown.
	Window    int
	MaxOutput int
	Images    bool
	Thinking  bool
	// Price is in US dollars for a million tokens; nil if unknown.
	Price *Price
}

// Price is what a million tokens cost in US dollars.
type Price struct{ Input, Output, CacheRead, CacheWrite float64 }

// Cost is what an answer cost in US dollars, and whether that is known.
func (m Model) Cost(u chat.Usage) (float64, bool) {
	if m.Price == nil {
		return 0, false
	}
	p := m.Price
	return (float64(u.Input)*p.Input + float64(u.Output)*p.Output +
		float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / 1e6, true
}

// Error is any failure of a request, with what a caller needs to decide what
// to do next. Its text is one sentence for a person, with what to try.
type Error struct {
	// Status is the HTTP status, 0 if there was no answer.
	Status int
	// Type is the provider's own word, such as "overloaded_error", or one of
	// ours: "network", "idle", "cut", "bad_json".
	Type      string
	Message   string // the provider's own words, without keys, on one line
	RequestID string
	// RetryAfter is what the server asked for, 0 if it did not.
	RetryAfter time.Duration
	Transient  bool // the same request may work in a while
	Overflow   bool // the conversation does not fit the model
	Auth       bool // the key is missing, wrong or not allowed
	Quota      bool // no credit left
	Cause      error

	Provider string // the provider's name in the settings
	Model    string // the model that was asked
	// KeySource says where the key came from, such as "ANTHROPIC_API_KEY". With
	// NoKey it says where one could be set.
	KeySource string
	NoKey     bool // there was no key to send
}
