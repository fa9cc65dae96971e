package session

import (
	"slices"
	"sync"
)

// hub hands events to every feed. Events that nobody was there to hear, such as
// what was found while the session was opened, wait for the first feed.
type hub struct {
	mu     sync.Mutex
	feeds  []*Feed
	early  []Event
	heard  bool
	closed bool
}

func (h *hub) publish(ev Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.heard {
		if n, ok := ev.(Notice); ok && !h.closed {
			h.early = append(h.early, n)
		}
		return
	}
	for _, f := range h.feeds {
		f.push(ev)
	}
}

func (h *hub) subscribe() *Feed {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := newFeed(h.remove)
	if h.closed {
		f.end()
		return f
	}
	h.feeds = append(h.feeds, f)
	h.heard = true
	for _, ev := range h.early {
		f.push(ev)
	}
	h.early = nil
	return f
}

func (h *hub) remove(f *Feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.feeds = slices.DeleteFunc(h.feeds, func(g *Feed) bool { return g == f })
}

func (h *hub) close() {
	h.mu.Lock()
	feeds := h.feeds
	h.feeds, h.closed = nil, true
	h.mu.Unlock()
	for _, f := range feeds {
		f.end()
	}
}
