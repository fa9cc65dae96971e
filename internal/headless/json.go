package headless

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

// pace is how long JSON waits between two looks at the output of a run that
// only has more of it to show. The feed keeps the latest state meanwhile.
const pace = 100 * time.Millisecond

// JSON sends the prompt and prints every event up to the end of the turn, one
// JSON object on a line, the first of them naming the session. It returns what
// Text returns.
func JSON(ctx context.Context, o Options, prompt []chat.Part) error {
	w := &eventWriter{out: json.NewEncoder(o.Out)}
	w.out.SetEscapeHTML(false)
	feed := o.Session.Subscribe()
	defer feed.Close()
	w.session(o.Session)
	o.Agent.Prompt(prompt)
	for w.err == nil {
		events, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		quiet := true
		for _, ev := range events {
			w.event(ev)
			if end, ok := ev.(session.TurnEnded); ok && w.err == nil {
				if end.Reason != session.EndDone || shortfall(w.last) != "" {
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
	return fmt.Errorf("print events: %w", w.err)
}

func rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// eventWriter puts the events of a session into words that programs agree on:
// an agent works on a prompt in turns, a turn is one answer of the model and
// the results of its calls.
type eventWriter struct {
	out  *json.Encoder
	err  error        // the first error of out
	last chat.Message // the last answer

	writing bool            // an answer is coming in
	open    map[string]bool // calls of the turn without a result
	turn    bool
}

type object map[string]any

func (w *eventWriter) put(kind string, o object) {
	if w.err != nil {
		return
	}
	if o == nil {
		o = object{}
	}
	o["type"] = kind
	w.err = w.out.Encode(o)
}

func (w *eventWriter) session(s *session.Session) {
	w.put("session", object{"version": 1, "id": s.ID(), "cwd": s.Cwd(), "file": s.Path()})
}

func (w *eventWriter) event(ev session.Event) {
	switch ev := ev.(type) {
	case session.TurnStarted:
		w.put("agent_start", nil)
	case session.TurnEnded:
		w.endTurn()
		o := object{"reason": ev.Reason}
		if ev.Error != "" {
			w.put("error", object{"message": ev.Error})
			o["error"] = ev.Error
		}
		w.put("agent_end", o)
	case session.Delta:
		w.delta(ev)
	case session.Appended:
		w.appended(ev.Entry)
	case session.ToolStarted:
		w.put("tool_execution_start", object{"toolCallId": ev.Call.ID, "toolName": ev.Call.Name, "args": ev.Call.Args})
	case session.Progress:
		w.put("tool_execution_update", object{"toolCallId": ev.ID, "output": ev.Tail.String()})
	default:
		w.rare(ev)
	}
}

// rare writes the events that most turns do without.
func (w *eventWriter) rare(ev session.Event) {
	switch ev := ev.(type) {
	case session.Asked:
		q := ev.Question
		w.put("permission", object{"id": q.ID, "call": q.Call, "reason": q.Reason, "rules": q.Rules})
	case session.Answered:
		w.put("permission_answered", object{"id": ev.ID})
	case session.Retrying:
		w.put("retry_start", object{"attempt": ev.Attempt, "until": ev.Until, "error": ev.Error})
	case session.Compacting:
		w.put("compaction_start", nil)
	case session.Moved:
		w.put("directory", object{"cwd": ev.Dir})
	case session.ModelChanged:
		w.put("model", object{"provider": ev.Provider, "model": ev.Model, "thinking": ev.Thinking})
	case session.Notice:
		if ev.Level == session.Failure {
			w.put("error", object{"message": ev.Text})
			return
		}
		w.put("notice", object{"level": ev.Level, "message": ev.Text})
	default: // tells a screen what a program learns from what is appended
	}
}

func (w *eventWriter) delta(d session.Delta) {
	w.beginAnswer()
	o := object{"kind": d.Kind, "text": d.Text}
	if d.CallID != "" {
		o["toolCallId"], o["toolName"] = d.CallID, d.Name
	}
	w.put("message_update", o)
}

func (w *eventWriter) appended(e session.Entry) {
	switch {
	case e.Compaction != nil:
		w.put("compaction_end", object{"compaction": e.Compaction})
	case e.Message == nil:
	case e.Message.Role == chat.RoleAssistant:
		w.beginAnswer()
		w.put("message_end", object{"id": e.ID, "message": e.Message})
		w.writing, w.last, w.open = false, *e.Message, map[string]bool{}
		for _, c := range e.Message.Calls() {
			w.open[c.ID] = true
		}
		w.settle()
	case e.Message.Role == chat.RoleToolResult:
		r := e.Message.Result
		w.put("tool_execution_end", object{"toolCallId": r.CallID, "toolName": r.Name, "isError": r.IsError, "result": r})
		w.put("message_end", object{"id": e.ID, "message": e.Message})
		delete(w.open, r.CallID)
		w.settle()
	default:
		w.put("message_start", object{"role": e.Message.Role})
		w.put("message_end", object{"id": e.ID, "message": e.Message})
	}
}

func (w *eventWriter) beginAnswer() {
	if w.writing {
		return
	}
	w.endTurn()
	w.turn, w.writing = true, true
	w.put("turn_start", nil)
	w.put("message_start", object{"role": chat.RoleAssistant})
}

// settle ends the turn when every call has its result.
func (w *eventWriter) settle() {
	if len(w.open) == 0 {
		w.endTurn()
	}
}

func (w *eventWriter) endTurn() {
	if w.turn {
		w.put("turn_end", nil)
	}
	w.turn, w.writing = false, false
}
