package agent

import (
	"context"
	"errors"
	"time"

	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/session"
)

// How a request that failed in passing is sent again: after 1, 2, 4, 8 and 16
// seconds, each a fifth more or less so that many agents do not come at once,
// or when the server said. Longer than patience nobody waits unasked.
const (
	mostRetries = 5
	firstWait   = time.Second
	spread      = 0.2
	patience    = 10 * time.Minute
)

// persist tries until it works, fails for good or ctx ends. It returns what the
// last try got.
func (t *turn) persist(ctx context.Context, try func() (*draft, error)) (*draft, error) {
	for n := 1; ; n++ {
		d, err := try()
		var e *llm.Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || !e.Transient || n > mostRetries {
			return d, err
		}
		wait := t.backoff(n, e.RetryAfter)
		if wait > patience {
			return d, err
		}
		t.a.o.Log.Warn("request failed, trying again", "attempt", n, "status", e.Status, "type", e.Type, "wait", wait)
		if !t.pause(ctx, n, wait, err) {
			return d, err
		}
		t.restart(d)
	}
}

func (t *turn) backoff(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	wait := firstWait << (n - 1)
	return time.Duration(float64(wait) * (1 - spread + 2*spread*t.a.o.Jitter()))
}

// pause tells of the wait and waits. It is false if ctx ended first.
func (t *turn) pause(ctx context.Context, n int, wait time.Duration, err error) bool {
	r := session.Retrying{Attempt: n, Until: t.a.o.Now().Add(wait), Error: explain(err)}
	t.a.live.setRetry(&r)
	defer t.a.live.setRetry(nil)
	t.a.o.Session.Publish(r)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
