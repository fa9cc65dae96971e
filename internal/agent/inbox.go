package agent

import (
	"context"
	"sync"
)

// post is something for the inbox to do. ctx is Run's.
type post func(ctx context.Context)

// mailbox holds what was asked for and not done yet. Nobody who adds to it ever
// waits.
type mailbox struct {
	wake chan struct{} // holds a token while posts is not empty

	mu    sync.Mutex
	posts []post
	doing bool
}

func newMailbox() mailbox { return mailbox{wake: make(chan struct{}, 1)} }

func (m *mailbox) add(p post) {
	m.mu.Lock()
	m.posts = append(m.posts, p)
	m.mu.Unlock()
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// each does all that is there, and what that adds.
func (m *mailbox) each(do func(post)) {
	for {
		m.mu.Lock()
		posts := m.posts
		m.posts, m.doing = nil, len(posts) > 0
		m.mu.Unlock()
		if len(posts) == 0 {
			return
		}
		for _, p := range posts {
			do(p)
		}
	}
}

func (m *mailbox) busy() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.doing || len(m.posts) > 0
}
