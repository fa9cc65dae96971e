// Package dialog is what lies over the conversation for a while: a list to
// pick from (Picker), a permission question (Question), a long text (Text) and
// one line to type (Input). They have one look and one set of methods:
//
//	SetSize(width, height)   the rectangle; View fills exactly that
//	Want(width) int          the height that would show all of it
//	SetTheme(t)              other colours
//	HandleKey(k) Action      all keys while it is open; nil means go on
//	HandlePaste(s)           pasted text, where text can be typed
//	HandleWheel(rows)        the mouse wheel, positive is down
//	HandleClick(x, y) Action a click inside the rectangle
//	View() string
//	Cursor() (x, y, ok)      where the cursor stands in the View
//
// A dialog does nothing itself: it says what the person chose, as an Action.
package dialog

import "github.com/seed7484d81d/agent/internal/chat"

// Action is what the person decided; nil while nothing is decided.
type Action interface{ action() }

// Closed says that the dialog was closed without a choice.
type Closed struct{}

// Picked is the choice of a Picker.
type Picked[T any] struct{ Value T }

// Answered is the answer to a Question.
type Answered struct {
	ID    string
	Reply chat.Reply
}

// Entered is the line of an Input.
type Entered struct{ Text string }

func (Closed) action()    {}
func (Picked[T]) action() {}
func (Answered) action()  {}
func (Entered) action()   {}
