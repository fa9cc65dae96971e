package exec

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if Main() { // the tests' binary is its own supervisor
		syscall.Exit(0) // without the second that the race detector waits at an end
	}
	if helperMain() {
		syscall.Exit(0) // as above
	}
	// What starts the tests (nohup, a CI) may ignore a hangup for all that
	// it starts, and no shell can undo that. A caught signal is a child's default.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	if r, w, err := os.Pipe(); err == nil { // the runtime's poller takes descriptors for good at the first pipe
		_, _ = r.Close(), w.Close()
	}
	os.Exit(m.Run())
}

// patience bounds every wait. It only runs out when something is broken.
const patience = 30 * time.Second

// rig is an executor with one shell, which leaves nothing behind.
type rig struct {
	t   testing.TB
	x   *Executor
	s   *Shell
	dir string
}

func newRig(tb testing.TB, o Options) *rig {
	tb.Helper()
	before, goroutines := descriptors(tb), runtime.NumGoroutine()
	o.RunDir = tb.TempDir()
	if o.Env == nil {
		o.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + tb.TempDir(), "LANG=C.UTF-8", "BASE=from-the-agent"}
	}
	dir := tb.TempDir()
	x := New(o)
	tb.Cleanup(func() {
		if err := x.Close(context.Background()); err != nil {
			tb.Error(err)
		}
		if left := x.launcher.started(); len(left) > 0 {
			tb.Errorf("processes are left: %+v", left)
		}
		if files, _ := os.ReadDir(o.RunDir); len(files) > 0 {
			tb.Errorf("files are left: %v", files)
		}
		until(tb, fmt.Sprintf("descriptors go back to %d", before), func() bool { return descriptors(tb) <= before })
		until(tb, fmt.Sprintf("goroutines go back to %d", goroutines), func() bool { return runtime.NumGoroutine() <= goroutines })
	})
	return &rig{t: tb, x: x, s: x.Shell(Key{Path: "/bin/bash"}, dir), dir: dir}
}

func descriptors(tb testing.TB) int {
	tb.Helper()
	d, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		tb.Fatal(err)
	}
	return len(d)
}

// until waits for a state that comes by itself.
func until(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			tb.Fatalf("never: %s", what)
		}
		<-time.After(2 * time.Millisecond)
	}
}

// run runs a line to its end.
func (r *rig) run(command string) (Result, string) {
	r.t.Helper()
	return r.do(r.t.Context(), Request{Command: command})
}

func (r *rig) do(ctx context.Context, q Request) (Result, string) {
	r.t.Helper()
	if q.Shell == nil {
		q.Shell = r.s
	}
	if q.Sink == nil {
		q.Sink = NewSink(SinkOptions{})
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	res := r.x.Run(ctx, q)
	return res, q.Sink.View().Text
}

// say runs a line and returns its output.
func (r *rig) say(command string) string {
	r.t.Helper()
	_, out := r.run(command)
	return out
}

// background starts a line and returns how to cancel it and how it ended.
func (r *rig) background(command string) (cancel func(), end chan Result, sink *Sink) {
	ctx, stop := context.WithCancel(r.t.Context())
	sink, end = NewSink(SinkOptions{}), make(chan Result, 1)
	go func() { end <- r.x.Run(ctx, Request{Shell: r.s, Command: command, Sink: sink}) }()
	r.t.Cleanup(stop)
	return stop, end, sink
}

func (r *rig) see(sink *Sink, text string) {
	r.t.Helper()
	until(r.t, text, func() bool { return strings.Contains(sink.View().Text, text) })
}

func (r *rig) touch(name string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), nil, 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func wait(tb testing.TB, end chan Result) Result {
	tb.Helper()
	select {
	case res := <-end:
		return res
	case <-time.After(patience):
		tb.Fatal("the run does not end")
		return Result{}
	}
}

func alive(pid int) bool {
	p, ok := stat(pid)
	return ok && p.state != 'Z' && p.state != 'X'
}

// pidsIn reads numbers that a command wrote to a file.
func pidsIn(tb testing.TB, file string, n int) []int {
	tb.Helper()
	var pids []int
	until(tb, fmt.Sprintf("%d pids in %s", n, file), func() bool {
		data, _ := os.ReadFile(file)
		pids = pids[:0]
		for _, f := range strings.Fields(string(data)) {
			if pid, err := strconv.Atoi(f); err == nil {
				pids = append(pids, pid)
			}
		}
		return len(pids) >= n
	})
	return pids
}

func TestOutputAndStatus(t *testing.T) {
	r := newRig(t, Options{})
	for _, tt := range []struct {
		command, out string
		outcome      Outcome
		code         int
	}{
		{"echo hi", "hi\n", Exited, 0},
		{"echo out; echo err >&2; echo out2", "out\nerr\nout2\n", Exited, 0},
		{"exit 3", "", Exited, 3},
		{"false", "", Exited, 1},
		{"no-such-program-here", "bash: line 1: no-such-program-here: command not found\n", Exited, 127},
		{"printf 'no newline'", "no newline", Exited, 0},
		{"cat; read x; echo \"[$x]\"", "[]\n", Exited, 0},
		{"echo x > /dev/tty", "bash: line 1: /dev/tty: No such device or address\n", Exited, 1},
		{"kill -9 $$", "", Signalled, 137},
		{"kill $$", "", Signalled, 143},
		{"cat <<'EOF'\n${index + 1} \\x \"q\"\nEOF", "${index + 1} \\x \"q\"\n", Exited, 0},
		{"ls /proc/self/fd | tr '\\n' ' '", "0 1 2 3 ", Exited, 0},
		{"echo $0 $#", "bash 0\n", Exited, 0},
		{"echo 'a\x80b'", "a\uFFFDb\n", Exited, 0},
	} {
		res, out := r.run(tt.command)
		if out != tt.out || res.Outcome != tt.outcome || res.Code != tt.code || res.Err != nil {
			t.Errorf("%q: %q, outcome %d, code %d, error %v", tt.command, out, res.Outcome, res.Code, res.Err)
		}
	}
}

func TestStateCarriesOver(t *testing.T) {
	r := newRig(t, Options{})
	for _, tt := range []struct{ first, then, want string }{
		{"cd /usr", "pwd", "/usr\n"},
		{"cd " + r.dir + "; export A='x y'; B=$'two\\nlines'", `echo "$A|$B"; sh -c 'echo "$A|$B"'`, "x y|two\nlines\nx y|\n"},
		{"f() { echo \"f of $1\"; }; alias g='echo alias'", "f one; g two", "f of one\nalias two\n"},
		{"a=(1 '2 3'); declare -A m=([k]=v); declare -i n=4", `n+=1; echo "${a[1]} ${m[k]} $n"`, "2 3 v 5\n"},
		{"shopt -s extglob nullglob; set -f; umask 027", "shopt nullglob | cut -f2; set -o | grep noglob | tr -s ' \\t' ' '; umask", "on\nnoglob on\n0027\n"},
		{"set +f; shopt -u nullglob; unset BASE", `echo "[${BASE-unset}]"; env | grep -c ^BASE=`, "[unset]\n0\n"},
		{"exit_with() { return $1; }; export V=1; exit 5", "echo $V", "1\n"},
		{"W=1; set -e; false; W=2", "echo $W", "1\n"},
		{"X=1; kill -TERM $$", "echo $X", "1\n"},
		{"set -u; set -x", "echo ${not_set}ok", "ok\n"},
		{"readonly RO=5", "RO=6; echo $RO", "6\n"},
		{"cd /tmp; cd - >/dev/null", "echo $OLDPWD", "/tmp\n"},
	} {
		r.run(tt.first)
		if _, out := r.run(tt.then); out != tt.want {
			t.Errorf("after %q, %q gives %q, want %q", tt.first, tt.then, out, tt.want)
		}
	}
}

// TestNothingPoisonsTheShell runs what breaks shells, and then asks the next
// command for what was there before.
func TestNothingPoisonsTheShell(t *testing.T) {
	r := newRig(t, Options{})
	for _, poison := range []string{
		"exit 3", "exec ls", "exec bash -c 'exit 9'", "set -e; false", "echo 'unterminated", "cat <<EOF\nno end", "if true; then",
		"exec >/dev/null", "exec > >(cat) 2>&1", "exec 0<&- 1>&- 2>&-", "exec 3>&- 4>&- 5>&- 9>&- 10>&-", "kill -9 $$", "kill $PPID",
		"trap 'echo bye' EXIT", "trap 'echo bye' EXIT; exit 4", "set -m; sleep 0 & wait", "ulimit -n 4", "ulimit -f 0",
		"readonly PATH", "readonly __a_s=1 __a_d=1", "cd() { :; }; echo() { :; }; exit() { :; }; builtin() { :; }; eval() { :; }; exec() { :; }; declare() { :; }; printf() { :; }; trap() { :; }; unset() { :; }; set() { :; }",
		"unset -f cd echo exit builtin eval exec declare printf trap unset set", "alias if=false eval=false builtin=false '{=false' exec=false cd=false", "unalias -a",
		"trap 'echo DBG' DEBUG; trap 'echo ERR' ERR; trap 'echo RET' RETURN", "set -n", "shopt -s extdebug; trap false DEBUG", "enable -n cd declare printf",
		"return 7", "break; continue", "POSIXLY_CORRECT=1", "set -o posix", "IFS=0123456789", "BASH_ENV=/nonexistent; export BASH_ENV", "PS4='$(echo bad)'; set -x",
		"exec 1<&-; echo x", "printf '\\0END 1' > " + "/proc/self/fd/3", "PATH=", "export PATH=" + os.Getenv("PATH"), "hash -r",
	} {
		r.run(poison)
		res, out := r.run(`command -p echo "alive $((6*7))"`)
		if !strings.HasSuffix(out, "alive 42\n") || strings.Contains(out, "DBG") || res.Code != 0 {
			t.Errorf("after %q: %q, code %d, %v %q", poison, out, res.Code, res.Err, res.Notes)
			r.s.Reset()
		}
	}
	if res, out := r.run("KEEP=kept"); !res.Saved {
		t.Errorf("not saved: %q %q", res.Notes, out)
	}
	r.run("kill -9 $$")
	if out := r.say("command -p echo $KEEP"); out != "kept\n" {
		t.Errorf("the state before was lost: %q", out)
	}
}

func TestTheDirectoryThatIsGone(t *testing.T) {
	r := newRig(t, Options{})
	r.run("mkdir -p a/b && cd a/b")
	if err := os.RemoveAll(filepath.Join(r.dir, "a")); err != nil {
		t.Fatal(err)
	}
	res, out := r.run("pwd")
	if strings.TrimSpace(out) != r.dir || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "is gone") {
		t.Errorf("%q, notes %q", out, res.Notes)
	}
	if r.s.Dir() != r.dir {
		t.Errorf("the session is in %s", r.s.Dir())
	}
}

func TestADirectoryOfOneRunDoesNotMoveTheSession(t *testing.T) {
	r := newRig(t, Options{})
	_, out := r.do(t.Context(), Request{Command: "pwd; cd /tmp", Dir: "/usr"})
	if out != "/usr\n" || r.s.Dir() != r.dir {
		t.Errorf("%q, then %s", out, r.s.Dir())
	}
	for dir, want := range map[string]string{
		"/does/not/exist": "Working directory does not exist: /does/not/exist", "/etc/passwd": "Working directory is not a directory: /etc/passwd",
	} {
		res, _ := r.do(t.Context(), Request{Command: "pwd", Dir: dir})
		if res.Outcome != NotStarted || res.Err == nil || res.Err.Error() != want {
			t.Errorf("%s: %v", dir, res.Err)
		}
	}
	link := filepath.Join(r.dir, "link")
	if err := os.Symlink("/usr", link); err != nil {
		t.Fatal(err)
	}
	if _, out := r.do(t.Context(), Request{Command: "pwd", Dir: link}); out != link+"\n" {
		t.Errorf("the symlink is resolved: %q", out)
	}
}

func TestTheEnvironmentOfOneRun(t *testing.T) {
	r := newRig(t, Options{
		Env:  []string{"PATH=" + os.Getenv("PATH"), "SECRET_KEY=x", "GIT_DIR=/x", "PAGER=less", "A=base", "BASH_ENV=/nonexistent"},
		Hide: []string{"SECRET_KEY"},
	})
	_, out := r.do(t.Context(), Request{
		Unattended: true, Env: map[string]string{"A": "call's", "EDITOR": "mine"},
		Command: `echo "$A $PAGER $EDITOR $GIT_EDITOR $TERM $NO_COLOR [${SECRET_KEY-}] [${GIT_DIR-}]"`,
	})
	if out != "call's cat mine false dumb 1 [] []\n" {
		t.Errorf("%q", out)
	}
	if out := r.say(`echo "$A $PAGER [${EDITOR-}] [${GIT_EDITOR-}]"`); out != "base less [] []\n" {
		t.Errorf("afterwards: %q", out)
	}
	r.run("export SECRET_KEY=again")
	if out := r.say("echo [${SECRET_KEY-}]"); out != "[]\n" {
		t.Errorf("a hidden name was kept: %q", out)
	}
}

func TestARunEndsWhenItsShellEnds(t *testing.T) {
	r := newRig(t, Options{})
	for _, command := range []string{
		"sleep 1000 & echo done", "sleep 1000 </dev/null >/dev/null 2>&1 & echo done", "setsid sleep 1000 & echo done",
		"nohup sleep 1000 & echo done", "(: wait; sleep 1000; :) & echo done", "(sleep 1000 & disown); echo done", "coproc sleep 1000; echo done",
		"exec 5< <(sleep 1000); echo done",
	} {
		begun := time.Now()
		res, out := r.run(command)
		if !strings.Contains(out, "done") || res.Outcome != Exited || time.Since(begun) > 10*time.Second {
			t.Errorf("%q: %q after %v", command, out, time.Since(begun))
		}
		named := false
		for _, p := range res.Survivors {
			// A child that is about to become a sleep is still a bash.
			named = named || (strings.Contains(p.Command, "sleep 1000") || p.Command == "bash") && alive(p.PID)
			if strings.Contains(p.Command, "__a_") {
				t.Errorf("%q: the survivor is called %q", command, p.Command)
			}
		}
		if !named {
			t.Errorf("%q: survivors %+v", command, res.Survivors)
		}
	}
	if len(r.x.Processes()) < 8 {
		t.Errorf("processes: %+v", r.x.Processes())
	}
}

func TestLateOutputNeverReachesAnotherRun(t *testing.T) {
	r := newRig(t, Options{})
	r.run("(until [ -e go ]; do sleep 0.01; done; echo LATE; touch said) & echo early")
	if out := r.say("touch go; until [ -e said ]; do sleep 0.01; done; echo mine"); out != "mine\n" {
		t.Errorf("%q", out)
	}
}

func TestLateWritersOfTheRunAreWaitedFor(t *testing.T) {
	r := newRig(t, Options{DrainIdle: patience, DrainMax: patience}) // they end before
	if out := r.say("echo last > >(sleep 0.02; cat)"); out != "last\n" {
		t.Errorf("a late writer of the run was cut off: %q", out)
	}
}

// escapes are the ways in which a process leaves its group, session or parent.
const escapes = `sleep 1000 & echo $! >>pids
(sleep 1000 & echo $! >>pids)
nohup sleep 1000 >/dev/null 2>&1 & echo $! >>pids
setsid sleep 1000 & echo $! >>pids
setsid -f sh -c 'echo $$ >>pids; exec sleep 1000'
env -i setsid -f /bin/sh -c 'echo $$ >>pids; exec /bin/sleep 1000'
sh -c 'trap "" TERM INT HUP; echo $$ >>pids; while :; do sleep 1000; done' &
sh -c 'echo $$ >>pids; kill -STOP $$' &
set -m; sleep 1000 & echo $! >>pids
sleep 1000 & disown; echo $! >>pids
setsid sh -c 'sh -c "echo \$\$ >>pids; exec sleep 1000" &'
env -i /bin/sh -c '(/bin/sleep 1000 & echo $! >>pids) &'
`

const escaped = 12

func TestCancelEndsTheWholeTree(t *testing.T) {
	r := newRig(t, Options{})
	server, _ := r.run("sleep 2000 & disown; MARK=1")
	cancel, end, sink := r.background("cd /usr; cd - >/dev/null\n" + escapes + "echo up; wait")
	r.see(sink, "up")
	pids := pidsIn(t, filepath.Join(r.dir, "pids"), escaped)
	cancel()
	res := wait(t, end)
	if res.Outcome != Cancelled {
		t.Errorf("outcome %d", res.Outcome)
	}
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("process %d is alive", pid)
		}
	}
	for _, p := range server.Survivors {
		if !alive(p.PID) {
			t.Error("the server of an earlier command was ended")
		}
	}
	if out := r.say("echo $MARK"); out != "1\n" {
		t.Errorf("then: %q", out)
	}
}

func TestCancelIsQuickAndKeepsTheState(t *testing.T) {
	r := newRig(t, Options{})
	cancel, end, sink := r.background("cd /usr; A=new; echo up; sleep 1000")
	r.see(sink, "up")
	begun := time.Now()
	cancel()
	res := wait(t, end)
	if res.Outcome != Cancelled || time.Since(begun) > 400*time.Millisecond {
		t.Errorf("outcome %d after %v", res.Outcome, time.Since(begun))
	}
	if out := r.say("echo $A; pwd"); out != "new\n/usr\n" {
		t.Errorf("%q", out)
	}
}

func TestDeadline(t *testing.T) {
	r := newRig(t, Options{TimeoutGrace: 50 * time.Millisecond})
	res, out := r.do(t.Context(), Request{Command: "echo CRITICAL; trap '' TERM; while :; do sleep 1000; done", Timeout: 100 * time.Millisecond})
	if res.Outcome != TimedOut || out != "CRITICAL\n" {
		t.Errorf("outcome %d, %q", res.Outcome, out)
	}
}

func TestWhatIsCancelledBeforeNeverStarts(t *testing.T) {
	r := newRig(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	res, _ := r.do(ctx, Request{Command: "touch made"})
	if _, err := os.Stat(filepath.Join(r.dir, "made")); err == nil || res.Outcome != Cancelled {
		t.Errorf("outcome %d, %v", res.Outcome, err)
	}
}

func TestKillingTheParentHurtsNobodyElse(t *testing.T) {
	r := newRig(t, Options{})
	r.run("A=before")
	res, _ := r.run("kill -9 $PPID; sleep 1000")
	if res.Outcome != Lost {
		t.Errorf("outcome %d", res.Outcome)
	}
	if out := r.say("echo $A"); out != "before\n" {
		t.Errorf("%q", out)
	}
}

func TestOverlappingRunsDropWhatCameLater(t *testing.T) {
	r := newRig(t, Options{})
	_, end, sink := r.background("echo up; until [ -e go ]; do sleep 0.01; done; A=first")
	r.see(sink, "up")
	res, _ := r.run("A=second")
	r.touch("go")
	if !res.Saved {
		t.Errorf("the first to end did not save: %q", res.Notes)
	}
	late := wait(t, end)
	if late.Saved || len(late.Notes) != 1 || !strings.Contains(late.Notes[0], "dropped") {
		t.Errorf("saved %v, notes %q", late.Saved, late.Notes)
	}
	if out := r.say("echo $A"); out != "second\n" {
		t.Errorf("%q", out)
	}
	_, end, sink = r.background("rm go; echo up; until [ -e go ]; do sleep 0.01; done")
	r.see(sink, "up")
	r.run("B=1")
	r.touch("go")
	if res := wait(t, end); !res.Saved || len(res.Notes) != 0 {
		t.Errorf("a run without changes complains: %q", res.Notes)
	}
}

func TestHeadEndsTheCommand(t *testing.T) {
	r := newRig(t, Options{})
	five, none := 5, 0
	res, out := r.do(t.Context(), Request{Command: "yes", Head: &five})
	if out != "y\ny\ny\ny\ny\n" || res.Outcome != Exited || res.Code != 0 {
		t.Errorf("%q, outcome %d, code %d", out, res.Outcome, res.Code)
	}
	if res, out := r.do(t.Context(), Request{Command: "seq 3; exit 4", Head: &five}); out != "1\n2\n3\n" || res.Code != 4 {
		t.Errorf("%q, code %d", out, res.Code)
	}
	if _, out := r.do(t.Context(), Request{Command: "seq 3", Head: &none}); out != "" {
		t.Errorf("%q", out)
	}
}

func TestHugeInput(t *testing.T) {
	r := newRig(t, Options{})
	long := strings.Repeat("x", 2<<20)
	if _, out := r.run("a='" + long + "'; echo ${#a}; unset a"); out != "2097152\n" {
		t.Errorf("%q", out)
	}
	res, _ := r.run("export BIG=$(printf '%0300000d' 1)")
	if out := r.say("ls >/dev/null && echo works"); out != "works\n" || len(res.Notes) != 1 {
		t.Errorf("%q, notes %q", out, res.Notes)
	}
	if res, _ := r.run("a\x00b"); res.Outcome != NotStarted || res.Err == nil {
		t.Errorf("NUL: outcome %d", res.Outcome)
	}
}

func TestTheCommandIsInNoArgument(t *testing.T) {
	r := newRig(t, Options{})
	if res, out := r.run("pkill -f some-rare-word-42; echo $?"); out != "1\n" || res.Code != 0 {
		t.Errorf("%q, code %d", out, res.Code)
	}
}

func TestManyAtOnce(t *testing.T) {
	r := newRig(t, Options{})
	const n = 20
	outs := make(chan string, n)
	for i := range n {
		go func() {
			sink := NewSink(SinkOptions{})
			r.x.Run(t.Context(), Request{Shell: r.s, Command: fmt.Sprintf("echo run %d", i), Sink: sink})
			outs <- sink.View().Text
		}()
	}
	got := map[string]bool{}
	for range n {
		got[<-outs] = true
	}
	for i := range n {
		if !got[fmt.Sprintf("run %d\n", i)] {
			t.Errorf("run %d is missing: %v", i, got)
		}
	}
}

type rcCase struct{ name, rc, ask, want, note string }

func TestTheRCFileIsReadOnceAndCannotHurt(t *testing.T) {
	r := newRig(t, Options{Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, Hide: []string{"MODEL_KEY"}, RCLimit: patience})
	for _, tt := range []rcCase{
		{"normal", "alias hi='echo hello'\nf() { _g; }\n_g() { echo deep; }\n_unused() { :; }\nexport FROM_RC=1\nPS1=x", `hi; f; echo $FROM_RC; type -t _unused; echo "[${PS1-}]"`, "hello\ndeep\n1\n[]\n", ""},
		{"guard", "case $- in *i*) ;; *) return;; esac\nA=inside", "echo $A", "inside\n", ""},
		{"prints", "echo noise; read x; A=1", "echo $A", "1\n", ""},
		{"exits", "A=1; exit 0", "echo $A", "1\n", ""},
		{"errexit", "A=1; set -e; false", "echo $A; false; echo on", "1\non\n", ""},
		{"exec", "exec true", "echo ok", "ok\n", "left out"},
		{"two words", "if true; then\necho (", "echo ok", "ok\n", ""},
		{"syntax error", "A=1\nif true; then", "echo ok", "ok\n", ""},
		{"own trap", "trap 'echo bye' EXIT; A=1", "echo $A", "1\n", ""},
		{"noexec", "A=1; set -n; A=2", "echo $A", "2\n", ""},
		{"silenced", "exec >/dev/null 2>&1 </dev/null; A=1", "echo $A", "1\n", ""},
		{"the terminal", "A=1; read x </dev/tty; [ -t 0 ] && exec tmux; clear; stty -a", "echo $A", "1\n", ""},
		{"shadows", "builtin() { :; }; trap() { :; }; eval() { :; }; A=1; alias exec=false", "echo $A; eval 'echo never'", "1\n", ""},
		{"daemon", "sleep 1000 & A=1", "echo $A", "1\n", ""},
		{"another shell", "A=1; exec sh -c 'exit 0'", "echo [$A]", "[]\n", "it replaced or killed the shell"},
		{"kills itself", "kill -9 $$", "echo ok", "ok\n", "it replaced or killed the shell"},
		{"unsafe options", "set -eu; set -o monitor; A=1", "echo $- | tr -d hBc; false; echo $A $nope", "\n1\n", ""},
		{"for a prompt", "PROMPT_COMMAND='echo no'; HISTSIZE=9; PS1=x; TERM=odd; A=1", `echo "$A$PROMPT_COMMAND$HISTSIZE$PS1$TERM"`, "1dumb\n", ""},
		{"path", "PATH=/opt/own:$PATH; export SPECIAL=1", "echo ${PATH%%:*}; env | grep -c ^SPECIAL", "/opt/own\n1\n", ""},
		{"limits", "ulimit -c 0; umask 077; shopt -s extglob", "umask; echo @(a|b)", "0077\n@(a|b)\n", ""},
		{"key", "export MODEL_KEY=s", "echo [$MODEL_KEY]", "[]\n", ""},
		{"none", "", "echo ok", "ok\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.check(t, r) })
	}
}

func TestAnRCFileThatNeverEndsIsLeftOut(t *testing.T) {
	r := newRig(t, Options{RCLimit: 100 * time.Millisecond})
	for _, tt := range []rcCase{
		{"hangs", "A=1; sleep 1000", "echo [$A]", "[]\n", "did not end within"},
		{"will not die", "A=1; trap '' TERM INT HUP; while :; do :; done", "echo [$A]", "[]\n", "did not end within"},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.check(t, r) })
	}
}

// check asks a session of its own twice.
func (c rcCase) check(t *testing.T, r *rig) {
	t.Helper()
	home := t.TempDir()
	if c.rc != "" {
		if err := os.WriteFile(filepath.Join(home, ".bashrc"), []byte(c.rc), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := r.x.Shell(Key{Path: "/bin/bash", Session: c.name}, r.dir)
	s.UseRC(home)
	res, out := r.do(t.Context(), Request{Shell: s, Command: c.ask})
	if out != c.want || (c.note == "") != (len(res.Notes) == 0) || !strings.Contains(strings.Join(res.Notes, ""), c.note) {
		t.Errorf("%q, notes %q", out, res.Notes)
	}
	if res, _ := r.do(t.Context(), Request{Shell: s, Command: "true"}); len(res.Notes) != 0 {
		t.Errorf("told twice: %q", res.Notes)
	}
}

func TestOtherShellsCarryDirectoryAndExports(t *testing.T) {
	for _, path := range []string{"/bin/sh", "/bin/zsh"} {
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("%s is missing; make test installs it", path)
		}
		t.Run(path, func(t *testing.T) {
			r := newRig(t, Options{})
			s := r.x.Shell(Key{Path: path}, r.dir)
			do := func(command string) (Result, string) {
				return r.do(t.Context(), Request{Shell: s, Command: command})
			}
			do("cd /usr; export A='x y'; unset BASE; exit 3")
			res, out := do(`pwd; echo "$A [${BASE-unset}]"; exit 4`)
			if out != "/usr\nx y [unset]\n" || res.Code != 4 {
				t.Errorf("%q, code %d, notes %q", out, res.Code, res.Notes)
			}
		})
	}
}

func TestThePrefixWrapsTheWholeCommand(t *testing.T) {
	r := newRig(t, Options{})
	s := r.x.Shell(Key{Path: "/bin/bash", Prefix: "env WRAPPED=yes"}, r.dir)
	if _, out := r.do(t.Context(), Request{Shell: s, Command: "echo $WRAPPED; echo 'and' $WRAPPED"}); out != "yes\nand yes\n" {
		t.Errorf("%q", out)
	}
}

func TestADeadAgentLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	helper := startHelper(t, "agent", dir)
	pids := pidsIn(t, filepath.Join(dir, "pids"), escaped)
	if err := helper.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait() // killed
	for _, pid := range pids {
		until(t, fmt.Sprintf("process %d ends", pid), func() bool { return !alive(pid) })
	}
	until(t, "the run directory goes", func() bool {
		left, _ := filepath.Glob(filepath.Join(dir, "agent-run-*"))
		return len(left) == 0
	})
}
