package agent

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

// Bang runs a shell line of the person beside whatever else runs, and returns
// the ID of the run: nobody is asked, and it is stored when it starts and when
// it ends. The model sees it with the next request, unless it is private. An
// empty line does nothing and has no ID.
func (a *Agent) Bang(line string, private bool) string {
	if strings.TrimSpace(line) == "" {
		return ""
	}
	id := newID()
	a.inbox.add(func(ctx context.Context) { a.startBang(ctx, id, line, private) })
	return id
}

// AbortBang stops one "!" command. An ID that does not run is ignored.
func (a *Agent) AbortBang(id string) {
	a.inbox.add(func(context.Context) {
		a.live.mu.Lock()
		defer a.live.mu.Unlock()
		for _, b := range a.live.bangs {
			if b.id == id {
				b.stop()
			}
		}
	})
}

func (a *Agent) startBang(ctx context.Context, id, line string, private bool) {
	run := chat.BashRun{ID: id, Command: line, Private: private}
	run.Outcome, run.Dir = chat.Running, a.o.Session.Cwd()
	if a.o.Shell == nil || a.ending {
		run.Outcome, run.Error = chat.NotStarted, "commands cannot be run here"
		a.storeRun(run)
		return
	}
	a.storeRun(run)
	ctx, cancel := context.WithCancelCause(ctx)
	s := &stoppable{id: id, cancel: cancel}
	a.live.addBang(s)
	a.work.Go(func() {
		defer cancel(nil)
		end := a.shell(ctx, id, line)
		end.ID, end.Command, end.Private = id, line, private
		a.storeRun(end)
		a.live.removeBang(s)
		a.inbox.add(func(context.Context) {}) // lets the inbox see that it is idle
	})
}

// shell runs the line; a panic becomes a run that says so.
func (a *Agent) shell(ctx context.Context, id, line string) (run chat.BashRun) {
	defer func() {
		if r := recover(); r != nil {
			a.o.Log.Error("a command panicked", "panic", fmt.Sprint(r))
			run = chat.BashRun{}
			run.Outcome, run.Error = chat.NoStatus, fmt.Sprintf("internal error: %v", r)
		}
	}()
	return a.o.Shell.Run(ctx, id, line, a.progress(id))
}

// progress announces that a run has more to show.
func (a *Agent) progress(id string) func(fmt.Stringer) {
	return func(tail fmt.Stringer) { a.o.Session.Publish(session.Progress{ID: id, Tail: tail}) }
}

func (a *Agent) storeRun(run chat.BashRun) {
	a.store(session.Entry{
		Type:    session.TypeMessage,
		Message: &chat.Message{Role: chat.RoleBashExecution, Run: &run},
	})
}
