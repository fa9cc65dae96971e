package bash

import (
	"context"
	_ "embed" // the description
	"io"
	"sync/atomic"
	"time"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/tools"
)

//go:embed bash.md
var description string

// Options is what lines are run with.
type Options struct {
	Exec      *exec.Executor
	Shell     *exec.Shell
	Artifacts *artifact.Store // nil: whole outputs are not kept
	Home      string          // for "~"
	// Moved is told when a command moved the conversation's directory; nil: nobody.
	Moved func(dir string)
	// Timeout is for calls that name none; 0: 300 s.
	Timeout time.Duration
	// MaxBytes, HeadBytes and MaxLines bound what is shown; see exec.SinkOptions.
	MaxBytes, HeadBytes, MaxLines int
	// Rules are the interceptor's; none: it blocks nothing. Has says whether a
	// tool is there; nil: all are.
	Rules Rules
	Has   func(tool string) bool
	// Console shows programs that need a terminal; nil: there is none.
	Console Console
	// Terminal says which of the model's calls get one: "on" all, "off" none, ""
	// or "auto" those that ask for it. "off" is for the person's lines too.
	Terminal string
	// Interactive names the programs that get one in a person's line.
	Interactive []string
}

const defaultTimeout = 300 * time.Second

func (o Options) filled() Options {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Has == nil {
		o.Has = func(string) bool { return true }
	}
	if o.Artifacts == nil {
		o.Artifacts = artifact.Open("", artifact.Options{})
	}
	return o
}

// Tool is the tool "bash".
type Tool struct {
	o    Options
	spec func() chat.ToolSpec
}

// New makes the tool.
func New(o Options) *Tool {
	return &Tool{o.filled(), tools.SpecOf[args]("bash", description)}
}

// Spec describes the tool.
func (t *Tool) Spec() chat.ToolSpec { return t.spec() }

// ReadOnly is false.
func (t *Tool) ReadOnly() bool { return false }

// Access is running the command. A call that the interceptor blocks, or that
// cannot work, is an error.
func (t *Tool) Access(raw chat.ToolCall) ([]chat.Access, error) {
	c, err := t.understand(raw)
	if err != nil {
		return nil, err
	}
	if r, hit := t.o.Rules.match(c.command, t.o.Has); hit {
		return nil, tools.Errorf("Blocked: %s\n\nOriginal command: %s", r.Message, c.whole)
	}
	if name, needs := needsTerminal(c.command); needs && !t.givesTerminal(c) {
		return nil, t.noTerminal(name)
	}
	dir := c.dir
	if dir == "" {
		dir = t.o.Shell.Dir()
	}
	return []chat.Access{{Kind: chat.AccessRun, Command: c.whole, Dir: dir, Env: c.env}}, nil
}

// Run runs the command and waits for it.
func (t *Tool) Run(ctx context.Context, raw chat.ToolCall, progress tools.Progress) (chat.ToolResult, error) {
	c, err := t.understand(raw)
	if err != nil {
		return chat.ToolResult{}, err
	}
	if r, hit := t.o.Rules.match(c.command, t.o.Has); hit {
		text := "Blocked: " + r.Message + "\n\nOriginal command: " + c.whole
		return chat.ToolResult{
			IsError: true, Parts: []chat.Part{chat.TextPart(text)},
			Details: &chat.Details{Blocked: &chat.Blocked{Kind: "intercepted", Rule: r.index, Tool: r.Tool, Original: c.whole}},
		}, nil
	}
	o := t.o.start(progress)
	r := exec.Request{
		ID: raw.ID, Shell: t.o.Shell, Command: c.command, Dir: c.dir, Env: c.env, Unattended: true,
		Timeout: c.timeout, Head: c.head, Sink: o.sinkFor(c.tail), OnChange: o.changed,
	}
	var res exec.Result
	var s shaped
	if t.givesTerminal(c) {
		// A person sits in front of what was meant to be interactive; what only
		// got a terminal by the setting would wait for one in every pager.
		_, needs := needsTerminal(c.command)
		r.Unattended, r.OnChange = !c.pty && !needs, nil
		var screen Screen
		res, screen = t.o.inTerminal(ctx, r, true)
		s = o.shapeScreen(res, screen, c.timeout, c.head, c.tail)
	} else {
		if c.pty {
			c.notices = append(c.notices, chat.Notice{Kind: "noPty", Text: t.whyNoTerminal() + ", so the command ran without one"})
		}
		res = t.o.Exec.Run(ctx, r)
		s = o.shape(res, c.timeout)
	}
	t.o.tellMoved(res)
	result := chat.ToolResult{
		IsError: s.failed, Parts: []chat.Part{chat.TextPart(s.forModel())},
		Details: &chat.Details{Run: &s.info}, Notices: append(c.notices, s.notices...),
	}
	if hint := wantedInput(c.command, res); hint != "" && !s.info.PTY {
		result.Notices = append(result.Notices, chat.Notice{Kind: "emptyInput", Text: hint})
	}
	if res.Outcome == exec.Cancelled {
		return result, tools.ErrAborted
	}
	return result, nil
}

func (o Options) tellMoved(res exec.Result) {
	if res.Moved && o.Moved != nil {
		o.Moved(res.Dir)
	}
}

// output is the output of one run.
type output struct {
	o        Options
	progress tools.Progress
	sink     *exec.Sink
	file     atomic.Pointer[artifact.File]
}

func (o Options) start(progress tools.Progress) *output { return &output{o: o, progress: progress} }

// sinkFor makes the sink. The artifact gets its number when it is needed.
func (out *output) sinkFor(tail *int) *exec.Sink {
	o := out.sinkOptions(tail)
	o.Artifact = func() (io.WriteCloser, error) {
		f, err := out.o.Artifacts.Create("bash")
		if err != nil {
			return nil, err
		}
		out.file.Store(f)
		return f, nil
	}
	out.sink = exec.NewSink(o)
	return out.sink
}

// sinkOptions is the window, without an artifact.
func (out *output) sinkOptions(tail *int) exec.SinkOptions {
	return exec.SinkOptions{MaxBytes: out.o.MaxBytes, HeadBytes: out.o.HeadBytes, MaxLines: out.o.MaxLines, LastLines: tail}
}

// changed announces new output. Whoever draws reads it at its own pace.
func (out *output) changed() {
	if out.progress != nil {
		out.progress(out)
	}
}

// String is the output so far.
func (out *output) String() string { return out.sink.View().Text }

// Lines is how many lines there are so far, those that are not shown included.
func (out *output) Lines() int64 { return out.sink.View().TotalLines }
