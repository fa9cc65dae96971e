package session

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Feed is one reader's view of a session's events.
//
// Events arrive in one order. None is dropped, but what only the latest value
// of matters is overwritten while it is unread: the Progress of a run and
// Queued. Deltas that follow each other join, and an answer that is whole, or
// begins again, takes its unread deltas with it. So a slow reader sees fewer
// frames and never a wrong end, the writer never waits, and what piles up is
// bounded by the live runs and by what the session stores anyway.
type Feed struct {
	wake  chan struct{} // holds a token while something is unread
	leave func(*Feed)

	mu     sync.Mutex
	queue  []Event
	slots  map[slot]int // the index of the unread value
	deltas []int        // the indices of unread deltas
	closed bool
}

// A slot names a value of which only the latest counts.
type slot struct{ kind, id string }

// joined is a Delta that grows while it is unread.
type joined struct {
	Delta
	text []byte
}

func newFeed(leave func(*Feed)) *Feed {
	return &Feed{wake: make(chan struct{}, 1), leave: leave, slots: map[slot]int{}}
}

// Next waits until something is unread and returns all of it. When ctx ends it
// returns the cause; after the session or the feed was closed it returns
// io.EOF. Whatever is unread comes before either. One goroutine reads a feed.
func (f *Feed) Next(ctx context.Context) ([]Event, error) {
	for {
		events, closed := f.take()
		if len(events) > 0 {
			return events, nil
		}
		if closed {
			return nil, io.EOF
		}
		select {
		case <-f.wake:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// Close ends the feed. It may be called more than once.
func (f *Feed) Close() {
	f.leave(f)
	f.end()
}

func (f *Feed) end() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.signal()
}

func (f *Feed) take() (events []Event, closed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	events = f.queue
	f.queue, f.deltas = nil, nil
	clear(f.slots)
	for i, ev := range events {
		if j, ok := ev.(*joined); ok {
			j.Text = string(j.text)
			events[i] = j.Delta
		}
	}
	return slices.DeleteFunc(events, func(ev Event) bool { return ev == nil }), f.closed
}

func (f *Feed) push(ev Event) {
	f.mu.Lock()
	if !f.closed {
		f.add(ev)
	}
	f.mu.Unlock()
	f.signal()
}

func (f *Feed) add(ev Event) {
	switch ev := ev.(type) {
	case Progress:
		f.overwrite(slot{"progress", ev.ID}, ev)
	case Queued:
		f.overwrite(slot{"queued", ""}, ev)
	case Delta:
		f.join(ev)
	case Appended:
		if m := ev.Entry.Message; m != nil && m.Role == chat.RoleAssistant {
			f.forgetDeltas()
		}
		f.queue = append(f.queue, ev)
	default:
		f.queue = append(f.queue, ev)
	}
}

func (f *Feed) overwrite(s slot, ev Event) {
	if i, unread := f.slots[s]; unread {
		f.queue[i] = ev
		return
	}
	f.slots[s] = len(f.queue)
	f.queue = append(f.queue, ev)
}

// join adds to the newest unread delta if it is of the same kind and call.
// Older ones stay as they are, so that text and thinking keep their order.
func (f *Feed) join(d Delta) {
	if d.Kind == DeltaRestart {
		f.forgetDeltas()
		f.queue = append(f.queue, d)
		return
	}
	if n := len(f.deltas); n > 0 {
		last, _ := f.queue[f.deltas[n-1]].(*joined)
		if last != nil && last.Kind == d.Kind && last.CallID == d.CallID {
			last.text = append(last.text, d.Text...)
			return
		}
	}
	f.deltas = append(f.deltas, len(f.queue))
	f.queue = append(f.queue, &joined{Delta: d, text: []byte(d.Text)})
}

func (f *Feed) forgetDeltas() {
	for _, i := range f.deltas {
		f.queue[i] = nil
	}
	f.deltas = nil
}

func (f *Feed) signal() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}
