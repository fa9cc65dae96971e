package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/nearest"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
)

// sideBySide is how many read-only calls run at once.
const sideBySide = 4

const (
	notRun     = "not run: the user interrupted"
	notAsked   = "Not run: this call needs permission (%s), and nobody is there to give it. Go on without it, or say what you would have done."
	notAllowed = "Not run: %s"
	userSaidNo = "Not run: the user did not allow it."
)

// runCalls runs the calls of an answer in their order, read-only ones that
// follow each other side by side, and stores one result for each. When the
// person interrupts one, those that have not begun are not run.
func (t *turn) runCalls(ctx context.Context, calls []chat.ToolCall) {
	t.guard.step()
	stopped := false
	for len(calls) > 0 {
		group := calls[:t.groupSize(calls)]
		calls = calls[len(group):]
		results := make([]chat.ToolResult, len(group))
		if stopped = stopped || ctx.Err() != nil; stopped {
			for i, call := range group {
				results[i] = refused(call, notRun)
			}
		} else {
			stopped = t.runGroup(ctx, group, results)
		}
		for i, call := range group {
			t.storeResult(call, results[i])
			t.guard.saw(call, results[i])
		}
	}
}

// groupSize counts the calls at the front that run together.
func (t *turn) groupSize(calls []chat.ToolCall) int {
	n := 0
	for n < len(calls) && t.readOnly(calls[n]) {
		n++
	}
	return max(1, n)
}

func (t *turn) readOnly(call chat.ToolCall) bool {
	tool, ok := t.tool(call.Name)
	return ok && tool.ReadOnly()
}

func (t *turn) tool(name string) (tools.Tool, bool) {
	if t.a.o.Tools == nil {
		return nil, false
	}
	return t.a.o.Tools.Get(name)
}

// runGroup fills results and says whether the person interrupted. All of the
// group is permitted before any of it runs, so that no question is open beside a
// call that runs.
func (t *turn) runGroup(ctx context.Context, group []chat.ToolCall, results []chat.ToolResult) bool {
	allowed := make([]tools.Tool, len(group))
	for i, call := range group {
		tool, no := t.permit(ctx, call)
		if no != nil && no.stop {
			for j := range group {
				if j >= i || allowed[j] != nil {
					results[j] = refused(group[j], notRun)
				}
			}
			return true
		}
		if no != nil {
			results[i] = refused(call, no.text)
			continue
		}
		allowed[i] = tool
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	t.a.live.setCalls(&stoppable{cancel: cancel})
	defer t.a.live.setCalls(nil)
	var run errgroup.Group
	run.SetLimit(sideBySide)
	for i, call := range group {
		if allowed[i] == nil {
			continue
		}
		run.Go(func() error {
			results[i] = t.run1(ctx, allowed[i], call)
			return nil
		})
	}
	_ = run.Wait() // the results say what went wrong
	return ctx.Err() != nil
}

// run1 runs one call that is allowed.
func (t *turn) run1(ctx context.Context, tool tools.Tool, call chat.ToolCall) chat.ToolResult {
	if ctx.Err() != nil {
		return refused(call, notRun)
	}
	t.a.live.callStarted(call)
	t.a.o.Session.Publish(session.ToolStarted{Call: call, Since: t.a.o.Now()})
	r := callTool(ctx, tool, call, t.a.progress(call.ID))
	t.a.live.callEnded(call.ID)
	t.a.o.Session.Publish(session.ToolEnded{CallID: call.ID})
	return r
}

// refusal is why a call does not run. stop means that the person interrupted.
type refusal struct {
	text string
	stop bool
}

func no(format string, args ...any) *refusal { return &refusal{text: fmt.Sprintf(format, args...)} }

// permit finds the tool of a call and asks the policy, and the person if the
// policy says so.
func (t *turn) permit(ctx context.Context, call chat.ToolCall) (tools.Tool, *refusal) {
	tool, ok := t.tool(call.Name)
	if !ok {
		return nil, no("%s", t.unknownTool(call.Name))
	}
	access, err := accessOf(tool, call)
	if err != nil {
		return nil, no("%v", err)
	}
	if t.a.o.Policy == nil {
		return nil, no(notAllowed, "no calls are allowed here")
	}
	v := t.a.o.Policy.Check(call, access)
	switch v.Decision {
	case permission.Allow:
		return tool, nil
	case permission.AskFirst:
		return tool, t.ask(ctx, call, access, v.Question)
	default:
		return nil, no(notAllowed, v.Reason)
	}
}

func (t *turn) unknownTool(name string) string {
	var names []string
	if t.a.o.Tools != nil {
		for _, s := range t.a.o.Tools.Specs() {
			names = append(names, s.Name)
		}
	}
	hint := nearest.Suggest(name, names)
	if hint == "" {
		hint = "."
	}
	return fmt.Sprintf("There is no tool %q%s The tools are: %s.", name, hint, strings.Join(names, ", "))
}

// ask puts the question to the person and waits. nil means yes.
func (t *turn) ask(ctx context.Context, call chat.ToolCall, access []chat.Access, about chat.Question) *refusal {
	if t.a.o.AskNobody {
		return no(notAsked, about.Reason)
	}
	about.ID, about.Call, about.Access = newID(), call, access
	q := &question{Question: about, reply: make(chan answer, 1)}
	t.a.live.ask(q)
	t.a.o.Session.Publish(session.Asked{Question: about})
	defer t.a.o.Session.Publish(session.Answered{ID: about.ID})
	select {
	case reply := <-q.reply:
		return t.obey(about, reply)
	case <-ctx.Done():
		t.a.live.withdraw()
		return &refusal{text: notRun, stop: true}
	}
}

func (t *turn) obey(about chat.Question, r answer) *refusal {
	if r.interrupted {
		return &refusal{text: notRun, stop: true}
	}
	switch r.Decision {
	case chat.AllowOnce:
		return nil
	case chat.AllowSession:
		t.a.o.Policy.Grant(about.Rules, r.Decision)
		return nil
	case chat.AllowAlways:
		t.a.o.Policy.Grant(about.Rules, r.Decision)
		if t.a.o.Remember != nil {
			if err := t.a.o.Remember(about.Rules); err != nil {
				t.a.notice(session.Warning, "Allowed for this session only: "+sentence(err))
			}
		}
		return nil
	default:
		if word := strings.TrimSpace(r.Word); word != "" {
			return no("%s They say: %s", userSaidNo, word)
		}
		return no("%s", userSaidNo)
	}
}

// accessOf asks a tool what a call would touch. A panic counts as a call that
// cannot run.
func accessOf(tool tools.Tool, call chat.ToolCall) (access []chat.Access, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error in %s: %v", call.Name, r)
		}
	}()
	return tool.Access(call)
}

// callTool runs a tool and makes a result of whatever it does.
func callTool(ctx context.Context, tool tools.Tool, call chat.ToolCall, progress tools.Progress) (r chat.ToolResult) {
	defer func() {
		if p := recover(); p != nil {
			r = refused(call, fmt.Sprintf("internal error in %s: %v", call.Name, p))
		}
	}()
	r, err := tool.Run(ctx, call, progress)
	if err == nil {
		return r
	}
	r.IsError = true
	if errors.Is(err, tools.ErrAborted) && len(r.Parts) > 0 {
		return r
	}
	r.Parts = append(r.Parts, chat.TextPart(err.Error()))
	return r
}

// refused is the result of a call that did not run.
func refused(call chat.ToolCall, text string) chat.ToolResult {
	return chat.ToolResult{CallID: call.ID, Name: call.Name, IsError: true, Parts: []chat.Part{chat.TextPart(text)}}
}

// storeResult stores the one result of a call. A result that cannot be stored is
// replaced by one that says so.
func (t *turn) storeResult(call chat.ToolCall, r chat.ToolResult) {
	r.CallID, r.Name = call.ID, call.Name
	_, err := t.a.o.Session.AppendMessage(chat.Message{Role: chat.RoleToolResult, Result: &r})
	if err == nil || errors.Is(err, session.ErrClosed) {
		return
	}
	r = refused(call, "the result could not be stored: "+err.Error())
	t.a.store(session.Entry{Type: session.TypeMessage, Message: &chat.Message{Role: chat.RoleToolResult, Result: &r}})
}
