// Package ptyoverlay shows a program that runs in a terminal of its own, and
// gives it the keys. It is a part of a Bubble Tea face and knows no process: the
// owner attaches a Program, hands it the program's output and asks for the
// picture.
//
//	SetSize(width, height)   the whole window; the overlay takes its part of it
//	Size()                   what the program's terminal measures
//	Attach(p)                the program runs
//	Write(b)                 it printed something
//	Finish(state, failed)    it ended
//	HandleKey, HandlePaste, HandleMouse, HandleWheel, HandleFocus
//	Next(ctx)                waits until there is something to draw
//	View(), Cursor(), Height()
//	Transcript()             what is left of it as text
//
// All methods may be called from any goroutine. None waits for the program or
// for the screen but Next, whose purpose that is.
//
// Esc ends the program, unless it owns the whole screen: then Esc is its own,
// as all other keys are. Ctrl+] leads to what the overlay itself can do; the
// bottom row always says what the keys do at the moment.
package ptyoverlay
