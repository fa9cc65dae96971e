package session

import (
	"github.com/seed7484d81d/agent/internal/chat"
)

// lostResult answers a call whose result a crash took. The call may have done
// part of its work, so the text does not say that it did not run.
const lostResult = "no result: the session ended while this call was waiting or running; it may have done part of its work"

// repair closes what the last process left open: on the branch, each call gets
// a result; anywhere, a "!" command without an end is interrupted. The new
// entries are in memory at once and go to disk with the next entry.
func (s *Session) repair() {
	for _, call := range openCalls(s.tree.branch(s.tree.leaf)) {
		s.mend(chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{
			CallID: call.ID, Name: call.Name, IsError: true, Parts: []chat.Part{chat.TextPart(lostResult)},
		}})
	}
	for _, e := range s.tree.entries {
		run := e.run()
		if run == nil || s.tree.entries[s.tree.runs[run.ID]].run().Outcome != chat.Running {
			continue
		}
		ended := *run
		ended.Outcome, ended.Cancelled = chat.Interrupted, true
		s.mend(chat.Message{Role: chat.RoleBashExecution, Run: &ended})
	}
}

func (s *Session) mend(m chat.Message) {
	e := s.place(Entry{Type: TypeMessage, Message: &m})
	line, err := encode(e)
	if err != nil {
		return // it is made of what was read from the file
	}
	if s.disk != nil {
		s.disk.prepare(line)
	}
	s.tree.add(e)
}

// openCalls lists the calls on a branch that have no result, in their order. A
// result answers the newest open call with its ID, because some servers count
// their calls from zero in every answer.
func openCalls(branch []Entry) []chat.ToolCall {
	var open []chat.ToolCall
	for _, e := range branch {
		switch {
		case e.Message == nil:
		case e.Message.Role == chat.RoleAssistant:
			open = append(open, e.Message.Calls()...)
		case e.Message.Role == chat.RoleToolResult && e.Message.Result != nil:
			for i := len(open) - 1; i >= 0; i-- {
				if open[i].ID == e.Message.Result.CallID {
					open = append(open[:i], open[i+1:]...)
					break
				}
			}
		}
	}
	return open
}
