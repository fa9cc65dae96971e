// Package tools is the contract between the agent and what a model may call:
// what a tool is, how a call is checked against its schema, and how its
// outcome becomes a result with its notices. The tools themselves live in the
// rooms below it; permission is asked elsewhere, before Run.
package tools

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Tool is something that a model can call. Implementations are safe for
// concurrent use.
type Tool interface {
	// Spec describes the tool to the model. It never changes during a session.
	Spec() chat.ToolSpec
	// Access lists what the call would touch, without touching it. An *Error
	// means that the call cannot run as it is; nothing is asked then.
	Access(call chat.ToolCall) ([]chat.Access, error)
	// Run does the work and waits for it. ctx ends when the person interrupts;
	// the tool then stops, keeps what it has and returns it with ErrAborted.
	// A failure that the model should hear of is an *Error or a result with
	// IsError; any other error is shown to the model as it reads.
	Run(ctx context.Context, call chat.ToolCall, progress Progress) (chat.ToolResult, error)
	// ReadOnly says that the tool changes nothing, so that its calls may run
	// side by side.
	ReadOnly() bool
}

// Progress announces that a running call has more to show. The tail is read by
// whoever draws, at most once a frame, from another goroutine; it must answer
// quickly. Progress itself returns at once and may be nil.
type Progress func(tail fmt.Stringer)

// Error tells the model what went wrong and what to try instead.
type Error struct{ Text string }

// Error is the text for the model.
func (e *Error) Error() string { return e.Text }

// Errorf makes an *Error.
func Errorf(format string, args ...any) error {
	return &Error{Text: fmt.Sprintf(format, args...)}
}

// ErrAborted says that the person interrupted the call.
var ErrAborted = errors.New("interrupted by the user")
