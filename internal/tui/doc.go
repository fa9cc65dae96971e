// Package tui is the interactive face: it owns the screen's rectangles, routes
// keys, feeds the transcript with the session's events, and turns what the
// person wants into calls of the agent. It runs no commands, asks no model and
// reads no files: whatever takes time is a function of its Options and happens
// in a Cmd.
//
// One Cmd waits for the session to move on; nothing else brings its events in,
// and the next one waits a frame, so that a flood costs no more than a picture.
// While nothing moves, nothing ticks.
package tui
