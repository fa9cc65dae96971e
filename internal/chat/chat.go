// Package chat holds the words of a conversation as plain data: what is said,
// which tools are called, what they answered and which commands were run. The
// data can be stored, sent to a model, replayed and drawn; this package does
// none of that, and imports nothing of ours.
package chat

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Role says who a message is from.
type Role string

// The roles. Each decides which fields of a Message are set.
const (
	// RoleUser is what the person typed: Parts holds text and images.
	RoleUser Role = "user"
	// RoleAssistant is a model's answer: Parts holds text, thinking and tool
	// calls, Answer says how it came about.
	RoleAssistant Role = "assistant"
	// RoleToolResult answers one tool call: Result is set.
	RoleToolResult Role = "toolResult"
	// RoleBashExecution is a command that the person ran with "!": Run is set.
	RoleBashExecution Role = "bashExecution"
)

// Message is one step of a conversation. Role says which fields are set.
type Message struct {
	Role   Role        `json:"role"`
	Parts  []Part      `json:"parts,omitempty"`
	Answer *Answer     `json:"answer,omitempty"`
	Result *ToolResult `json:"result,omitempty"`
	Run    *BashRun    `json:"run,omitempty"`
}

// Answer says how an assistant message came about.
type Answer struct {
	Provider string `json:"provider,omitempty"` // the provider's name, as in the settings
	Model    string `json:"model,omitempty"`    // the model's id at that provider
	Stop     Stop   `json:"stop,omitempty"`
	Usage    Usage  `json:"usage,omitzero"`
	// Error is one line for a person when Stop is StopError, else empty.
	Error string `json:"error,omitempty"`
}

// Stop says why a model stopped.
type Stop string

// The reasons. Aborted and error answers keep what had arrived, for the
// screen; whether it goes back to a model is the sender's decision.
const (
	StopEnd     Stop = "end"     // said all that it had to say
	StopTool    Stop = "tool"    // waits for the results of its calls
	StopLength  Stop = "length"  // ran into the output limit
	StopRefusal Stop = "refusal" // declined, or was blocked
	StopPause   Stop = "pause"   // wants its own answer sent back unchanged
	StopContext Stop = "context" // the conversation no longer fits
	StopAborted Stop = "aborted" // the person interrupted
	StopError   Stop = "error"   // the provider failed
)

// PartKind says what a Part holds.
type PartKind string

// The kinds of parts.
const (
	PartText     PartKind = "text"
	PartThinking PartKind = "thinking"
	PartImage    PartKind = "image"
	PartToolCall PartKind = "toolCall"
	PartOpaque   PartKind = "opaque" // a provider's own block, replayed as it came
)

// Part is one piece of a message. Kind says which fields are set.
type Part struct {
	Kind PartKind `json:"kind"`
	// Text is the text of PartText and PartThinking.
	Text  string    `json:"text,omitempty"`
	Image *Image    `json:"image,omitempty"`
	Call  *ToolCall `json:"call,omitempty"`
	// Signature is what the provider needs back with a PartThinking or a
	// PartToolCall (a thinking signature, encrypted reasoning, a thought
	// signature). It is valid for the same provider and model only.
	Signature string `json:"signature,omitempty"`
	// Redacted marks thinking that came encrypted; it has no Text.
	Redacted bool `json:"redacted,omitempty"`
	// Raw is the provider's block behind PartOpaque, and the reasoning details
	// of a PartThinking where a provider wants them back unchanged.
	Raw json.RawMessage `json:"raw,omitempty"`
}

// Image is a picture in a message.
type Image struct {
	MIME string `json:"mime"` // "image/png", "image/jpeg", "image/gif", "image/webp"
	Data []byte `json:"data"`
}

// ToolCall is a model's wish to run a tool. Args is one whole JSON object.
type ToolCall struct {
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// ToolSpec is a tool as a model sees it.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// ToolResult answers the call with the same ID. Every stored call has exactly
// one.
type ToolResult struct {
	CallID string `json:"callId"`
	Name   string `json:"name"`
	// Parts is what the model gets: text, and images where a tool made some.
	// The sentences of Notices are not in it: whoever sends it appends them.
	Parts   []Part   `json:"parts,omitempty"`
	IsError bool     `json:"isError,omitempty"`
	Details *Details `json:"details,omitempty"`
	Notices []Notice `json:"notices,omitempty"`
}

// Notice is a fact about a result that stands beside the output and is told to
// the model in brackets after it, and to the person once. Output that imitates
// the sentence does not become a Notice.
type Notice struct {
	Kind string `json:"kind"` // "truncated", "timeoutClamped", "noPty", "survivors", …
	Text string `json:"text"` // one sentence without brackets or newline
}

// Details is what a tool knows beyond the text for the model. At most one
// field is set.
type Details struct {
	Run     *RunInfo    `json:"run,omitempty"`     // bash
	Blocked *Blocked    `json:"blocked,omitempty"` // a call that a rule stopped
	Change  *FileChange `json:"change,omitempty"`  // write and edit
	Listing *Listing    `json:"listing,omitempty"` // read, grep, find and ls
}

// Blocked says which rule stopped a bash call before it ran.
type Blocked struct {
	Kind     string `json:"kind"` // "intercepted"
	Rule     int    `json:"rule"` // index of the rule in the settings
	Tool     string `json:"tool"` // the tool to use instead
	Original string `json:"original"`
}

// FileChange is what a tool did to one file.
type FileChange struct {
	Path    string `json:"path"`
	Created bool   `json:"created,omitempty"`
	// Diff is a unified diff with three lines of context, without file heads.
	Diff    string `json:"diff,omitempty"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// Listing says what a reading tool showed of a file, a search or a directory.
type Listing struct {
	Path  string `json:"path,omitempty"`
	Shown int    `json:"shown"` // lines or entries shown
	Total int    `json:"total"` // in all; −1 if it was not counted to the end
	First int    `json:"first,omitempty"`
}

// Usage counts the tokens of one answer. Input leaves out what was read from
// or written to the cache.
type Usage struct {
	Input      int `json:"input,omitempty"`
	Output     int `json:"output,omitempty"`
	CacheRead  int `json:"cacheRead,omitempty"`
	CacheWrite int `json:"cacheWrite,omitempty"`
	Reasoning  int `json:"reasoning,omitempty"` // part of Output
}

// Total is every token that the answer had to do with.
func (u Usage) Total() int { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// Text joins the text parts of a message; thinking, calls and images are left
// out.
func (m Message) Text() string { return text(m.Parts) }

// Calls lists the tool calls of a message in their order.
func (m Message) Calls() []ToolCall {
	var calls []ToolCall
	for _, p := range m.Parts {
		if p.Kind == PartToolCall && p.Call != nil {
			calls = append(calls, *p.Call)
		}
	}
	return calls
}

// Text joins the text parts of a result, without its notices.
func (r ToolResult) Text() string { return text(r.Parts) }

func text(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Kind == PartText {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// TextPart makes a PartText.
func TextPart(s string) Part { return Part{Kind: PartText, Text: s} }

// UserText makes a message of the person with one text.
func UserText(s string) Message {
	return Message{Role: RoleUser, Parts: []Part{TextPart(s)}}
}

// Seconds writes a duration as a person reads it: "8ms", "0.4s", "12s", "3m5s".
func Seconds(d time.Duration) string {
	const tenth = 100 * time.Millisecond
	switch {
	case d < tenth:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	default:
		return d.Round(time.Second).String()
	}
}
