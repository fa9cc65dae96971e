// Package demo is a model that needs no key: a scripted assistant that says so.
// It plays a tour that answers to what is typed and calls the real tools, or a
// script from a file, with the faults that real servers have. It is no AI and
// asks no server.
package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// Name is the provider's name.
const Name = "demo"

// Options say how it plays.
type Options struct {
	// Rate is the time between two words; 0: a pace at which one can read,
	// negative: none.
	Rate time.Duration
}

const defaultRate = 18 * time.Millisecond

// New makes the tour.
func New(o Options) llm.Provider {
	if o.Rate == 0 {
		o.Rate = defaultRate
	}
	return &provider{rate: o.Rate, next: tour}
}

// provider plays what next says to a request.
type provider struct {
	rate time.Duration
	next func(r llm.Request) ([]step, error)
}

// step is one thing that an answer does. One field is set, beside rate.
type step struct {
	text     string
	thinking string
	call     string // name of a tool
	args     map[string]any
	wait     time.Duration
	rate     time.Duration // between the words of text; 0: the provider's
	fail     *llm.Error
	stall    bool // says nothing more until it is cancelled
}

// Name is "demo".
func (p *provider) Name() string { return Name }

// Stream plays the answer to a request.
func (p *provider) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	return func(yield func(llm.Delta, error) bool) {
		steps, err := p.next(r)
		if err != nil {
			yield(llm.Delta{}, err)
			return
		}
		s := &stage{ctx: ctx, yield: yield, rate: p.rate, answered: answers(r.Messages)}
		for _, st := range steps {
			if !s.play(st) {
				return
			}
		}
		s.end(r)
	}
}

// answers counts the assistant messages, which makes the ids of calls unique.
func answers(messages []chat.Message) int {
	n := 0
	for _, m := range messages {
		if m.Role == chat.RoleAssistant {
			n++
		}
	}
	return n
}

// stage is an answer that is being played.
type stage struct {
	ctx      context.Context //nolint:containedctx // lives for one Stream
	yield    func(llm.Delta, error) bool
	rate     time.Duration
	answered int
	parts    []chat.Part
	calls    int
	words    int
}

// play plays a step and says whether the answer goes on.
func (s *stage) play(st step) bool {
	rate := s.rate
	if st.rate != 0 {
		rate = st.rate
	}
	switch {
	case st.fail != nil:
		s.yield(llm.Delta{}, st.fail)
		return false
	case st.stall:
		<-s.ctx.Done()
		s.yield(llm.Delta{}, context.Cause(s.ctx))
		return false
	case st.wait > 0:
		return s.pause(st.wait)
	case st.thinking != "":
		return s.say(llm.DeltaThinking, chat.PartThinking, st.thinking, rate)
	case st.call != "":
		return s.callTool(st.call, st.args, rate)
	default:
		return s.say(llm.DeltaText, chat.PartText, st.text, rate)
	}
}

func (s *stage) say(kind llm.DeltaKind, part chat.PartKind, text string, rate time.Duration) bool {
	for word := range pieces(text) {
		if !s.yield(llm.Delta{Kind: kind, Text: word}, nil) || !s.pause(rate) {
			return false
		}
		s.words++
	}
	p := chat.Part{Kind: part, Text: text}
	s.parts = append(s.parts, p)
	return true
}

// pieces splits a text before its words.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := 1; i < len(text); i++ {
			if text[i] == ' ' || text[i] == '\n' && text[i-1] != '\n' {
				if !yield(text[start:i]) {
					return
				}
				start = i
			}
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

func (s *stage) callTool(name string, args map[string]any, rate time.Duration) bool {
	raw, err := json.Marshal(args)
	if err != nil {
		s.yield(llm.Delta{}, &llm.Error{Type: llm.TypeBadJSON, Message: err.Error(), Provider: Name})
		return false
	}
	s.calls++
	id := "demo_" + strconv.Itoa(s.answered+1) + "_" + strconv.Itoa(s.calls)
	const piece = 12
	for text := string(raw); ; {
		n := min(piece, len(text))
		if !s.yield(llm.Delta{Kind: llm.DeltaArgs, ID: id, Name: name, Text: text[:n]}, nil) || !s.pause(rate) {
			return false
		}
		if text = text[n:]; text == "" {
			break
		}
	}
	s.parts = append(s.parts, chat.Part{Kind: chat.PartToolCall, Call: &chat.ToolCall{ID: id, Name: name, Args: raw}})
	return true
}

// end passes on the whole parts.
func (s *stage) end(r llm.Request) {
	for _, p := range s.parts {
		if !s.yield(llm.Delta{Kind: llm.DeltaPart, Part: p}, nil) {
			return
		}
	}
	stop := chat.StopEnd
	if s.calls > 0 {
		stop = chat.StopTool
	}
	s.yield(llm.Delta{Kind: llm.DeltaDone, Stop: stop, Usage: chat.Usage{Input: size(r), Output: s.words}}, nil)
}

// size guesses the tokens of a request, as a real server would count them.
func size(r llm.Request) int {
	n := len(r.System)
	for _, m := range r.Messages {
		for _, p := range m.Parts {
			n += len(p.Text)
		}
		if m.Result != nil {
			n += len(m.Result.Text())
		}
	}
	const bytesPerToken = 4
	return n / bytesPerToken
}

// pause waits and says whether the answer goes on.
func (s *stage) pause(d time.Duration) bool {
	if d <= 0 && s.ctx.Err() == nil {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-s.ctx.Done():
		s.yield(llm.Delta{}, context.Cause(s.ctx))
		return false
	}
}

func sprintf(format string, args ...any) string {
	return strings.TrimSpace(fmt.Sprintf(format, args...))
}
