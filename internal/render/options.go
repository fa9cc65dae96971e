package render

import (
	"time"

	"github.com/seed7484d81d/agent/internal/theme"
)

// Options says how a block is drawn. The zero value of each field is usable;
// without a Theme it is the dark one.
type Options struct {
	// Width is how many cells a line may fill.
	Width int
	Theme *theme.Theme
	// Expanded shows all that there is instead of a preview.
	Expanded bool
	// Focused marks the block that has the keys.
	Focused bool
	// Now is the time on the screen, for what runs; zero shows no durations of
	// running things.
	Now time.Time
	// ExpandKey is the key that expands, for the hints; "ctrl+o" if empty.
	ExpandKey string
	// CancelKey is the key that interrupts, for the hints; "esc" if empty.
	CancelKey string
	// Below says that a program with a terminal of its own has the keys; its own
	// footer names them.
	Below bool
}

// cancel says how to end what runs.
func (o Options) cancel() string {
	if o.Below {
		return "in the terminal below"
	}
	return o.CancelKey + " to cancel"
}

// Live is what is known of a run that has not ended. The zero value is a call
// that has not started.
type Live struct {
	// Since is when it started.
	Since time.Time
	// Tail is the output so far, at most the output window.
	Tail string
	// Lines counts all lines so far, those that left the window included.
	Lines int64
	// Args is the call's arguments as far as the model has written them. It
	// counts only while the call itself has none.
	Args string
	// Running says that the run has started and not ended.
	Running bool
	// Spinner counts the ticks of the spinner.
	Spinner int
}

// withDefaults fills in what the caller left out.
func (o Options) withDefaults() Options {
	if o.Theme == nil {
		o.Theme = theme.Dark()
	}
	if o.ExpandKey == "" {
		o.ExpandKey = "ctrl+o"
	}
	if o.CancelKey == "" {
		o.CancelKey = "esc"
	}
	return o
}
