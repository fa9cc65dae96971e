package agent

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

// What a turn puts up with before it gives up.
const (
	mostCuts    = 2 // answers in a row that ran into the output limit
	mostPauses  = 5 // answers in a row that want to be sent back
	mostNothing = 1 // empty answers in a row
)

// turn is the work on what the person said, from idle to idle: requests and
// tool calls in turns until the model has nothing more to do and the queue is
// empty.
type turn struct {
	a      *Agent
	system string
	steps  int
	guard  guard
	// How many answers in a row ended like this.
	cuts, pauses, nothings int
	compacted              bool // since the last answer
}

// startTurn begins to work on the queue. The inbox calls it.
func (a *Agent) startTurn(ctx context.Context) {
	if a.ending {
		a.giveBack(a.queue.takeAll())
		return
	}
	a.turning = true
	a.o.Session.Publish(session.TurnStarted{})
	a.spawn(ctx)
}

// spawn starts the goroutine of a turn.
func (a *Agent) spawn(ctx context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	a.live.setTurn(&stoppable{cancel: cancel})
	a.work.Go(func() {
		defer cancel(nil)
		t := &turn{a: a}
		if a.o.System != nil {
			t.system = a.o.System()
		}
		end := t.run(ctx)
		a.inbox.add(func(ctx context.Context) { a.endTurn(ctx, end) })
	})
}

// endTurn tells how the turn ended. What was queued after the turn looked for
// the last time is worked on first; after an interrupt or an error it goes back
// to the editor.
func (a *Agent) endTurn(ctx context.Context, end session.TurnEnded) {
	if end.Reason == session.EndDone && a.queue.wanted() && !a.ending {
		a.spawn(ctx)
		return
	}
	a.turning = false
	a.live.setTurn(nil)
	a.queue.takeCompaction()
	if left := a.queue.takeAll(); len(left) > 0 {
		a.announceQueue()
		a.giveBack(left)
	}
	a.o.Log.Info("turn ended", "reason", string(end.Reason), "error", end.Error)
	a.o.Session.Publish(end)
}

func interrupted() *session.TurnEnded {
	return &session.TurnEnded{Reason: session.EndInterrupted}
}

func broken(format string, args ...any) *session.TurnEnded {
	return &session.TurnEnded{Reason: session.EndError, Error: fmt.Sprintf(format, args...)}
}

func (t *turn) run(ctx context.Context) session.TurnEnded {
	for idle := true; ; {
		if ctx.Err() != nil {
			return *interrupted()
		}
		said := t.deliver(idle)
		if hint, wanted := t.a.queue.takeCompaction(); wanted {
			t.compactAsked(ctx, hint)
		}
		if idle && !said {
			return session.TurnEnded{Reason: session.EndDone}
		}
		var end *session.TurnEnded
		if idle, end = t.step(ctx); end != nil {
			return *end
		}
	}
}

// deliver puts queued messages into the transcript and says whether there were
// any.
func (t *turn) deliver(idle bool) bool {
	items := t.a.queue.next(idle)
	var back []queued
	for _, item := range items {
		_, err := t.a.o.Session.AppendMessage(chat.Message{Role: chat.RoleUser, Parts: item.parts})
		if err != nil {
			back = append(back, item)
			t.a.notice(session.Failure, sentence(err))
		}
	}
	t.a.queue.stored()
	if len(items) > 0 {
		t.a.announceQueue()
	}
	t.a.giveBack(back)
	return len(items) > len(back)
}

// step is one request with the calls that it asks for. It says whether the model
// has nothing left to do, or how the turn ends.
func (t *turn) step(ctx context.Context) (idle bool, end *session.TurnEnded) {
	if limit := t.a.o.MaxSteps; limit > 0 && t.steps >= limit {
		return false, broken("stopped after %d requests, the limit for one turn", limit)
	}
	t.steps++
	answer, end := t.answer(ctx)
	if end != nil {
		return false, end
	}
	calls := answer.Calls()
	if len(calls) > 0 {
		t.runCalls(ctx, calls)
		if ctx.Err() != nil {
			return false, interrupted()
		}
		if loop := t.guard.looping(); loop != "" {
			return false, broken("stopped: %s was called %d times with the same arguments and the same result", loop, guardLimit)
		}
	}
	return t.settle(answer, len(calls) > 0)
}

// settle decides from how the answer ended whether the model goes on.
func (t *turn) settle(m chat.Message, called bool) (idle bool, end *session.TurnEnded) {
	stop := m.Answer.Stop
	empty := stop == chat.StopEnd && len(m.Parts) == 0
	t.cuts = again(t.cuts, stop == chat.StopLength)
	t.pauses = again(t.pauses, stop == chat.StopPause)
	t.nothings = again(t.nothings, empty)
	switch {
	case stop == chat.StopRefusal:
		return false, broken("the model declined to answer; this exchange is left out of what it sees next")
	case t.cuts > mostCuts:
		return false, broken("the answer ran into the output limit %d times in a row", t.cuts)
	case t.pauses > mostPauses:
		return false, broken("the model paused %d times in a row", t.pauses)
	case t.nothings > mostNothing:
		return true, nil
	}
	return !called && t.cuts+t.pauses+t.nothings == 0, nil
}

// again counts in a row.
func again(n int, more bool) int {
	if more {
		return n + 1
	}
	return 0
}

// keep stores an answer and counts what it used.
func (t *turn) keep(m chat.Message) *session.TurnEnded {
	if _, err := t.a.o.Session.AppendMessage(m); err != nil {
		if errors.Is(err, session.ErrClosed) {
			return interrupted()
		}
		return broken("%v", err)
	}
	t.a.books.count(*m.Answer, t.a.describe)
	t.a.books.setContext(measure(t.a.o.Session.Branch(), t.system))
	return nil
}
