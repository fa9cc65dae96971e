package agent

import (
	"context"
	"slices"
	"sync"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
)

// errInterrupted is the cause of a context that the person ended.
var errInterrupted = tools.ErrAborted

// live is what runs and can be interrupted.
type live struct {
	mu       sync.Mutex
	bangs    []*stoppable // the newest last
	question *question
	calls    *stoppable // the tool calls that run side by side
	turn     *stoppable
	running  []chat.ToolCall
	retry    *session.Retrying
}

// stoppable can be told once to stop. It stays live until it has.
type stoppable struct {
	id      string
	cancel  context.CancelCauseFunc
	stopped bool
}

// question waits for the person.
type question struct {
	chat.Question
	reply chan answer // holds one
}

// answer is what ends a question.
type answer struct {
	chat.Reply
	interrupted bool
}

// Interrupt stops one thing: the newest "!" command, else the open question,
// else the tool calls that run, else the turn. What was told to stop before
// does not count, so the next call reaches the next thing.
func (a *Agent) Interrupt() {
	a.inbox.add(func(context.Context) { a.live.interrupt() })
}

// InterruptAll stops all that runs.
func (a *Agent) InterruptAll() {
	a.inbox.add(func(context.Context) {
		for a.live.interrupt() {
			continue
		}
	})
}

// InterruptTurn stops the turn with all that runs for it. Commands of the person
// go on.
func (a *Agent) InterruptTurn() {
	a.inbox.add(func(context.Context) {
		a.live.mu.Lock()
		defer a.live.mu.Unlock()
		for a.live.interruptTurn() {
			continue
		}
	})
}

// interrupt stops one thing and says whether there was one.
func (l *live) interrupt() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range slices.Backward(l.bangs) {
		if b.stop() {
			return true
		}
	}
	return l.interruptTurn()
}

// interruptTurn stops one thing of the turn and says whether there was one. The
// lock is held.
func (l *live) interruptTurn() bool {
	if q := l.question; q != nil {
		l.question = nil
		q.reply <- answer{interrupted: true}
		return true
	}
	return l.calls.stop() || l.turn.stop()
}

func (s *stoppable) stop() bool {
	if s == nil || s.stopped {
		return false
	}
	s.stopped = true
	s.cancel(errInterrupted)
	return true
}

func (l *live) answer(id string, r chat.Reply) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if q := l.question; q != nil && q.ID == id {
		l.question = nil
		q.reply <- answer{Reply: r}
	}
}

func (l *live) ask(q *question) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.question = q
}

// withdraw closes a question that nobody answered.
func (l *live) withdraw() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.question = nil
}

func (l *live) setTurn(s *stoppable) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.turn = s
}

func (l *live) setCalls(s *stoppable) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = s
}

func (l *live) callStarted(c chat.ToolCall) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = append(l.running, c)
}

func (l *live) callEnded(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running = slices.DeleteFunc(l.running, func(c chat.ToolCall) bool { return c.ID == id })
}

func (l *live) addBang(s *stoppable) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bangs = append(l.bangs, s)
}

func (l *live) removeBang(s *stoppable) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bangs = slices.DeleteFunc(l.bangs, func(b *stoppable) bool { return b == s })
}

func (l *live) bangCount() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.bangs)
}

func (l *live) setRetry(r *session.Retrying) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retry = r
}
