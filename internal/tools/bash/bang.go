package bash

import (
	"context"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/tools"
)

// Bang runs what a person types behind "!".
type Bang struct{ o Options }

// NewBang makes one. Rules and Timeout mean nothing to it.
func NewBang(o Options) *Bang { return &Bang{o.filled()} }

// Run runs a line as it is, in the shell and the environment of the person, and
// waits for its end. A program that is interactive by nature gets the console's
// terminal. It has no deadline; ctx cancels it.
func (b *Bang) Run(ctx context.Context, id, line string, progress tools.Progress) chat.BashRun {
	o := b.o.start(progress)
	r := exec.Request{ID: id, Shell: b.o.Shell, Command: line, Sink: o.sinkFor(nil), OnChange: o.changed}
	var res exec.Result
	var s shaped
	if b.o.Console != nil && b.o.Terminal != "off" && interactive(line, b.o.Interactive) {
		r.OnChange = nil // the person sees the terminal itself
		var screen Screen
		res, screen = b.o.inTerminal(ctx, r, false)
		s = o.shapeScreen(res, screen, 0, nil, nil)
	} else {
		res = b.o.Exec.Run(ctx, r)
		s = o.shape(res, 0)
	}
	b.o.tellMoved(res)
	return chat.BashRun{
		ID: id, Command: line, Output: s.output, RunInfo: s.info, Notices: s.notices,
		Cancelled: s.info.Outcome == chat.Cancelled, Truncated: s.info.Meta.Truncation != nil,
	}
}
