package session

import (
	"fmt"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Event is something that happened in a session: a closed set, told in one
// order to every reader of a Feed.
type Event interface{ event() }

// Appended says that an entry is part of the log and on disk (while the disk
// refuses, which a Notice says, it is in memory only). A BashRun whose ID was
// seen before replaces the earlier record.
type Appended struct{ Entry Entry }

// Progress says that a run which has not ended has more to show. ID is the
// tool call's or the bang's. Tail is read by whoever draws, at most once a
// frame; the run itself never formats it. An unread Progress is overwritten by
// the next one of the same ID.
type Progress struct {
	ID   string
	Tail fmt.Stringer
}

// DeltaKind says what a Delta adds to.
type DeltaKind string

// The kinds of deltas of an answer that is being written.
const (
	DeltaText     DeltaKind = "text"
	DeltaThinking DeltaKind = "thinking"
	DeltaArgs     DeltaKind = "args" // of the call CallID, Name
	DeltaRestart  DeltaKind = "restart"
)

// Delta is more of the answer that is being written. It is not stored: the
// Appended of the whole message replaces what the deltas showed. Unread deltas
// of the same Kind and CallID join.
type Delta struct {
	Kind   DeltaKind
	CallID string
	Name   string
	Text   string
}

// TurnStarted says that the agent works on a prompt.
type TurnStarted struct{}

// EndReason says why a turn ended.
type EndReason string

// The reasons.
const (
	EndDone        EndReason = "done"
	EndInterrupted EndReason = "interrupted"
	EndError       EndReason = "error"
)

// TurnEnded says that the agent waits for the person again. Error is one line
// for a person when Reason is EndError.
type TurnEnded struct {
	Reason EndReason
	Error  string
}

// ToolStarted says that a call passed its permission and runs.
type ToolStarted struct {
	Call  chat.ToolCall
	Since time.Time
}

// ToolEnded says that a call no longer runs. Its result is appended in the
// order of the calls, which may be later.
type ToolEnded struct{ CallID string }

// Asked puts a question to the person. The turn waits until it is answered or
// interrupted, and Answered says so.
type Asked struct{ Question chat.Question }

// Answered says that the question with this ID is no longer open.
type Answered struct{ ID string }

// Queued is all that waits to be sent, oldest first: Steer goes with the next
// request of the turn, FollowUp after the turn. The latest value counts.
type Queued struct{ Steer, FollowUp []string }

// Returned hands what was queued back to the editor: the turn that it waited
// for was interrupted, or the person took it back. Images are those that were
// queued with the text.
type Returned struct {
	Text   string
	Images []chat.Image
}

// Retrying says that the provider failed in a way that may pass. The request
// is sent again at Until.
type Retrying struct {
	Attempt int
	Until   time.Time
	Error   string
}

// Moved says that the conversation's directory is another one.
type Moved struct{ Dir string }

// ModelChanged says who answers from here on.
type ModelChanged struct{ Provider, Model, Thinking string }

// Compacting says that the older part of the conversation is being summarised.
// Its Appended, a Notice or the end of the turn follows.
type Compacting struct{}

// Switched says that the conversation goes on from another entry. A reader
// draws Session.Branch anew.
type Switched struct{ Leaf string }

// Level says how loud a Notice is.
type Level string

// The levels.
const (
	Info    Level = "info"
	Warning Level = "warning"
	Failure Level = "error"
)

// Notice is one line for the person that is not part of the conversation.
type Notice struct {
	Level Level
	Text  string
}

func (Appended) event()     {}
func (Progress) event()     {}
func (Delta) event()        {}
func (TurnStarted) event()  {}
func (TurnEnded) event()    {}
func (ToolStarted) event()  {}
func (ToolEnded) event()    {}
func (Asked) event()        {}
func (Answered) event()     {}
func (Queued) event()       {}
func (Returned) event()     {}
func (Retrying) event()     {}
func (Moved) event()        {}
func (ModelChanged) event() {}
func (Compacting) event()   {}
func (Switched) event()     {}
func (Notice) event()       {}
