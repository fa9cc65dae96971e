package agent

import (
	"slices"
	"strings"
	"sync"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

// queued is a message of the person that is not in the transcript yet.
type queued struct {
	parts []chat.Part
	later bool // after the turn, not with its next request
}

func (q queued) text() string { return chat.Message{Parts: q.parts}.Text() }

// queue is what waits for the turn, in the order in which it was typed. An item
// that is being stored is no longer in items, but counts as waiting.
type queue struct {
	mu      sync.Mutex
	items   []queued
	storing []queued
	shown   bool // the last Queued event was not empty
	compact bool
	hint    string
}

func (q *queue) add(parts []chat.Part, later bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, queued{parts, later})
}

// next begins to store what goes with the next request: all that steers and,
// when the turn has nothing else to do, one message that was to come later. The
// caller stores it whatever happens and then calls stored.
func (q *queue) next(idle bool) []queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	var rest []queued
	for _, item := range q.items {
		if !item.later {
			q.storing = append(q.storing, item)
		} else {
			rest = append(rest, item)
		}
	}
	if idle && len(q.storing) == 0 && len(rest) > 0 {
		q.storing, rest = rest[:1:1], rest[1:]
	}
	q.items = rest
	return q.storing
}

func (q *queue) stored() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.storing = nil
}

func (q *queue) takeLast() (queued, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.items)
	if n == 0 {
		return queued{}, false
	}
	item := q.items[n-1]
	q.items = q.items[:n-1]
	return item, true
}

func (q *queue) takeAll() []queued {
	q.mu.Lock()
	defer q.mu.Unlock()
	items := q.items
	q.items = nil
	return items
}

func (q *queue) wantCompaction(hint string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.compact, q.hint = true, hint
}

func (q *queue) takeCompaction() (hint string, wanted bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	hint, wanted = q.hint, q.compact
	q.hint, q.compact = "", false
	return hint, wanted
}

// wanted says that there is something for a turn to do.
func (q *queue) wanted() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.compact || len(q.items) > 0
}

func (q *queue) texts() (steer, later []string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, item := range slices.Concat(q.storing, q.items) {
		if item.later {
			later = append(later, item.text())
		} else {
			steer = append(steer, item.text())
		}
	}
	return steer, later
}

// event is what to tell of the queue, and whether that is news.
func (q *queue) event() (session.Queued, bool) {
	steer, later := q.texts()
	filled := len(steer)+len(later) > 0
	q.mu.Lock()
	defer q.mu.Unlock()
	news := filled || q.shown
	q.shown = filled
	return session.Queued{Steer: steer, FollowUp: later}, news
}

func (a *Agent) announceQueue() {
	if ev, news := a.queue.event(); news {
		a.o.Session.Publish(ev)
	}
}

// giveBack hands messages to the editor, as they were typed.
func (a *Agent) giveBack(items []queued) {
	if len(items) == 0 {
		return
	}
	var texts []string
	var images []chat.Image
	for _, item := range items {
		if t := item.text(); t != "" {
			texts = append(texts, t)
		}
		for _, p := range item.parts {
			if p.Image != nil {
				images = append(images, *p.Image)
			}
		}
	}
	a.o.Session.Publish(session.Returned{Text: strings.Join(texts, "\n\n"), Images: images})
}
