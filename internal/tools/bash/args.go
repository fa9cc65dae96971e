package bash

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/cmdline"
	"github.com/seed7484d81d/agent/internal/tools"
)

// args are what a model sends.
type args struct {
	Command string            `json:"command" jsonschema:"shell line to run, of one or more lines"`
	Timeout *float64          `json:"timeout,omitempty" jsonschema:"seconds after which the command is stopped, 1 to 3600; 300 if left out"`
	Cwd     string            `json:"cwd,omitempty" jsonschema:"directory to run in, for this command only; the working directory if left out"`
	Env     map[string]string `json:"env,omitempty" jsonschema:"variables for this command only"`
	Head    *int              `json:"head,omitempty" jsonschema:"show only the first lines, this many"`
	Tail    *int              `json:"tail,omitempty" jsonschema:"show only the last lines, this many"`
	Pty     bool              `json:"pty,omitempty" jsonschema:"run in a terminal that the user sees and types into; for programs that need one"`
}

// call is a call that was understood.
type call struct {
	command string // normalised
	whole   string // as the model sent it, without the white space around it
	dir     string // absolute; "" for the working directory
	env     map[string]string
	head    *int
	tail    *int
	pty     bool
	timeout time.Duration
	notices []chat.Notice
}

var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

const (
	minTimeout = time.Second
	maxTimeout = time.Hour
)

// understand checks and normalises the arguments.
func (t *Tool) understand(raw chat.ToolCall) (*call, error) {
	a, err := tools.Decode[args](raw)
	if err != nil {
		return nil, err
	}
	c := &call{whole: strings.TrimSpace(a.Command), env: a.Env, head: a.Head, tail: a.Tail, pty: a.Pty}
	if c.whole == "" {
		return nil, tools.Errorf("bash: command is empty")
	}
	for name := range a.Env {
		if !envName.MatchString(name) {
			return nil, tools.Errorf("Invalid bash env name: %s", name)
		}
	}
	if a.Head != nil && *a.Head < 0 || a.Tail != nil && *a.Tail < 0 {
		return nil, tools.Errorf("bash: head and tail have to be 0 or more")
	}
	c.clamp(a.Timeout, t.o.Timeout)
	c.command = c.whole
	c.takeLimit()
	if a.Cwd != "" {
		c.dir = t.resolve(a.Cwd)
	} else {
		c.takeCd(t)
	}
	return c, nil
}

// clamp brings the timeout into its bounds and says so.
func (c *call) clamp(seconds *float64, standard time.Duration) {
	c.timeout = standard
	if seconds != nil {
		c.timeout = maxTimeout
		if *seconds < maxTimeout.Seconds() {
			c.timeout = time.Duration(*seconds * float64(time.Second))
		}
	}
	asked := c.timeout
	c.timeout = min(max(c.timeout, minTimeout), maxTimeout)
	if seconds != nil && (asked != c.timeout || *seconds > maxTimeout.Seconds()) {
		c.notices = append(c.notices, chat.Notice{Kind: "timeoutClamped", Text: "Timeout clamped to " + seconds0(c.timeout) + "s"})
	}
}

// takeLimit makes a limit of "| head -n N" and "| tail -n N" at the end, so
// that the output streams and the whole of it is kept. Explicit limits win.
func (c *call) takeLimit() {
	line, err := cmdline.Parse(c.command)
	if err != nil {
		return // bash says what is wrong with it
	}
	limit, rest, ok := line.TrailingLimit()
	if !ok {
		return
	}
	if limit.Kind == "head" {
		// "| tail" before it would be cut off by the command's own limit.
		if c.head == nil {
			c.head = &limit.N
		}
	} else if c.tail == nil {
		c.tail = &limit.N
	}
	c.command = strings.TrimSpace(rest)
}

// takeCd makes the directory of "cd DIR &&" at the beginning that of the call.
func (c *call) takeCd(t *Tool) {
	line, err := cmdline.Parse(c.command)
	if err != nil {
		return
	}
	if dir, rest, ok := line.LeadingCd(); ok {
		path := dir.Text
		if !dir.Tilde && strings.HasPrefix(path, "~") {
			path = "./" + path // a quoted tilde is a name
		}
		c.dir, c.command = t.resolve(path), rest
	}
}

// resolve makes a directory absolute; symlinks stay.
func (t *Tool) resolve(dir string) string {
	switch {
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		return filepath.Join(t.o.Home, dir[1:])
	case filepath.IsAbs(dir):
		return filepath.Clean(dir)
	default:
		return filepath.Join(t.o.Shell.Dir(), dir)
	}
}
