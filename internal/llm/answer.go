package llm

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Answer collects what a decoder reads. It passes every piece on at once, and
// at the end the whole parts, by these rules:
//
//   - A call is passed on only if its arguments are one whole JSON object.
//     They are never repaired.
//   - The last call of an answer may be cut. It is left out then, and the
//     answer counts as cut at its length, whatever the server says.
//   - Every call of a conversation has an id of its own, also with servers that
//     give none or the same one twice.
type Answer struct {
	yield  func(Delta, error) bool
	left   bool // the consumer is gone
	blocks []*Block
	taken  map[string]bool // ids of the conversation
}

// Block is one part of an answer while it comes in.
type Block struct {
	Part   chat.Part // without its Text and Call.Args, which Append collects
	text   strings.Builder
	answer *Answer
}

func newAnswer(r Request, yield func(Delta, error) bool) *Answer {
	a := &Answer{yield: yield, taken: map[string]bool{}}
	for _, m := range r.Messages {
		for _, c := range m.Calls() {
			a.taken[c.ID] = true
		}
	}
	return a
}

func (a *Answer) emit(d Delta) {
	if !a.left && !a.yield(d, nil) {
		a.left = true
	}
}

// Open begins a part of one kind.
func (a *Answer) Open(kind chat.PartKind) *Block {
	b := &Block{Part: chat.Part{Kind: kind}, answer: a}
	a.blocks = append(a.blocks, b)
	return b
}

// OpenCall begins a tool call. The id may be empty or taken.
func (a *Answer) OpenCall(id, name string) *Block {
	if id == "" || a.taken[id] {
		id = "call_" + rand.Text()[:16]
	}
	a.taken[id] = true
	b := a.Open(chat.PartToolCall)
	b.Part.Call = &chat.ToolCall{ID: id, Name: name}
	if name != "" {
		a.emit(Delta{Kind: DeltaArgs, ID: id, Name: name})
	}
	return b
}

// Last is the part that was opened last, nil if there is none.
func (a *Answer) Last() *Block {
	if len(a.blocks) == 0 {
		return nil
	}
	return a.blocks[len(a.blocks)-1]
}

// Restart forgets everything: the server began again.
func (a *Answer) Restart() {
	for _, b := range a.blocks {
		if c := b.Part.Call; c != nil {
			delete(a.taken, c.ID)
		}
	}
	a.blocks = nil
	a.emit(Delta{Kind: DeltaRestart})
}

// Append adds to the text of a part, or to the arguments of a call.
func (b *Block) Append(s string) {
	if s == "" {
		return
	}
	b.text.WriteString(s)
	switch b.Part.Kind {
	case chat.PartText:
		b.answer.emit(Delta{Kind: DeltaText, Text: s})
	case chat.PartThinking:
		b.answer.emit(Delta{Kind: DeltaThinking, Text: s})
	case chat.PartToolCall:
		b.answer.emit(Delta{Kind: DeltaArgs, ID: b.Part.Call.ID, Name: b.Part.Call.Name, Text: s})
	default:
	}
}

// Text is what was appended so far.
func (b *Block) Text() string { return b.text.String() }

// SetText replaces what was appended, without a word to the consumer: for
// servers that send the whole once more at the end.
func (b *Block) SetText(s string) {
	b.text.Reset()
	b.text.WriteString(s)
}

// close checks the parts and passes them on, and then that the answer is whole.
func (a *Answer) close(stop chat.Stop, u chat.Usage) error {
	parts, calls, stop, err := a.parts(stop)
	if err != nil {
		return err
	}
	switch {
	case calls > 0 && stop == chat.StopEnd: // servers that say "stop" with calls
		stop = chat.StopTool
	case calls == 0 && stop == chat.StopTool:
		stop = chat.StopEnd
	}
	for _, p := range parts {
		a.emit(Delta{Kind: DeltaPart, Part: p})
	}
	a.emit(Delta{Kind: DeltaDone, Stop: stop, Usage: u})
	return nil
}

func (a *Answer) parts(stop chat.Stop) (parts []chat.Part, calls int, _ chat.Stop, _ error) {
	for i, b := range a.blocks {
		if b.Part.Kind != chat.PartToolCall {
			if p, ok := b.whole(); ok {
				parts = append(parts, p)
			}
			continue
		}
		p, err := b.call()
		last := i == len(a.blocks)-1
		ended := stop == chat.StopEnd || stop == chat.StopTool
		switch {
		case last && (errors.Is(err, io.ErrUnexpectedEOF) || !ended && b.text.Len() == 0):
			if ended {
				stop = chat.StopLength
			}
			continue
		case err != nil:
			return nil, 0, stop, err
		}
		parts = append(parts, p)
		calls++
	}
	return parts, calls, stop, nil
}

// whole is a part that is no call, and whether there is anything in it.
func (b *Block) whole() (chat.Part, bool) {
	p := b.Part
	if p.Kind != chat.PartOpaque {
		p.Text = b.text.String()
	}
	return p, p.Text != "" || p.Signature != "" || len(p.Raw) > 0
}

func (b *Block) call() (chat.Part, error) {
	p := b.Part
	args, err := Args(b.text.String())
	if err == nil && p.Call.Name == "" {
		err = BadJSON(b.text.String(), errors.New("a call without the name of a tool"))
	}
	call := *p.Call
	call.Args = args
	p.Call = &call
	return p, err
}

// Args checks that the arguments of a call are one whole JSON object. Nothing
// at all is an empty object. Arguments that were cut are io.ErrUnexpectedEOF.
func Args(s string) (json.RawMessage, error) {
	s = strings.TrimSpace(s)
	if s == "" || s == "null" {
		return json.RawMessage("{}"), nil
	}
	dec := json.NewDecoder(strings.NewReader(s))
	var object map[string]json.RawMessage
	err := dec.Decode(&object)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, BadJSON(s, io.ErrUnexpectedEOF)
	}
	if err == nil && dec.InputOffset() != int64(len(s)) {
		err = errors.New("more than one value")
	}
	if err != nil {
		return nil, BadJSON(s, err)
	}
	return json.RawMessage(bytes.Clone([]byte(s))), nil
}

// BadJSON is the error for something that should have been JSON of a shape.
func BadJSON(data string, err error) error {
	if r := []rune(data); len(r) > 80 {
		data = string(r[:80]) + "…"
	}
	return &Error{Type: TypeBadJSON, Message: clean(fmt.Sprintf("%v in %s", err, data)), Transient: true, Cause: err}
}
