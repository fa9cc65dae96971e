package rpc

import (
	"context"
	"errors"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/events"
)

// bash runs a command of the person and waits for its end.
func (s *Server) bash(ctx context.Context, c command) (any, error) {
	if err := need("command", c.Command); err != nil {
		return nil, err
	}
	end := make(chan chat.BashRun, 1)
	s.mu.Lock()
	s.bashes[s.talk.Agent.Bang(c.Command, c.Private)] = end
	s.mu.Unlock()
	select {
	case run := <-end:
		return outcome(run), nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// outcome is what the caller gets of a run.
func outcome(run chat.BashRun) events.Object {
	o := events.Object{
		"runId": run.ID, "output": run.Output, "cancelled": run.Outcome == chat.Cancelled || run.Outcome == chat.TimedOut,
		"timedOut": run.Outcome == chat.TimedOut, "truncated": run.Truncated, "outcome": run.Outcome,
		"durationMs": run.Duration.Milliseconds(), "notices": orEmpty(run.Notices),
	}
	if run.ExitCode != nil {
		o["exitCode"] = *run.ExitCode
	}
	if run.Signal != "" {
		o["signal"] = run.Signal
	}
	if run.Error != "" {
		o["error"] = run.Error
	}
	if t := run.Meta.Truncation; t != nil {
		o["totalLines"], o["totalBytes"], o["outputLines"], o["outputBytes"] = t.TotalLines, t.TotalBytes, t.OutputLines, t.OutputBytes
		if t.ArtifactID != 0 {
			o["artifactId"] = t.ArtifactID
		}
	}
	return o
}

// abortBash stops commands by "bash": the one that is named, or all. The turn
// and its tools go on; abort stops those.
func (s *Server) abortBash(c command) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := []string{}
	for id := range s.bashes {
		if c.Run == "" || c.Run == id {
			ids = append(ids, id)
		}
	}
	if c.Run != "" && len(ids) == 0 {
		return nil, errors.New("no such command runs")
	}
	for _, id := range ids {
		s.talk.Agent.AbortBang(id)
	}
	return events.Object{"aborted": ids}, nil
}
