package agent

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/session"
)

// draft is an answer while it arrives: the parts that are whole, and the text of
// those that are not.
type draft struct {
	parts []chat.Part
	open  []chat.Part // text and thinking, without a signature
	stop  chat.Stop
	usage chat.Usage
	shown bool // a reader of the feed has seen something of it
}

// stream sends the request once and tells what arrives if show is set. Without
// an error the answer is whole.
func (t *turn) stream(ctx context.Context, p llm.Provider, r llm.Request, show bool) (*draft, error) {
	d := &draft{}
	done := false
	for delta, err := range p.Stream(ctx, r) {
		if err != nil {
			return d, err
		}
		if ctx.Err() != nil {
			return d, context.Cause(ctx)
		}
		d.add(delta)
		done = delta.Kind == llm.DeltaDone
		if show {
			d.shown = t.tell(delta) || d.shown
		}
	}
	if !done {
		return d, &llm.Error{Type: "cut", Message: "the answer ended in the middle", Transient: true}
	}
	return d, nil
}

func (d *draft) add(delta llm.Delta) {
	switch delta.Kind {
	case llm.DeltaText:
		d.grow(chat.PartText, delta.Text)
	case llm.DeltaThinking:
		d.grow(chat.PartThinking, delta.Text)
	case llm.DeltaRestart:
		*d = draft{shown: d.shown}
	case llm.DeltaPart:
		d.parts = append(d.parts, delta.Part)
		d.open = slices.DeleteFunc(d.open, func(p chat.Part) bool { return p.Kind == delta.Part.Kind })
	case llm.DeltaDone:
		d.stop, d.usage = delta.Stop, delta.Usage
	case llm.DeltaArgs: // the call counts when it is whole
	}
}

func (d *draft) grow(kind chat.PartKind, text string) {
	if n := len(d.open); n > 0 && d.open[n-1].Kind == kind {
		d.open[n-1].Text += text
		return
	}
	d.open = append(d.open, chat.Part{Kind: kind, Text: text})
}

// all is what has arrived, whole or not. A call that is cut is not in it.
func (d *draft) all() []chat.Part { return slices.Concat(d.parts, d.open) }

// tell publishes what a person can watch of a delta.
func (t *turn) tell(d llm.Delta) bool {
	var kind session.DeltaKind
	switch d.Kind {
	case llm.DeltaText:
		kind = session.DeltaText
	case llm.DeltaThinking:
		kind = session.DeltaThinking
	case llm.DeltaArgs:
		kind = session.DeltaArgs
	case llm.DeltaRestart:
		kind = session.DeltaRestart
	case llm.DeltaPart, llm.DeltaDone:
		return false
	}
	t.a.o.Session.Publish(session.Delta{Kind: kind, CallID: d.ID, Name: d.Name, Text: d.Text})
	return true
}

// answer gets one whole answer and stores it, or says how the turn ends; what
// had arrived until then is stored too.
func (t *turn) answer(ctx context.Context) (chat.Message, *session.TurnEnded) {
	for shrunk := 0; ; shrunk++ {
		t.compactIfFull(ctx)
		m := t.a.thinker()
		if m.provider == nil {
			return chat.Message{}, broken("no model is chosen")
		}
		d, err := t.persist(ctx, func() (*draft, error) {
			return t.stream(ctx, m.provider, t.request(m), true)
		})
		if ctx.Err() != nil {
			return t.stopped(m, d)
		}
		if fits := err == nil && d.stop != chat.StopContext; fits {
			return t.whole(m, d)
		} else if err != nil && !overflow(err) {
			return t.failed(m, d, err)
		}
		t.restart(d)
		if shrunk == 2 {
			return chat.Message{}, broken("%s", noRoom)
		}
		if err := t.compact(ctx, "", true); err != nil {
			if ctx.Err() != nil {
				return chat.Message{}, interrupted()
			}
			return chat.Message{}, broken("%s (%v)", noRoom, err)
		}
	}
}

const noRoom = "the conversation no longer fits the model: use /compact, /new or a model with a larger context"

func (t *turn) request(m mind) llm.Request {
	r := llm.Request{
		Model: m.model.ID, System: t.system, Thinking: m.thinking, CacheKey: t.a.o.Session.ID(),
		Messages: project(t.a.o.Session.Branch(), m.model),
	}
	if t.a.o.Tools != nil {
		r.Tools = t.a.o.Tools.Specs()
	}
	r.MaxTokens = m.model.MaxOutput
	return r
}

// whole stores an answer that came to its end.
func (t *turn) whole(m mind, d *draft) (chat.Message, *session.TurnEnded) {
	t.compacted = false
	msg := m.message(d.all(), d.stop)
	msg.Answer.Usage = d.usage
	if d.stop == chat.StopRefusal {
		msg.Parts = withoutCalls(msg.Parts)
	}
	t.fixCalls(msg.Parts)
	return msg, t.keep(msg)
}

// stopped stores what had arrived when the person interrupted. Whole calls keep
// their place and get results that say so.
func (t *turn) stopped(m mind, d *draft) (chat.Message, *session.TurnEnded) {
	if d == nil || len(d.all()) == 0 {
		return chat.Message{}, interrupted()
	}
	msg := m.message(d.all(), chat.StopAborted)
	t.fixCalls(msg.Parts)
	if t.keep(msg) == nil {
		for _, call := range msg.Calls() {
			t.storeResult(call, refused(call, notRun))
		}
	}
	return msg, interrupted()
}

// failed stores what had arrived when the provider gave up. Calls of an answer
// that is not whole are not part of it.
func (t *turn) failed(m mind, d *draft, err error) (chat.Message, *session.TurnEnded) {
	end := broken("%s", explain(err))
	if d == nil {
		return chat.Message{}, end
	}
	msg := m.message(withoutCalls(d.all()), chat.StopError)
	msg.Answer.Error = end.Error
	if len(msg.Parts) == 0 {
		return msg, end
	}
	if kept := t.keep(msg); kept != nil {
		return msg, kept
	}
	return msg, end
}

func (m mind) message(parts []chat.Part, stop chat.Stop) chat.Message {
	return chat.Message{
		Role: chat.RoleAssistant, Parts: parts,
		Answer: &chat.Answer{Provider: m.model.Provider, Model: m.model.ID, Stop: stop},
	}
}

// restart tells the readers of the feed that what they saw does not count.
func (t *turn) restart(d *draft) {
	if d != nil && d.shown {
		t.a.o.Session.Publish(session.Delta{Kind: session.DeltaRestart})
	}
}

func withoutCalls(parts []chat.Part) []chat.Part {
	return slices.DeleteFunc(slices.Clone(parts), func(p chat.Part) bool { return p.Kind == chat.PartToolCall })
}

// fixCalls makes calls storable: each has an ID that no other call of the
// conversation has, and its arguments are one JSON object. What a server sent
// instead is wrapped, and the tool will complain of it.
func (t *turn) fixCalls(parts []chat.Part) {
	taken := map[string]bool{"": true}
	for _, e := range t.a.o.Session.Branch() {
		if e.Message != nil {
			for _, c := range e.Message.Calls() {
				taken[c.ID] = true
			}
		}
	}
	for i, p := range parts {
		if p.Kind != chat.PartToolCall || p.Call == nil {
			continue
		}
		call := *p.Call
		if taken[call.ID] {
			call.ID = "call_" + newID()
		}
		taken[call.ID] = true
		call.Args = object(call.Args)
		parts[i].Call = &call
	}
}

// object is raw if that is a JSON object, {} for nothing, and otherwise an
// object that shows what came.
func object(raw json.RawMessage) json.RawMessage {
	var o map[string]json.RawMessage
	if len(raw) == 0 {
		return json.RawMessage("{}")
	}
	if json.Unmarshal(raw, &o) == nil && o != nil {
		return raw
	}
	wrapped, _ := json.Marshal(map[string]string{invalidArgs: string(raw)}) // a string
	return wrapped
}

// invalidArgs is the argument that holds what was not a JSON object.
const invalidArgs = "invalid_json"

func overflow(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Overflow
}

// explain makes one line for a person of a provider's error.
func explain(err error) string {
	var e *llm.Error
	if !errors.As(err, &e) {
		return sentence(err)
	}
	return strings.Join(strings.Fields(e.Error()), " ")
}
