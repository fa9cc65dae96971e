package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// spare waits until a shell waits for the next command.
func (r *rig) spare() *child {
	r.t.Helper()
	var c *child
	until(r.t, "a spare shell", func() bool {
		r.s.warming.Wait()
		r.s.mu.Lock()
		defer r.s.mu.Unlock()
		if r.s.spare != nil {
			c = r.s.spare.child
		}
		return c != nil
	})
	return c
}

func TestTheSpareShellMayDie(t *testing.T) {
	r := newRig(t, Options{})
	r.run("K=kept")
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM} {
		spare := r.spare()
		if err := syscall.Kill(spare.pid, sig); err != nil {
			t.Fatal(err)
		}
		until(t, "the spare ends", spare.ended)
		if res, out := r.run("echo $K"); out != "kept\n" || res.Outcome != Exited {
			t.Errorf("after %v: %q, outcome %d, %v", sig, out, res.Outcome, res.Err)
		}
	}
}

func TestAStoppedSpareIsOnlyLate(t *testing.T) {
	r := newRig(t, Options{CancelGrace: 20 * time.Millisecond})
	r.run("K=kept")
	_ = syscall.Kill(r.spare().pid, syscall.SIGSTOP) // it lives: nobody else ends it
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if res, _ := r.do(ctx, Request{Command: "echo $K"}); res.Outcome != Cancelled {
		t.Errorf("outcome %d", res.Outcome)
	}
	if out := r.say("echo $K"); out != "kept\n" {
		t.Errorf("then: %q", out)
	}
}

func TestARunningShellKilledFromOutside(t *testing.T) {
	r := newRig(t, Options{})
	r.run("K=kept")
	_, end, sink := r.background("K=lost; sleep 1000 & echo $$ up; wait")
	r.see(sink, "up")
	var pid int
	if _, err := fmt.Sscan(sink.View().Text, &pid); err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGKILL) // it is ours and runs
	if res := wait(t, end); res.Outcome != Signalled || res.Code != 137 || len(res.Survivors) != 1 {
		t.Errorf("outcome %d, code %d, survivors %v", res.Outcome, res.Code, res.Survivors)
	}
	if out := r.say("echo $K"); out != "kept\n" {
		t.Errorf("then: %q", out)
	}
}

func TestTheSupervisorMayDie(t *testing.T) {
	r := newRig(t, Options{})
	r.run("K=kept; cd /usr")
	r.spare()
	_ = syscall.Kill(r.x.launcher.reaper(), syscall.SIGKILL) // it is ours
	until(t, "the supervisor is gone", func() bool { return r.x.launcher.reaper() == 0 })
	if res, out := r.run("echo $K $PWD"); out != "kept /usr\n" {
		t.Errorf("killed while idle: %q, outcome %d, %v", out, res.Outcome, res.Err)
	}
	_, end, sink := r.background("echo up; " + strings.ReplaceAll(escapes, "pids", r.dir+"/pids") + "wait")
	r.see(sink, "up")
	pids := pidsIn(t, filepath.Join(r.dir, "pids"), escaped)
	_ = syscall.Kill(r.x.launcher.reaper(), syscall.SIGKILL) // it is ours
	if res := wait(t, end); res.Outcome != Lost {
		t.Errorf("killed under a run: outcome %d", res.Outcome)
	}
	for _, pid := range pids {
		until(t, fmt.Sprintf("process %d ends", pid), func() bool { return !alive(pid) })
	}
	if out := r.say("echo $K $PWD"); out != "kept /usr\n" {
		t.Errorf("then: %q", out)
	}
}

func TestAStoppedSupervisorIsOnlyLate(t *testing.T) {
	r := newRig(t, Options{})
	r.run("K=kept")
	pid := r.x.launcher.reaper()
	_ = syscall.Kill(pid, syscall.SIGSTOP) // it is ours
	_, end, _ := r.background("[ $K = kept ]; exit $((40 + $?))")
	until(t, "it is stopped", func() bool { p, _ := stat(pid); return p.stopped() })
	_ = syscall.Kill(pid, syscall.SIGCONT) // as above
	if res := wait(t, end); res.Code != 40 {
		t.Errorf("outcome %d, code %d", res.Outcome, res.Code)
	}
}

func TestTheRunDirectoryMayVanish(t *testing.T) {
	r := newRig(t, Options{})
	r.run("K=kept")
	_, end, sink := r.background("K=lost; echo up; until [ -e go ]; do sleep 0.01; done; echo on")
	r.see(sink, "up")
	if err := os.RemoveAll(r.x.dir); err != nil {
		t.Fatal(err)
	}
	r.touch("go")
	res := wait(t, end)
	if res.Outcome != Exited || res.Saved || len(res.Notes) != 1 || sink.View().Text != "up\non\n" {
		t.Errorf("outcome %d, saved %v, notes %q, %q", res.Outcome, res.Saved, res.Notes, sink.View().Text)
	}
	for range 2 { // the spare's FIFO is gone too
		res, _ = r.run("echo $K")
	}
	if out := r.say("echo $K"); out != "kept\n" || len(res.Notes) != 0 {
		t.Errorf("then: %q, %q", out, res.Notes)
	}
}

func TestWithoutARunDirectoryNothingStarts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x := New(Options{RunDir: file})
	res := x.Run(t.Context(), Request{Shell: x.Shell(Key{Path: "/bin/bash"}, "/"), Command: "echo no"})
	if res.Outcome != NotStarted || res.Err == nil || !strings.Contains(res.Err.Error(), "no directory for the shell's state") {
		t.Errorf("outcome %d, %v", res.Outcome, res.Err)
	}
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestTheArtifactMayFail gives a run an artifact on a full disk, one that
// cannot be made, and one that breaks in the middle. The command goes on.
func TestTheArtifactMayFail(t *testing.T) {
	r := newRig(t, Options{})
	for name, tt := range map[string]struct {
		open func() (io.WriteCloser, error)
		note string
	}{
		"full disk": {func() (io.WriteCloser, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }, "no space left on device"},
		"no place":  {func() (io.WriteCloser, error) { return nil, fs.ErrPermission }, "permission denied"},
		"breaks":    {func() (io.WriteCloser, error) { return &breaks{after: 100 << 10}, nil }, "i/o error"},
	} {
		sink := NewSink(SinkOptions{Artifact: tt.open})
		res, out := r.do(t.Context(), Request{Command: "seq 100000; echo END; exit 3", Sink: sink})
		v := sink.View()
		if res.Code != 3 || !strings.HasSuffix(out, "\nEND\n") || v.TotalLines != 100001 || v.Saved || !v.Incomplete {
			t.Errorf("%s: code %d, %d lines, saved %v", name, res.Code, v.TotalLines, v.Saved)
		}
		if len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "not saved completely") || !strings.Contains(res.Notes[0], tt.note) {
			t.Errorf("%s: notes %q", name, res.Notes)
		}
	}
}

type breaks struct{ after int }

func (b *breaks) Write(p []byte) (int, error) {
	if b.after -= len(p); b.after < 0 {
		return 0, errors.New("i/o error")
	}
	return len(p), nil
}

func (*breaks) Close() error { return nil }

func TestWhoLooksDoesNotWaitForTheDisk(t *testing.T) {
	stuck := &stuckWriter{begun: make(chan struct{}), release: make(chan struct{})}
	s := NewSink(SinkOptions{MaxBytes: 4, Artifact: func() (io.WriteCloser, error) { return stuck, nil }})
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = s.Write([]byte("abc"))
		_, _ = s.Write([]byte("defgh"))
	}()
	<-stuck.begun
	if v := s.View(); v.Text != "abc" || v.Saved {
		t.Errorf("%+v", v)
	}
	close(stuck.release)
	<-written
	if v := s.View(); v.Text != "efgh" || !v.Saved {
		t.Errorf("%+v", v)
	}
	s.close()
}

type stuckWriter struct {
	begun, release chan struct{}
	once           bool
}

func (s *stuckWriter) Write(p []byte) (int, error) {
	if !s.once {
		s.once = true
		close(s.begun)
	}
	<-s.release
	return len(p), nil
}

func (*stuckWriter) Close() error { return nil }

// TestFaultsOfTheSystem runs in a process of its own what limits the whole
// process.
func TestFaultsOfTheSystem(t *testing.T) {
	for _, fault := range []string{"descriptors", "processes"} {
		t.Run(fault, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "exec-test-") //nolint:usetesting // a test's own directory is closed to other users
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.RemoveAll(dir) }()     // of no more use
			if err := os.Chmod(dir, 0o777); err != nil { //nolint:gosec // for another user
				t.Fatal(err)
			}
			if out := runHelper(t, fault, dir); out != "fine" {
				t.Errorf("%s", out)
			}
		})
	}
}

// withoutDescriptors is the agent that has none left.
func withoutDescriptors(dir string) error {
	x := New(Options{Env: os.Environ(), RunDir: dir, NoSpare: true})
	s := x.Shell(Key{Path: "/bin/bash"}, dir)
	run := func(command string) Result {
		return x.Run(context.Background(), Request{Shell: s, Command: command})
	}
	if res := run("K=kept"); res.Outcome != Exited {
		return fmt.Errorf("before: %w", res.Err)
	}
	used, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("count: %w", err)
	}
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		return fmt.Errorf("limit: %w", err)
	}
	for more := range uint64(8) { // so that each step of a start fails once
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(len(used)) - 1 + more, Max: old.Max}); err != nil {
			return fmt.Errorf("limit: %w", err)
		}
		if res := run("true"); res.Outcome == NotStarted && res.Err == nil {
			return fmt.Errorf("%d more: no reason", more)
		} else if more < 2 && res.Outcome != NotStarted {
			return fmt.Errorf("%d more: outcome %d", more, res.Outcome)
		}
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		return fmt.Errorf("limit: %w", err)
	}
	if res := run(`[ "$K" = kept ]`); res.Outcome != Exited || res.Code != 0 {
		return fmt.Errorf("afterwards: outcome %d, code %d, %w", res.Outcome, res.Code, res.Err)
	}
	for range 1000 {
		now, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			return fmt.Errorf("count: %w", err)
		}
		if len(now) <= len(used) {
			return x.Close(context.Background())
		}
		<-time.After(2 * time.Millisecond)
	}
	return errors.New("descriptors were left open")
}

// withoutProcesses is an agent whose command cannot fork.
func withoutProcesses(dir string) error {
	x := New(Options{Env: os.Environ(), RunDir: dir, TimeoutGrace: 50 * time.Millisecond})
	s := x.Shell(Key{Path: "/bin/bash"}, dir)
	begun := time.Now()
	sink := NewSink(SinkOptions{})
	res := x.Run(context.Background(), Request{
		Shell: s, Sink: sink, Timeout: 300 * time.Millisecond,
		Command: "K=kept; ulimit -u 0; echo before; /bin/ls /; echo after",
	})
	if out := sink.View().Text; !strings.HasPrefix(out, "before\n") || res.Outcome != TimedOut && res.Outcome != Exited {
		return fmt.Errorf("outcome %d: %q", res.Outcome, out)
	}
	if time.Since(begun) > patience {
		return fmt.Errorf("it took %v", time.Since(begun))
	}
	sink = NewSink(SinkOptions{})
	if res := x.Run(context.Background(), Request{Shell: s, Command: "/bin/echo again", Sink: sink}); sink.View().Text != "again\n" {
		return fmt.Errorf("then: outcome %d, %q, %w", res.Outcome, sink.View().Text, res.Err)
	}
	return x.Close(context.Background())
}

// TestManyRunsLeaveNothing cancels every tenth and leaves a child behind every
// tenth. EXEC_TEST_RUNS says how many it runs.
func TestManyRunsLeaveNothing(t *testing.T) {
	runs, err := strconv.Atoi(os.Getenv("EXEC_TEST_RUNS"))
	if err != nil {
		runs = 100
	}
	r := newRig(t, Options{CancelGrace: 100 * time.Millisecond, DrainIdle: 2 * time.Millisecond, DrainMax: 10 * time.Millisecond})
	r.run("true")
	r.spare()
	files, goroutines := descriptors(t), runtime.NumGoroutine()
	for i := range runs {
		command, limit, want := "true", patience, Exited
		switch i % 10 {
		case 3:
			command, limit, want = "sleep 1000", 5*time.Millisecond, Cancelled
		case 7:
			command = "sleep 0.05 & :"
		}
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		res, _ := r.do(ctx, Request{Command: command})
		cancel()
		if res.Outcome != want {
			t.Fatalf("run %d: outcome %d, %v", i, res.Outcome, res.Err)
		}
	}
	r.spare()
	until(t, "descriptors go back", func() bool { return descriptors(t) <= files })
	until(t, "goroutines go back", func() bool { return runtime.NumGoroutine() <= goroutines })
	until(t, "children go", func() bool { return len(childrenOf(r.x.launcher.reaper())) <= 1 }) // the spare
	if left, _ := filepath.Glob(filepath.Join(r.x.dir, "*")); len(left) > 1 {
		t.Errorf("files are left: %v", left)
	}
	if n := len(r.x.spans.list); n > maxSpans+1 {
		t.Errorf("%d spans", n)
	}
}

func TestAFloodInTheBackgroundHoldsNobody(t *testing.T) {
	r := newRig(t, Options{})
	begun := time.Now()
	res, out := r.run("yes & echo done >&2; disown")
	if res.Outcome != Exited || !strings.Contains(out, "done") && res.Code != 0 || len(res.Survivors) != 1 || time.Since(begun) > patience/3 {
		t.Errorf("outcome %d after %v, survivors %v", res.Outcome, time.Since(begun), res.Survivors)
	}
	if out := r.say("echo mine"); out != "mine\n" {
		t.Errorf("%.100q", out)
	}
}
