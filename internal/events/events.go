// Package events puts the events of a session into the words that other
// programs read: one JSON object each, named by its "type". An agent works on a
// prompt in turns; a turn is one answer of the model and the results of its
// calls. docs/rpc.md lists them.
package events

import (
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

// Object is the content of an event, without its type.
type Object = map[string]any

// Writer turns the events of one session into objects. One goroutine uses it.
type Writer struct {
	put func(Object)

	// Last is the last answer of the model.
	Last chat.Message

	writing    bool            // an answer is coming in
	open       map[string]bool // calls of the turn without a result
	turn       bool
	retrying   bool
	compacting bool
	bangs      map[string]bool // commands of the person that run
}

// New makes a writer that gives each object to put.
func New(put func(Object)) *Writer { return &Writer{put: put, bangs: map[string]bool{}} }

func (w *Writer) tell(kind string, o Object) {
	if o == nil {
		o = Object{}
	}
	o["type"] = kind
	w.put(o)
}

// Session names the session that the events are of.
func (w *Writer) Session(s *session.Session) {
	w.tell("session", Object{"version": 1, "id": s.ID(), "cwd": s.Cwd(), "file": s.Path()})
}

// Event tells one event, as none, one or several objects.
func (w *Writer) Event(ev session.Event) {
	w.over(ev)
	switch ev := ev.(type) {
	case session.TurnStarted:
		w.tell("agent_start", nil)
	case session.TurnEnded:
		w.endTurn()
		o := Object{"reason": ev.Reason}
		if ev.Error != "" {
			w.tell("error", Object{"message": ev.Error})
			o["error"] = ev.Error
		}
		w.tell("agent_end", o)
	case session.Delta:
		w.delta(ev)
	case session.Appended:
		w.appended(ev.Entry)
	case session.ToolStarted:
		w.tell("tool_execution_start", Object{"toolCallId": ev.Call.ID, "toolName": ev.Call.Name, "args": ev.Call.Args})
	case session.Progress:
		if w.bangs[ev.ID] {
			w.tell("bash_update", Object{"id": ev.ID, "output": ev.Tail.String()})
			return
		}
		w.tell("tool_execution_update", Object{"toolCallId": ev.ID, "output": ev.Tail.String()})
	default:
		w.rare(ev)
	}
}

// rare writes the events that most turns do without.
func (w *Writer) rare(ev session.Event) {
	switch ev := ev.(type) {
	case session.Asked:
		q := ev.Question
		w.tell("permission", Object{"id": q.ID, "call": q.Call, "reason": q.Reason, "rules": q.Rules})
	case session.Answered:
		w.tell("permission_answered", Object{"id": ev.ID})
	case session.Retrying:
		w.retrying = true
		w.tell("retry_start", Object{"attempt": ev.Attempt, "until": ev.Until, "error": ev.Error})
	case session.Compacting:
		w.compacting = true
		w.tell("compaction_start", nil)
	case session.Moved:
		w.tell("directory", Object{"cwd": ev.Dir})
	case session.ModelChanged:
		w.tell("model", Object{"provider": ev.Provider, "model": ev.Model, "thinking": ev.Thinking})
	case session.Notice:
		if ev.Level == session.Failure {
			w.tell("error", Object{"message": ev.Text})
			return
		}
		w.tell("notice", Object{"level": ev.Level, "message": ev.Text})
	default: // tells a screen what a program learns from what is appended
	}
}

func (w *Writer) delta(d session.Delta) {
	w.beginAnswer()
	o := Object{"kind": d.Kind, "text": d.Text}
	if d.CallID != "" {
		o["toolCallId"], o["toolName"] = d.CallID, d.Name
	}
	w.tell("message_update", o)
}

func (w *Writer) appended(e session.Entry) {
	switch {
	case e.Compaction != nil:
		w.compacting = false
		w.tell("compaction_end", Object{"compaction": e.Compaction})
	case e.Message == nil:
	case e.Message.Run != nil:
		w.run(*e.Message.Run)
	case e.Message.Role == chat.RoleAssistant:
		w.beginAnswer()
		w.tell("message_end", Object{"id": e.ID, "message": e.Message})
		w.writing, w.Last, w.open = false, *e.Message, map[string]bool{}
		for _, c := range e.Message.Calls() {
			w.open[c.ID] = true
		}
		w.settle()
	case e.Message.Role == chat.RoleToolResult:
		r := e.Message.Result
		w.tell("tool_execution_end", Object{"toolCallId": r.CallID, "toolName": r.Name, "isError": r.IsError, "result": r})
		w.tell("message_end", Object{"id": e.ID, "message": e.Message})
		delete(w.open, r.CallID)
		w.settle()
	default:
		w.tell("message_start", Object{"role": e.Message.Role})
		w.tell("message_end", Object{"id": e.ID, "message": e.Message})
	}
}

// run tells of a command of the person, which is stored when it starts and when
// it ends.
func (w *Writer) run(r chat.BashRun) {
	if r.Outcome == chat.Running {
		w.bangs[r.ID] = true
		w.tell("bash_start", Object{"id": r.ID, "command": r.Command, "excludeFromContext": r.Private})
		return
	}
	delete(w.bangs, r.ID)
	w.tell("bash_end", Object{"id": r.ID, "run": r})
}

// over ends what an event shows to be over.
func (w *Writer) over(ev session.Event) {
	switch ev.(type) {
	case session.Delta, session.Appended, session.TurnEnded, session.Retrying:
		if w.retrying {
			w.retrying = false
			w.tell("retry_end", nil)
		}
	default:
	}
	if _, ended := ev.(session.TurnEnded); ended && w.compacting {
		w.compacting = false
		w.tell("compaction_end", nil)
	}
}

func (w *Writer) beginAnswer() {
	if w.writing {
		return
	}
	w.endTurn()
	w.turn, w.writing = true, true
	w.tell("turn_start", nil)
	w.tell("message_start", Object{"role": chat.RoleAssistant})
}

// settle ends the turn when every call has its result.
func (w *Writer) settle() {
	if len(w.open) == 0 {
		w.endTurn()
	}
}

func (w *Writer) endTurn() {
	if w.turn {
		w.tell("turn_end", nil)
	}
	w.turn, w.writing = false, false
}
