package demo

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// script is a file that says what to answer to each request in turn:
//
//	rate: 20ms              # between words; 0s for none
//	turns:
//	  - expect: "list"      # the last message has to hold this text
//	    steps:
//	      - thinking: Hmm.
//	      - text: Let me look.
//	      - wait: 500ms
//	      - call: bash
//	        args: {command: ls}
//	  - steps:
//	      - fault: {status: 529, type: overloaded_error, message: busy, retryAfter: 1s}
//	  - steps:
//	      - stall: true     # says nothing until it is interrupted
//
// A fault of the type "cut" ends the answer before it is whole.
type script struct {
	Rate  string `yaml:"rate"`
	Turns []turn `yaml:"turns"`
}

type turn struct {
	Expect string       `yaml:"expect"`
	Steps  []scriptStep `yaml:"steps"`
}

type scriptStep struct {
	Text     string         `yaml:"text"`
	Thinking string         `yaml:"thinking"`
	Call     string         `yaml:"call"`
	Args     map[string]any `yaml:"args"`
	Wait     string         `yaml:"wait"`
	Rate     string         `yaml:"rate"`
	Stall    bool           `yaml:"stall"`
	Fault    *fault         `yaml:"fault"`
}

type fault struct {
	Status     int    `yaml:"status"`
	Type       string `yaml:"type"`
	Message    string `yaml:"message"`
	RetryAfter string `yaml:"retryAfter"`
}

// NewScript makes a provider that plays a file. An error names the place in it.
func NewScript(file string) (llm.Provider, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("demo script: %w", err)
	}
	var s script
	if err := yaml.Load(data, &s, yaml.WithKnownFields()); err != nil {
		return nil, placed(file, err)
	}
	if len(s.Turns) == 0 {
		return nil, fmt.Errorf("%s: it has no turns", file)
	}
	p := &player{}
	rate, err := duration(s.Rate, -1)
	if err != nil {
		return nil, fmt.Errorf("%s: rate: %w", file, err)
	}
	for i, t := range s.Turns {
		steps, err := t.steps()
		if err != nil {
			return nil, fmt.Errorf("%s: turns[%d]: %w", file, i, err)
		}
		p.turns = append(p.turns, ready{expect: t.Expect, steps: steps})
	}
	return &provider{rate: rate, next: p.next}, nil
}

// placed puts the place of a mistake before it.
func placed(file string, err error) error {
	var bad *yaml.LoadError
	if errors.As(err, &bad) {
		return fmt.Errorf("%s:%d:%d: %w", file, bad.Mark.Line, bad.Mark.Column, err)
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "yaml: "), "\n")
	return fmt.Errorf("%s: %s", file, text)
}

func duration(s string, standard time.Duration) (time.Duration, error) {
	if s == "" {
		return standard, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is no duration such as 20ms", s)
	}
	if d == 0 {
		d = -1
	}
	return d, nil
}

func (t turn) steps() ([]step, error) {
	out := make([]step, 0, len(t.Steps))
	for i, s := range t.Steps {
		wait, err := duration(s.Wait, 0)
		if err != nil {
			return nil, fmt.Errorf("steps[%d].wait: %w", i, err)
		}
		rate, err := duration(s.Rate, 0)
		if err != nil {
			return nil, fmt.Errorf("steps[%d].rate: %w", i, err)
		}
		args := s.Args
		if args == nil {
			args = map[string]any{}
		}
		st := step{text: s.Text, thinking: s.Thinking, call: s.Call, args: args, wait: wait, rate: rate, stall: s.Stall}
		if s.Fault != nil {
			after, err := duration(s.Fault.RetryAfter, 0)
			if err != nil {
				return nil, fmt.Errorf("steps[%d].fault.retryAfter: %w", i, err)
			}
			st.fail = llm.Classify(&llm.Error{
				Status: s.Fault.Status, Type: s.Fault.Type, Message: s.Fault.Message, RetryAfter: after, Provider: Name,
			})
			if s.Fault.Type == llm.TypeCut {
				st.fail.Transient = true
			}
		}
		out = append(out, st)
	}
	return out, nil
}

// player goes through the turns of a script, one for each request.
type player struct {
	turns []ready

	mu sync.Mutex
	at int
}

type ready struct {
	expect string
	steps  []step
}

func (p *player) next(r llm.Request) ([]step, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at >= len(p.turns) {
		return []step{{text: "(the script has ended)"}}, nil
	}
	t := p.turns[p.at]
	p.at++
	if got := lastSaid(r.Messages); !strings.Contains(got, t.expect) {
		return nil, &llm.Error{
			Type: "script", Provider: Name,
			Message: fmt.Sprintf("turn %d of the script expects %q, and got %q", p.at, t.expect, got),
		}
	}
	return t.steps, nil
}

// lastSaid is the text of the last message, of the person or of a tool.
func lastSaid(messages []chat.Message) string {
	if len(messages) == 0 {
		return ""
	}
	m := messages[len(messages)-1]
	if m.Result != nil {
		return m.Result.Text()
	}
	return m.Text()
}
