package exec

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Options is what an Executor is made of.
type Options struct {
	// Env is the environment of every run, as "NAME=value".
	Env []string
	// Hide names variables that no command may see, such as keys of models.
	Hide []string
	// RunDir is where a private directory for FIFOs is made; "" is the system's
	// directory for temporary files.
	RunDir string
	// CancelGrace and TimeoutGrace are how long a tree has between SIGTERM and
	// SIGKILL; 0 is 500 ms and 2 s.
	CancelGrace, TimeoutGrace time.Duration
	// DrainIdle and DrainMax bound the wait for late output once a shell has
	// ended; 0 is 50 ms and 250 ms.
	DrainIdle, DrainMax time.Duration
	// RCLimit is how long an rc file may take; 0 is 2 s.
	RCLimit time.Duration
	// NoSpare starts each shell when it is needed instead of before.
	NoSpare bool
}

// Executor owns shells and everything that they started. It is safe for
// concurrent use.
type Executor struct {
	o        Options
	env      []string
	launcher *launcher
	spans    spans
	late     sync.WaitGroup // readers of pipes that children still hold

	mu       sync.Mutex
	dir      string // private; "" until it is needed
	shells   map[Key]*Shell
	live     map[int]string    // running shells by pid, with the id of their call
	starting map[string]bool   // ids of shells whose pid is not known yet
	runs     map[string]string // Request.ID of runs by their mark
	closed   bool
}

// New makes an executor. It starts nothing.
func New(o Options) *Executor {
	o.CancelGrace = cmp.Or(o.CancelGrace, 500*time.Millisecond)
	o.TimeoutGrace = cmp.Or(o.TimeoutGrace, 2*time.Second)
	o.DrainIdle = cmp.Or(o.DrainIdle, 50*time.Millisecond)
	o.DrainMax = cmp.Or(o.DrainMax, 250*time.Millisecond)
	o.RCLimit = cmp.Or(o.RCLimit, 2*time.Second)
	x := &Executor{
		o: o, env: visible(o.Env, o.Hide),
		shells: map[Key]*Shell{}, live: map[int]string{}, starting: map[string]bool{}, runs: map[string]string{},
	}
	x.launcher = &launcher{runDir: x.runDir}
	return x
}

// errClosed says that the executor was closed.
var errClosed = errors.New("the agent is shutting down")

// runDir is the private directory, made when it is first needed and again
// should somebody remove it.
func (x *Executor) runDir() (string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.dir == "" {
		dir, err := os.MkdirTemp(x.o.RunDir, "agent-run-")
		if err != nil {
			return "", fmt.Errorf("no directory for the shell's state: %w", err)
		}
		x.dir = dir
	}
	if err := os.MkdirAll(x.dir, 0o700); err != nil {
		return "", fmt.Errorf("no directory for the shell's state: %w", err)
	}
	return x.dir, nil
}

// Shell returns the shell session of a key, a new one in dir if there is none.
func (x *Executor) Shell(k Key, dir string) *Shell {
	x.mu.Lock()
	defer x.mu.Unlock()
	if s := x.shells[k]; s != nil {
		return s
	}
	s := &Shell{x: x, key: k, dialect: dialectOf(k.Path), dir: filepath.Clean(dir), lastDir: dir}
	x.shells[k] = s
	return s
}

// Process is a process that a command started.
type Process struct {
	PID     int
	Command string
	Call    string // the Request.ID of the run that started it, if known
}

// Processes lists what runs below the executor, the shells themselves left out.
func (x *Executor) Processes() []Process {
	var out []Process
	for _, p := range x.launcher.started() {
		call := callOf(p.pid)
		if p.comm == supervisorName || x.isOurs(p, call) || p.gone() {
			continue
		}
		out = append(out, Process{PID: p.pid, Command: (&waiting{}).commandOf(p), Call: x.nameOf(call)})
	}
	return out
}

// isOurs says that a process is a shell, or one whose number is not known yet.
// While that is being loaded, its mark cannot be read.
func (x *Executor) isOurs(p process, call string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, shell := x.live[p.pid]
	return shell || x.starting[call] || call == "" && p.session == p.pid && len(x.starting) > 0
}

func (x *Executor) isShell(pid int) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	_, shell := x.live[pid]
	return shell
}

// Kill ends what the run with this Request.ID left behind: SIGTERM, then
// SIGKILL to those that remain when ctx ends or the grace is over.
func (x *Executor) Kill(ctx context.Context, id string) {
	x.end(ctx, func() []process {
		var mine []process
		for _, p := range x.launcher.started() {
			if mark := callOf(p.pid); mark != "" && x.nameOf(mark) == id {
				mine = append(mine, p)
			}
		}
		return mine
	})
}

// name remembers which run a mark stands for.
func (x *Executor) name(mark, id string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.runs[mark] = id
}

// forget is for runs that left nothing behind.
func (x *Executor) forget(mark string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.runs, mark)
}

func (x *Executor) nameOf(mark string) string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.runs[mark]
}

// Close ends everything that runs below the executor and waits for it, SIGTERM
// first; when ctx ends, SIGKILL. No run may be started afterwards.
func (x *Executor) Close(ctx context.Context) error {
	x.mu.Lock()
	x.closed = true
	shells := make([]*Shell, 0, len(x.shells))
	for _, s := range x.shells {
		shells = append(shells, s)
	}
	dir := x.dir
	x.mu.Unlock()
	for _, s := range shells {
		s.dropSpare()
	}
	if x.launcher.root() != 0 {
		x.end(ctx, x.launcher.started)
	}
	x.launcher.close()
	x.late.Wait()
	if dir == "" {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove the run directory: %w", err)
	}
	return nil
}

// end is the ladder for processes that no shell waits for.
func (x *Executor) end(ctx context.Context, list func() []process) {
	ctx, stop := context.WithTimeout(ctx, x.o.CancelGrace)
	defer stop()
	told := map[int]uint64{}
	const sure = 3 // looks: one that just starts another program cannot be recognised
	for wait, nothing := time.Millisecond, 0; ctx.Err() == nil; wait = min(2*wait, 20*time.Millisecond) {
		left := list()
		if len(left) > 0 {
			nothing = 0
		} else if nothing++; nothing == sure {
			return
		}
		terminate(left, told, 0)
		pause(ctx, wait)
	}
	for range 40 {
		left := list()
		if len(left) == 0 {
			return
		}
		for _, p := range left {
			p.kill()
		}
		pause(context.WithoutCancel(ctx), 2*time.Millisecond)
	}
}

// pause waits, but not longer than ctx.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// visible is an environment without what is hidden, and without what would
// point a command to another repository or tell bash to do something first.
func visible(env, hide []string) []string {
	hidden := map[string]bool{"GIT_DIR": true, "GIT_WORK_TREE": true, callVariable: true}
	for _, n := range hide {
		hidden[n] = true
	}
	out := make([]string, 0, len(env))
	for _, e := range env {
		if name, _, ok := strings.Cut(e, "="); ok && !hidden[name] {
			out = append(out, e)
		}
	}
	return out
}
