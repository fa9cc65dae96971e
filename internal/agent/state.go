package agent

import (
	"slices"
	"sync"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/session"
)

// State is how things stand: a copy that never changes.
type State struct {
	Busy     bool // something runs, or was asked for and starts at once
	Turn     bool // the agent works on a prompt
	Bangs    int  // "!" commands that run
	Calls    []chat.ToolCall
	Question *chat.Question    // the open question, or nil
	Retry    *session.Retrying // the wait between two tries, or nil
	Steer    []string          // queued, as in session.Queued
	FollowUp []string

	Provider string // "" without a provider
	Model    llm.Model
	Thinking llm.Effort
	Mode     permission.Mode

	// Usage and Cost are those of all answers of the session, on all branches.
	// CostKnown is false if the price of one of them is not.
	Usage     chat.Usage
	Cost      float64
	CostKnown bool
	// Context is how many tokens the next request has, about.
	Context int
}

// ContextPercent is how full the model's window is, and whether its size is
// known.
func (s State) ContextPercent() (float64, bool) {
	if s.Model.Window <= 0 {
		return 0, false
	}
	return 100 * float64(s.Context) / float64(s.Model.Window), true
}

// State returns how things stand.
func (a *Agent) State() State {
	m := a.thinker()
	s := State{Model: m.model, Thinking: m.thinking}
	if m.provider != nil {
		s.Provider = m.provider.Name()
	}
	if a.o.Policy != nil {
		s.Mode = a.o.Policy.Mode()
	}
	s.Steer, s.FollowUp = a.queue.texts()
	posted := a.inbox.busy()
	a.live.fill(&s)
	a.books.fill(&s)
	s.Busy = posted || s.Turn || s.Bangs > 0
	return s
}

// Busy says that something runs, or was asked for and starts at once.
func (a *Agent) Busy() bool { return a.State().Busy }

func (l *live) fill(s *State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.Turn, s.Bangs, s.Calls = l.turn != nil, len(l.bangs), slices.Clone(l.running)
	if l.question != nil {
		q := l.question.Question
		s.Question = &q
	}
	if l.retry != nil {
		r := *l.retry
		s.Retry = &r
	}
}

// books counts what the answers used.
type books struct {
	mu      sync.Mutex
	usage   chat.Usage
	cost    float64
	unknown bool
	context int
}

// replay counts the answers that a session holds already.
func (b *books) replay(s *session.Session, describe func(provider, id string) (llm.Model, bool)) {
	b.mu.Lock()
	b.usage, b.cost, b.unknown = chat.Usage{}, 0, false
	b.mu.Unlock()
	for _, e := range s.Entries() {
		if e.Message != nil && e.Message.Answer != nil {
			b.count(*e.Message.Answer, describe)
		}
	}
	b.setContext(measure(s.Branch(), ""))
}

func (b *books) count(a chat.Answer, describe func(provider, id string) (llm.Model, bool)) {
	if a.Usage == (chat.Usage{}) {
		return
	}
	model, found := describe(a.Provider, a.Model)
	cost, known := model.Cost(a.Usage)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.usage.Input += a.Usage.Input
	b.usage.Output += a.Usage.Output
	b.usage.CacheRead += a.Usage.CacheRead
	b.usage.CacheWrite += a.Usage.CacheWrite
	b.usage.Reasoning += a.Usage.Reasoning
	b.cost += cost
	b.unknown = b.unknown || !found || !known
}

func (b *books) setContext(tokens int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.context = tokens
}

func (b *books) fill(s *State) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.Usage, s.Cost, s.CostKnown, s.Context = b.usage, b.cost, !b.unknown, b.context
}
