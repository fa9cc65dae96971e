package headless

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/events"
	"github.com/seed7484d81d/agent/internal/session"
)

// pace is how long JSON waits between two looks at the output of a run that
// only has more of it to show. The feed keeps the latest state meanwhile.
const pace = 100 * time.Millisecond

// JSON sends the prompt and prints every event up to the end of the turn, one
// JSON object on a line, the first of them naming the session. It returns what
// Text returns.
func JSON(ctx context.Context, o Options, prompt []chat.Part) error {
	out := json.NewEncoder(o.Out)
	out.SetEscapeHTML(false)
	var failed error // the first error of out
	w := events.New(func(ev events.Object) {
		if failed == nil {
			failed = out.Encode(ev)
		}
	})
	feed := o.Session.Subscribe()
	defer feed.Close()
	w.Session(o.Session)
	o.Agent.Prompt(prompt)
	for failed == nil {
		list, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		quiet := true
		for _, ev := range list {
			w.Event(ev)
			if end, ok := ev.(session.TurnEnded); ok && failed == nil {
				if end.Reason != session.EndDone || shortfall(w.Last) != "" {
					return ErrFailed
				}
				return nil
			}
			_, progress := ev.(session.Progress)
			quiet = quiet && progress
		}
		if quiet {
			rest(ctx, pace)
		}
	}
	return fmt.Errorf("print events: %w", failed)
}

func rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
