package exec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Request is one shell line to run.
type Request struct {
	// ID names the run in Processes and Kill.
	ID      string
	Shell   *Shell
	Command string // of one or more lines, run as it is
	// Dir and Env are for this run only. An empty Dir is the session's, which
	// then moves with the command.
	Dir string
	Env map[string]string
	// Unattended switches off what would wait for a person: pagers, editors and
	// prompts.
	Unattended bool
	Timeout    time.Duration // 0: none
	// Head ends the output, and with it usually the command, after so many
	// lines; nil: never.
	Head *int
	Sink *Sink // where the output goes; nil: nowhere
	// OnChange is called after new output, from another goroutine. It must
	// return at once; how often the output is looked at is up to the caller.
	OnChange func()

	terminal bool // it has one
}

// Outcome says how a run ended.
type Outcome int

// The outcomes.
const (
	NotStarted Outcome = iota // Err says why
	Exited                    // Code is set
	Signalled                 // Signal is set, and Code as shells count it
	TimedOut                  // stopped at the deadline
	Cancelled                 // stopped because ctx ended
	Lost                      // ended, but nobody knows how
)

// Result says how a run ended and what it left behind.
type Result struct {
	Outcome Outcome
	Code    int
	Signal  syscall.Signal
	Err     error
	// Dir is the session's directory after the run; Moved says that the run
	// changed it.
	Dir   string
	Moved bool
	// Saved says that what the run changed in the shell is there for the next
	// one.
	Saved bool
	// Survivors are children that go on.
	Survivors []Process
	Notes     []string // sentences for whoever reads the output
	Duration  time.Duration
}

// SignalName is the name of Signal, such as "SIGKILL".
func (r Result) SignalName() string { return unix.SignalName(r.Signal) }

var errTimeout = errors.New("deadline")

// Run runs a line and waits for its end. Runs of one session may overlap: each
// starts from what was saved last, and one that ends after another saved
// something drops its own changes.
func (x *Executor) Run(ctx context.Context, r Request) Result {
	begun := time.Now()
	if r.Sink == nil {
		r.Sink = NewSink(SinkOptions{})
	}
	start, res := x.begin(ctx, r, (*Shell).take)
	if start == nil {
		res.Duration = time.Since(begun)
		res.Notes = append(res.Notes, r.Sink.close()...)
		res.Dir = r.Shell.Dir()
		return res
	}
	return x.finish(ctx, r, start)
}

// started is a shell that waits for a command, and where that will run.
type started struct {
	shell *waiting
	dir   string
	note  string
	begun time.Time
}

// begin gets the shell for a run. It is nil when there is none: the result says
// why.
func (x *Executor) begin(ctx context.Context, r Request, shell func(*Shell) (*waiting, error)) (*started, Result) {
	s := &started{begun: time.Now()}
	if strings.IndexByte(r.Command, 0) >= 0 {
		return nil, Result{Err: errors.New("the command holds a NUL byte, which no shell can run")}
	}
	if ctx.Err() != nil {
		return nil, Result{Outcome: Cancelled}
	}
	r.Shell.prepare(ctx)
	var err error
	if s.dir, s.note, err = startDir(r); err != nil {
		return nil, Result{Err: err}
	}
	if s.shell, err = shell(r.Shell); err != nil {
		return nil, Result{Err: err}
	}
	return s, Result{}
}

// finish runs the command and completes the result.
func (x *Executor) finish(ctx context.Context, r Request, s *started) Result {
	res := x.drive(ctx, r, s.shell, s.dir)
	if s.note != "" {
		res.Notes = append([]string{s.note}, res.Notes...)
	}
	res.Notes = append(r.Shell.takeNotes(), res.Notes...)
	r.Shell.warm()
	res.Duration = time.Since(s.begun)
	res.Notes = append(res.Notes, r.Sink.close()...)
	if res.Dir == "" {
		res.Dir = r.Shell.Dir()
	}
	return res
}

// startDir is where the command starts.
func startDir(r Request) (dir, note string, err error) {
	if r.Dir == "" {
		dir, note = r.Shell.existingDir()
		return dir, note, nil
	}
	info, err := os.Stat(r.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", "", fmt.Errorf("Working directory does not exist: %s", r.Dir) //nolint:staticcheck // read by people as it is
	case err != nil:
		return "", "", fmt.Errorf("working directory: %w", err)
	case !info.IsDir():
		return "", "", fmt.Errorf("Working directory is not a directory: %s", r.Dir) //nolint:staticcheck // read by people as it is
	}
	if err := unix.Access(r.Dir, unix.X_OK); err != nil {
		return "", "", fmt.Errorf("working directory %s cannot be entered: %w", r.Dir, err)
	}
	return r.Dir, "", nil
}

// stateBytes is what a shell saved.
type stateBytes struct {
	data []byte
	err  error
}

// drive gives the command to a waiting shell and sees it to its end.
func (x *Executor) drive(ctx context.Context, r Request, w *waiting, dir string) Result {
	if r.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.Timeout, errTimeout)
		defer cancel()
	}
	out := &reader{
		from: w.output, screen: w.screen, sink: r.Sink, onChange: r.OnChange, idle: x.o.DrainIdle, max: x.o.DrainMax,
		exited: make(chan struct{}), drained: make(chan bool, 1),
	}
	if r.Head != nil && !r.terminal {
		out.limit = &headLimit{left: *r.Head}
	}
	x.late.Add(1)
	go func() {
		defer x.late.Done()
		out.run()
	}()
	state := make(chan stateBytes, 1)
	go func() {
		data, err := w.readState()
		state <- stateBytes{data, err}
	}()
	env := r.environment()
	command := r.Command
	if p := r.Shell.key.Prefix; p != "" {
		command = p + " " + quote(r.Shell.key.Path) + " -c " + quote(command)
	}
	from := r.Shell.position()
	x.spans.begin(w.id)
	defer x.spans.end(w.id)
	x.name(w.id, r.ID)
	go feed(w.command, commandScript(command, dir, from.lastDir, env))
	res := x.await(ctx, w)
	_ = w.fifo.SetReadDeadline(past()) // a FIFO has deadlines
	close(out.exited)
	_ = w.output.SetReadDeadline(past()) // fails if the reader closed it already
	held := <-out.drained
	if out.limit.reached() && (res.Signal == syscall.SIGPIPE || res.Code == 128+int(syscall.SIGPIPE)) {
		res.Outcome, res.Signal, res.Code = Exited, 0, 0
	}
	x.settle(&res, r, w, from, <-state, env)
	if r.terminal && x.hasOrphans() {
		x.hangUpLeft(ctx, w)
	}
	if res.Outcome == Exited || res.Outcome == Signalled {
		res.Survivors = x.survivors(w, held)
	}
	if len(res.Survivors) == 0 {
		x.forget(w.id)
	}
	return res
}

// await waits for the end of the shell, or brings it about.
func (x *Executor) await(ctx context.Context, w *waiting) Result {
	res := Result{Outcome: Exited}
	select {
	case <-w.child.done:
	case <-ctx.Done():
		grace := x.o.CancelGrace
		res.Outcome = Cancelled
		if errors.Is(context.Cause(ctx), errTimeout) {
			res.Outcome, grace = TimedOut, x.o.TimeoutGrace
		}
		x.stop(ctx, w, grace)
		<-w.child.done
	}
	status := w.child.status
	switch {
	case w.child.lost: // its parent was killed; we have what is left of it
		x.killAll(ctx, w, x.owned(w, nil))
		if res.Outcome == Exited {
			res.Outcome = Lost
		}
	case status.Signaled():
		res.Signal = status.Signal()
		res.Code = 128 + int(res.Signal)
		if res.Outcome == Exited {
			res.Outcome = Signalled
		}
	default:
		res.Code = status.ExitStatus()
	}
	return res
}

// settle reads the state that the run saved and makes it the session's.
func (x *Executor) settle(res *Result, r Request, w *waiting, from position, sb stateBytes, env map[string]string) {
	s := r.Shell
	var got *saved
	err := sb.err
	if err == nil {
		got, err = s.dialect.parse(sb.data, parseContext{nonce: w.nonce, base: x.env, old: w.state, scoped: env, hidden: x.hidden()})
	}
	res.Dir = s.Dir()
	if err != nil {
		if res.Outcome == Exited || res.Outcome == Signalled {
			res.Notes = append(res.Notes, "What this command changed in the shell (directory, variables, functions) was not kept: "+err.Error())
		}
		return
	}
	res.Notes, w.jobs = append(res.Notes, got.notes...), got.jobs
	to := position{got.state, got.dir, got.lastDir}
	if r.Dir != "" || to.dir == "" {
		to.dir, to.lastDir = from.dir, from.lastDir
	}
	if to.lastDir == "" {
		to.lastDir = from.lastDir
	}
	from.state = w.state // another run may have saved since this shell was taken
	moved, kept := s.commit(from, to)
	res.Moved, res.Saved, res.Dir = moved, kept, s.Dir()
	if !kept {
		res.Notes = append(res.Notes, "Another command changed the shell meanwhile, so what this one changed in it (directory, variables, functions) was dropped")
	}
}

func (x *Executor) hidden() map[string]bool {
	m := map[string]bool{"GIT_DIR": true, "GIT_WORK_TREE": true}
	for _, n := range x.o.Hide {
		m[n] = true
	}
	return m
}

// survivors names the children of a run that go on. Without orphans there are
// none, which costs little to see.
func (x *Executor) survivors(w *waiting, held bool) []Process {
	if !held && !x.hasOrphans() {
		return nil
	}
	var out []Process
	for _, p := range x.owned(w, nil) {
		out = append(out, Process{PID: p.pid, Command: w.commandOf(p), Call: x.nameOf(w.id)})
	}
	return out
}

func (x *Executor) hasOrphans() bool {
	reaper := x.launcher.reaper()
	if reaper == 0 {
		return true
	}
	for _, pid := range childrenOf(reaper) {
		if !x.isShell(pid) {
			return true
		}
	}
	return false
}
