package ptyoverlay

import (
	"context"
	"time"
)

// pace is the least time between two pictures.
const pace = time.Second / 30

// Next waits until there is something to draw: until the picture may have
// changed since Next returned last, not before its time, and not while the
// program is in the middle of a frame. The error is that of ctx. One goroutine
// may wait at a time.
func (m *Model) Next(ctx context.Context) error {
	select {
	case <-m.changed:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := m.wait(ctx, func(now time.Time) time.Duration { return pace - now.Sub(m.drew) }, nil); err != nil {
		return err
	}
	hold := func(now time.Time) time.Duration {
		if m.syncSince.IsZero() {
			return 0
		}
		return holdFrame - now.Sub(m.syncSince)
	}
	if err := m.wait(ctx, hold, m.changed); err != nil {
		return err
	}
	m.mu.Lock()
	m.drew = m.o.Now()
	m.mu.Unlock()
	return nil
}

// wait waits as long as left says, asking again whenever again rings.
func (m *Model) wait(ctx context.Context, left func(now time.Time) time.Duration, again <-chan struct{}) error {
	for {
		m.mu.Lock()
		d := left(m.o.Now())
		m.mu.Unlock()
		if d <= 0 {
			return ctx.Err()
		}
		timer := time.NewTimer(d)
		select {
		case <-timer.C:
		case <-again:
		case <-ctx.Done():
		}
		timer.Stop()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
}
