package exec

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestNoSignalReachesANumberThatIsSomebodyElsesNow(t *testing.T) {
	other := osexec.CommandContext(t.Context(), "sleep", "1000")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	p, ok := stat(other.Process.Pid)
	if !ok {
		t.Fatal("it is not there")
	}
	before := p
	before.start--
	if before.signal(syscall.SIGKILL) || before.kill() {
		t.Error("a process that started at another time was signalled")
	}
	if !p.kill() {
		t.Error("the process itself was not")
	}
	_ = other.Wait() // killed
	if p.kill() {
		t.Error("a reaped process was signalled")
	}
}

func TestAStubbornTreeEndsAfterTheGrace(t *testing.T) {
	r := newRig(t, Options{CancelGrace: 30 * time.Millisecond})
	for _, command := range []string{
		"trap '' TERM INT HUP; echo up; while :; do :; done",
		"echo up; kill -STOP $$",
		"echo up; (trap '' TERM; kill -STOP $BASHPID; sleep 1000) & wait",
		"trap 'echo no' TERM; echo up; while :; do sleep 1000; done",
	} {
		cancel, end, sink := r.background(command)
		r.see(sink, "up")
		cancel()
		if res := wait(t, end); res.Outcome != Cancelled || len(res.Survivors) > 0 {
			t.Errorf("%q: outcome %d, %v", command, res.Outcome, res.Survivors)
		}
		until(t, "only the supervisor and a spare are left", func() bool {
			for _, p := range r.x.launcher.started() {
				if !r.x.isShell(p.pid) {
					return false
				}
			}
			return true
		})
	}
}

// TestForksUnderACancel cancels while the shell forks, when a signal can meet a
// child that is not yet what it will be.
func TestForksUnderACancel(t *testing.T) {
	r := newRig(t, Options{CancelGrace: patience}) // nobody needs it
	for i := range 15 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(5+2*i)*time.Millisecond)
		begun := time.Now()
		res, _ := r.do(ctx, Request{Command: "for i in $(seq 200); do sleep 1000 & done; wait"})
		cancel()
		if res.Outcome != Cancelled || time.Since(begun) > patience/2 {
			t.Errorf("outcome %d after %v", res.Outcome, time.Since(begun))
		}
	}
	if left := r.x.Processes(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestKillEndsWhatOneRunLeft(t *testing.T) {
	r := newRig(t, Options{})
	one, _ := r.do(t.Context(), Request{ID: "one", Command: "sleep 1000 & disown"})
	two, _ := r.do(t.Context(), Request{ID: "two", Command: "sleep 1000 & disown"})
	r.x.Kill(t.Context(), "one")
	if alive(one.Survivors[0].PID) || !alive(two.Survivors[0].PID) {
		t.Errorf("alive: %v and %v", alive(one.Survivors[0].PID), alive(two.Survivors[0].PID))
	}
}

func TestAForgedStateIsRefused(t *testing.T) {
	r := newRig(t, Options{})
	r.run("A=true")
	forge := "for f in " + r.x.dir + "/*; do printf 'B1\\0/tmp\\0\\0\\0x\\0umask 0\\0declare -- A=\"forged\"\\n\\0\\0\\0\\0\\0\\0END x' >$f; done"
	if res, out := r.run(forge); res.Saved || len(res.Notes) != 1 {
		t.Errorf("saved %v, notes %q, %q", res.Saved, res.Notes, out)
	}
	if out := r.say("echo $A; pwd"); out != "true\n"+r.dir+"\n" {
		t.Errorf("%q", out)
	}
}

// TestManyMixedRunsAtOnce runs what is good, bad and cancelled in several
// sessions side by side: each keeps its own state and sees its own output.
func TestManyMixedRunsAtOnce(t *testing.T) {
	r := newRig(t, Options{CancelGrace: 50 * time.Millisecond, DrainIdle: patience, DrainMax: patience})
	const sessions, runs = 8, 25
	var all sync.WaitGroup
	for k := range sessions {
		all.Go(func() { r.mixed(k, runs) })
	}
	all.Wait()
}

func (r *rig) mixed(k, runs int) {
	s := r.x.Shell(Key{Path: "/bin/bash", Session: fmt.Sprint(k)}, r.dir)
	random, n := rand.New(rand.NewPCG(uint64(k), 1)), 0
	r.do(r.t.Context(), Request{Shell: s, Command: "N=0"})
	for range runs {
		command, want := "N=$((N+1)); echo $N", ""
		ctx, cancel := context.WithTimeout(r.t.Context(), patience)
		switch random.IntN(6) {
		case 0:
			command = "echo lost; kill -9 $$"
			want = "lost\n"
		case 1:
			command = "N=$((N+1)); exit 3"
			n++
		case 2:
			command = "exec 3>&- >/dev/null; echo nowhere; N=$((N+1))"
			n++
		case 3:
			cancel()
			ctx, cancel = context.WithTimeout(r.t.Context(), 3*time.Millisecond)
			command = "exec >/dev/null 2>&1; sleep 1000" // bash may say that it was terminated
		case 4:
			command = "seq 12000 >&2; N=$((N+1))"
			n++
			want = "seq"
		default:
			n++
			want = fmt.Sprintln(n)
		}
		_, out := r.do(ctx, Request{Shell: s, Command: command})
		cancel()
		if want == "seq" && !strings.HasSuffix(out, "\n11999\n12000\n") || want != "seq" && out != want {
			r.t.Errorf("session %d: %q gives %.100q, want %q", k, command, out, want)
			return
		}
	}
	if _, out := r.do(r.t.Context(), Request{Shell: s, Command: "echo $N"}); out != fmt.Sprintln(n) {
		r.t.Errorf("session %d ends with %q, want %d", k, out, n)
	}
}

// TestUnattendedRunsWaitForNobody compares what a command sees with the table
// of what is promised.
func TestUnattendedRunsWaitForNobody(t *testing.T) {
	r := newRig(t, Options{Env: []string{"PATH=" + os.Getenv("PATH"), "PAGER=less", "EDITOR=vi", "TERM=xterm", "CI=no", "GIT_WORK_TREE=/x", "GIT_DIR=/y", "KEY=s"}, Hide: []string{"KEY"}})
	_, out := r.do(t.Context(), Request{Command: "env", Unattended: true, Env: map[string]string{"CI": "", "GIT_EDITOR": "mine"}})
	got := map[string]string{}
	for l := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "=")
		got[name] = value
	}
	for value, names := range map[string]string{
		"cat":            "PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER BAT_PAGER DELTA_PAGER GH_PAGER GLAB_PAGER PSQL_PAGER MYSQL_PAGER HOMEBREW_PAGER",
		"":               "AWS_PAGER CI",
		"FRX":            "LESS",
		"0":              "GIT_TERMINAL_PROMPT TF_INPUT YARN_ENABLE_TELEMETRY YARN_ENABLE_PROGRESS_BARS",
		"1":              "GH_PROMPT_DISABLED CLOUDSDK_CORE_DISABLE_PROMPTS PIP_NO_INPUT COMPOSER_NO_INTERACTION PIP_DISABLE_PIP_VERSION_CHECK TF_IN_AUTOMATION NO_COLOR",
		"/usr/bin/false": "SSH_ASKPASS",
		"noninteractive": "DEBIAN_FRONTEND",
		"false":          "PNPM_UPDATE_NOTIFIER GIT_SEQUENCE_EDITOR EDITOR VISUAL npm_config_update_notifier npm_config_fund npm_config_audit npm_config_progress",
		"mine":           "GIT_EDITOR",
		"true":           "npm_config_yes PNPM_DISABLE_SELF_UPDATE_CHECK",
		"never":          "CARGO_TERM_PROGRESS_WHEN",
		"dumb":           "TERM",
	} {
		for _, name := range strings.Fields(names) {
			if v, ok := got[name]; !ok || v != value {
				t.Errorf("%s=%q, want %q", name, v, value)
			}
		}
	}
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "KEY"} {
		if v, ok := got[name]; ok {
			t.Errorf("%s=%q is passed on", name, v)
		}
	}
	if out := r.say("export GIT_DIR=/z KEY=t; echo $PAGER $EDITOR $CI; env | grep -c ^GIT_"); out != "less vi no\n1\n" {
		t.Errorf("a person's run: %q", out)
	}
	if out := r.say("env | grep -cE '^(GIT_DIR|KEY)='"); out != "0\n" {
		t.Errorf("what is never passed on was kept: %q", out)
	}
}
