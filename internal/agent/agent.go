package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
)

// Options is what an Agent is made of.
type Options struct {
	Session *session.Session // where the conversation is
	// Provider and Model answer, with Thinking. A nil Provider answers every
	// prompt with an error until SetModel.
	Provider llm.Provider
	Model    llm.Model
	Thinking llm.Effort
	Tools    Tools         // what the model can call; nil: nothing
	Policy   Policy        // asked before every call; nil: everything is refused
	System   func() string // the system prompt, made once a turn; nil: none
	Shell    Shell         // runs "!" commands; nil: they are refused
	// AskNobody says that nobody is there to answer: a call that needs a
	// question is refused instead.
	AskNobody bool
	// Remember stores rules that the person allowed for always; nil: they are
	// valid for this session.
	Remember func(rules []string) error
	// Lookup describes models that answered earlier in the conversation, for
	// their price; nil: only Model is known.
	Lookup func(provider, id string) (llm.Model, bool)
	// NoAutoCompact leaves a conversation that no longer fits to the person.
	NoAutoCompact bool
	// MaxSteps ends a turn after so many requests; 0: no limit.
	MaxSteps int
	Now      func() time.Time // nil: time.Now
	Jitter   func() float64   // in [0,1), for the waits between tries; nil: random
	Log      *slog.Logger     // nil: nothing is logged
}

// Tools is the set of tools of the conversation. *tools.Registry is one.
type Tools interface {
	Specs() []chat.ToolSpec
	Get(name string) (tools.Tool, bool)
}

// Shell runs a command that the person typed. It waits for it, stops it when
// ctx ends, and returns what is known of it whatever happened.
type Shell interface {
	Run(ctx context.Context, id, line string, progress tools.Progress) chat.BashRun
}

// Agent drives one session. All methods are safe for concurrent use; all but
// Run and Wait return at once.
type Agent struct {
	o     Options
	inbox mailbox
	queue queue
	live  live
	books books
	work  sync.WaitGroup // the turn and the "!" commands
	done  chan struct{}  // closed when Run has ended

	manual atomic.Bool // compaction is left to the person

	mu   sync.Mutex
	mind mind // who answers from the next request on

	// What only the inbox touches.
	turning bool
	waiting []chan struct{}
	ending  bool
}

// mind is who answers.
type mind struct {
	provider llm.Provider
	model    llm.Model
	thinking llm.Effort
}

// New makes an agent that does nothing until Run.
func New(o Options) *Agent {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Jitter == nil {
		o.Jitter = mathrand.Float64
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	a := &Agent{
		o: o, inbox: newMailbox(), done: make(chan struct{}),
		mind: mind{provider: o.Provider, model: o.Model, thinking: o.Thinking},
	}
	a.manual.Store(o.NoAutoCompact)
	a.books.replay(o.Session, a.describe)
	return a
}

// Run does what the other methods ask for, until ctx ends. It then interrupts
// all that runs and returns nil when that has ended and is stored.
func (a *Agent) Run(ctx context.Context) error {
	defer close(a.done)
	for {
		select {
		case <-a.inbox.wake:
			a.inbox.each(func(do post) { do(ctx) })
			a.release()
		case <-ctx.Done():
			a.ending = true
			a.work.Wait() // their contexts come from ctx
			a.inbox.each(func(do post) { do(ctx) })
			a.work.Wait()
			return nil
		}
	}
}

// Wait waits until nothing runs and nothing is posted before it that could run.
func (a *Agent) Wait(ctx context.Context) error {
	idle := make(chan struct{})
	a.inbox.add(func(context.Context) { a.waiting = append(a.waiting, idle) })
	select {
	case <-idle:
		return nil
	case <-a.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// release tells those who wait that nothing runs. The inbox calls it.
func (a *Agent) release() {
	if a.turning || a.live.bangCount() > 0 {
		return
	}
	for _, idle := range a.waiting {
		close(idle)
	}
	a.waiting = nil
}

// Prompt starts a turn with what the person says. While a turn runs it steers:
// the message goes with the next request, after the results of the calls that
// run.
func (a *Agent) Prompt(parts []chat.Part) { a.say(parts, false) }

// FollowUp is like Prompt, but waits until the turn has nothing left to do.
func (a *Agent) FollowUp(parts []chat.Part) { a.say(parts, true) }

func (a *Agent) say(parts []chat.Part, later bool) {
	if len(parts) == 0 {
		return
	}
	a.inbox.add(func(ctx context.Context) {
		a.queue.add(slices.Clone(parts), later)
		if a.turning {
			a.announceQueue()
			return
		}
		a.startTurn(ctx)
	})
}

// Unqueue takes the newest message that was not sent yet back to the editor, by
// a Returned event. Without one it does nothing.
func (a *Agent) Unqueue() {
	a.inbox.add(func(context.Context) {
		if item, ok := a.queue.takeLast(); ok {
			a.announceQueue()
			a.giveBack([]queued{item})
		}
	})
}

// Compact summarises the older part of the conversation, minding the hint. A
// turn that runs does it before its next request.
func (a *Agent) Compact(hint string) {
	a.inbox.add(func(ctx context.Context) {
		a.queue.wantCompaction(hint)
		if !a.turning {
			a.startTurn(ctx)
		}
	})
}

// Answer answers the open question with this ID. An ID that is not open any
// more is ignored.
func (a *Agent) Answer(id string, r chat.Reply) {
	a.inbox.add(func(context.Context) { a.live.answer(id, r) })
}

// SetModel lets p and m answer from the next request on.
func (a *Agent) SetModel(p llm.Provider, m llm.Model) {
	a.mu.Lock()
	a.mind.provider, a.mind.model = p, m
	a.mu.Unlock()
	a.inbox.add(func(context.Context) {
		a.store(session.Entry{Type: session.TypeModel, Provider: m.Provider, Model: m.ID})
		a.announceMind()
	})
}

// SetThinking sets how much the model thinks, from the next request on.
func (a *Agent) SetThinking(e llm.Effort) {
	a.mu.Lock()
	a.mind.thinking = e
	a.mu.Unlock()
	a.inbox.add(func(context.Context) {
		a.store(session.Entry{Type: session.TypeThinking, Thinking: string(e)})
		a.announceMind()
	})
}

// SetMode sets what runs unasked, from the next call on.
func (a *Agent) SetMode(m permission.Mode) {
	if a.o.Policy != nil {
		a.o.Policy.SetMode(m)
	}
}

// GoTo makes the conversation go on from another entry: "" is its beginning. It
// is refused with a Notice while something runs.
func (a *Agent) GoTo(id string) {
	a.inbox.add(func(context.Context) {
		if a.turning || a.live.bangCount() > 0 {
			a.notice(session.Warning, "Going back has to wait until nothing runs.")
			return
		}
		if err := a.o.Session.SetLeaf(id); err != nil {
			a.notice(session.Failure, sentence(err))
			return
		}
		a.books.replay(a.o.Session, a.describe)
	})
}

func (a *Agent) store(e session.Entry) {
	if _, err := a.o.Session.Append(e); err != nil && !errors.Is(err, session.ErrClosed) {
		a.notice(session.Failure, sentence(err))
	}
}

func (a *Agent) notice(l session.Level, text string) {
	a.o.Session.Publish(session.Notice{Level: l, Text: text})
}

func (a *Agent) announceMind() {
	m := a.thinker()
	a.o.Session.Publish(session.ModelChanged{
		Provider: m.model.Provider, Model: m.model.ID, Thinking: string(m.thinking),
	})
}

func (a *Agent) thinker() mind {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mind
}

// describe finds the price and size of a model that answered.
func (a *Agent) describe(provider, id string) (llm.Model, bool) {
	if m := a.thinker().model; m.Provider == provider && m.ID == id {
		return m, true
	}
	if a.o.Lookup == nil {
		return llm.Model{}, false
	}
	return a.o.Lookup(provider, id)
}

func newID() string { return strings.ToLower(rand.Text()[:10]) }

// sentence makes one line for a person of an error.
func sentence(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
