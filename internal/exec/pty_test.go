package exec

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // what sha1sum prints
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// paper is a screen that keeps everything.
type paper struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.Write(b)
}

func (p *paper) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.b.String()
}

func (r *rig) terminal(ctx context.Context, q Request) (*PTY, *paper) {
	r.t.Helper()
	q.Shell = r.s
	page := &paper{}
	p, err := r.x.StartPTY(ctx, q, Size{Cols: 91, Rows: 17}, page)
	if err != nil {
		r.t.Fatal(err)
	}
	return p, page
}

// inTerminal runs a line to its end in a terminal.
func (r *rig) inTerminal(q Request) (Result, string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	p, page := r.terminal(ctx, q)
	return p.Wait(), page.String()
}

func (r *rig) sees(page *paper, text string) {
	r.t.Helper()
	until(r.t, "see "+text, func() bool { return strings.Contains(page.String(), text) })
}

func (r *rig) types(p *PTY, text string) {
	r.t.Helper()
	if err := p.Write([]byte(text)); err != nil {
		r.t.Fatal(err)
	}
}

func TestATerminalIsOneFromTheFirstByte(t *testing.T) {
	r := newRig(t, Options{})
	for command, want := range map[string]string{
		"stty size":                  "17 91\r\n",
		"tty >/dev/null && echo tty": "tty\r\n",
		"echo hi >/dev/tty":          "hi\r\n",
		"echo $TERM$NO_COLOR":        "xterm-256color\r\n",
		"ps -o tpgid=,pgid=,sid= -p $$ | tr -s ' ' '\n' | sort -u | grep -c .": "1\r\n",
		"ls /proc/$$/fd | tr '\n' ' '":                                         "0 1 2 ",
		"python3 -c 'print(\"x\" * 1000000)' | wc -c":                          "1000001\r\n",
	} {
		if res, out := r.inTerminal(Request{Command: command}); out != want || res.Outcome != Exited || res.Code != 0 {
			t.Errorf("%s: %q, want %q (%+v)", command, out, want, res)
		}
	}
}

func TestNothingOfATerminalIsLost(t *testing.T) {
	r := newRig(t, Options{})
	_, out := r.inTerminal(Request{Command: `python3 -c 'print("y" * 1000000 + "END")'`})
	if len(out) != 1_000_005 || !strings.HasSuffix(out, "END\r\n") {
		t.Errorf("%d bytes", len(out))
	}
}

func TestATerminalsEndIsTheShells(t *testing.T) {
	r := newRig(t, Options{})
	for _, tt := range []struct {
		command string
		outcome Outcome
		code    int
	}{
		{"exit 3", Exited, 3},
		{"kill -9 $$", Signalled, 137},
		{"exec sh -c 'exit 9'", Exited, 9},
		{"exec <&- >&- 2>&-; sleep 0.1; echo back >/dev/tty; exit 4", Exited, 4},
	} {
		res, out := r.inTerminal(Request{Command: tt.command})
		if res.Outcome != tt.outcome || res.Code != tt.code {
			t.Errorf("%s: %+v", tt.command, res)
		}
		if strings.Contains(tt.command, "back") && out != "back\r\n" {
			t.Errorf("%s: %q", tt.command, out)
		}
	}
}

func TestTheStateGoesThroughTerminals(t *testing.T) {
	r := newRig(t, Options{})
	r.run("A=1; f(){ echo f$A; }; cd /usr")
	if _, out := r.inTerminal(Request{Command: "f; pwd; A=2; cd /"}); out != "f1\r\n/usr\r\n" {
		t.Errorf("%q", out)
	}
	if out := r.say("f; pwd; echo $TERM"); out != "f2\n/\ndumb\n" {
		t.Errorf("%q", out)
	}
}

func TestTyping(t *testing.T) {
	r := newRig(t, Options{})
	for _, tt := range []struct{ command, see, keys, want string }{
		{"read -r -p 'Name? ' n; echo \"[$n]\"", "Name?", "Ada\r", "[Ada]"},
		{"cat; echo rc=$?", "", "\x04", "rc=0"},
		{"trap 'echo int; exit 5' INT; echo go; while :; do read -r x; done", "go", "\x03", "int"},
		{"echo go; od -An -c -N1 </dev/tty", "go", "\x1b\n", "033"},
	} {
		p, page := r.terminal(t.Context(), Request{Command: tt.command})
		if tt.see != "" {
			r.sees(page, tt.see)
		}
		r.types(p, tt.keys)
		r.sees(page, tt.want)
		p.Wait()
	}
}

func TestControlCEndsTheProgram(t *testing.T) {
	r := newRig(t, Options{})
	p, page := r.terminal(t.Context(), Request{Command: "echo go; exec sleep 100"})
	r.sees(page, "go")
	r.types(p, "\x03")
	if res := p.Wait(); res.Outcome != Signalled || res.Code != 130 {
		t.Errorf("%+v", res)
	}
}

func TestResizeIsToldOnce(t *testing.T) {
	r := newRig(t, Options{})
	p, page := r.terminal(t.Context(), Request{Command: "trap 'stty size' WINCH; echo go; while :; do read -r x; [ \"$x\" = q ] && exit; done"})
	r.sees(page, "go")
	if err := p.Resize(Size{Cols: 40, Rows: 10}); err != nil {
		t.Fatal(err)
	}
	if err := p.Resize(Size{Cols: 40, Rows: 10}); err != nil {
		t.Fatal(err)
	}
	r.types(p, "\r") // wakes it up
	r.sees(page, "10 40")
	r.types(p, "q\r")
	p.Wait()
	if n := strings.Count(page.String(), "10 40"); n != 1 {
		t.Errorf("told %d times: %q", n, page.String())
	}
	if err := p.Resize(Size{}); err == nil {
		t.Error("a terminal that is gone was resized")
	}
}

func TestAPasswordPromptIsSeen(t *testing.T) {
	r := newRig(t, Options{})
	p, page := r.terminal(t.Context(), Request{Command: "python3 -c 'import getpass; print(len(getpass.getpass()))'; read -r x"})
	r.sees(page, "Password:")
	until(t, "secret", p.Secret)
	r.types(p, "hunter2\r")
	r.sees(page, "7")
	until(t, "not secret", func() bool { return !p.Secret() })
	r.types(p, "\r")
	p.Wait()
	if strings.Contains(page.String(), "hunter") {
		t.Error("the password shows")
	}
	if p.Secret() {
		t.Error("secret after the end")
	}
}

func TestPastingNeverBlocks(t *testing.T) {
	r := newRig(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	p, page := r.terminal(ctx, Request{Command: "stty raw -echo; printf go; exec sleep 100"})
	r.sees(page, "go")
	big := strings.Repeat("x", 1<<20)
	r.types(p, big)
	full := false
	for range 10 {
		full = full || p.Write([]byte(big)) != nil
	}
	if !full {
		t.Error("the queue has no bound")
	}
	cancel()
	if res := p.Wait(); res.Outcome != Cancelled {
		t.Errorf("%+v", res)
	}
	if p.Write([]byte("x")) == nil {
		t.Error("typed into a terminal that is gone")
	}
}

func TestAllThatIsPastedArrives(t *testing.T) {
	r := newRig(t, Options{})
	p, page := r.terminal(t.Context(), Request{Command: "stty raw -echo; printf go; head -c 1000000 | sha1sum"})
	r.sees(page, "go")
	text := strings.Repeat("0123456789", 100_000)
	r.types(p, text)
	p.Wait()
	if out := page.String(); !strings.Contains(out, fmt.Sprintf("%x", sha1.Sum([]byte(text)))) {
		t.Errorf("%q", out)
	}
}

func TestKillingATerminalKeepsTheState(t *testing.T) {
	r := newRig(t, Options{})
	for _, program := range []string{"vim -u NONE", "less /etc/passwd", "top", "python3", "sh -c \"trap '' HUP TERM INT; while :; do sleep 1; done\""} {
		r.run("unset K")
		p, page := r.terminal(t.Context(), Request{Command: "cd /usr; K=1; echo go; " + program})
		r.sees(page, "go")
		p.Kill()
		res := p.Wait()
		if left := r.x.Processes(); res.Outcome != Cancelled || len(left) > 0 {
			t.Errorf("%s: %+v, left %+v", program, res, left)
		}
		if !strings.HasPrefix(program, "sh") && r.say("echo $K$PWD") != "1/usr\n" {
			t.Errorf("%s: the state is lost", program)
		}
		r.run("cd " + r.dir)
	}
}

func TestWhatATerminalStartedEndsWithIt(t *testing.T) {
	r := newRig(t, Options{})
	res, _ := r.inTerminal(Request{Command: "sleep 100 & echo done"})
	if res.Outcome != Exited {
		t.Errorf("%+v", res)
	}
	until(t, "the child is gone", func() bool { return len(r.x.Processes()) == 0 })
}

func TestTheDeadlineOfATerminal(t *testing.T) {
	r := newRig(t, Options{TimeoutGrace: 50 * time.Millisecond})
	res, out := r.inTerminal(Request{Command: "echo before; sleep 100", Timeout: 200 * time.Millisecond})
	if res.Outcome != TimedOut || out != "before\r\n" {
		t.Errorf("%+v %q", res, out)
	}
}

func TestATerminalThatCannotStart(t *testing.T) {
	r := newRig(t, Options{})
	start := func(ctx context.Context, q Request, want string) {
		t.Helper()
		q.Shell = r.s
		if _, err := r.x.StartPTY(ctx, q, Size{}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", q.Command, err)
		}
	}
	start(t.Context(), Request{Command: "a\x00b"}, "NUL")
	start(t.Context(), Request{Command: "pwd", Dir: "/not/there"}, "does not exist")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	start(cancelled, Request{Command: "pwd"}, "canceled")
}

func TestUnattendedTerminalsKeepPagersOff(t *testing.T) {
	r := newRig(t, Options{Env: []string{"PATH=/usr/bin:/bin", "PAGER=less", "EDITOR=vim"}})
	if _, out := r.inTerminal(Request{Command: "echo $PAGER $EDITOR $TERM $NO_COLOR"}); out != "less vim xterm-256color\r\n" {
		t.Errorf("a person's: %q", out)
	}
	if _, out := r.inTerminal(Request{Command: "echo $PAGER $EDITOR $TERM $NO_COLOR", Unattended: true}); out != "cat false xterm-256color\r\n" {
		t.Errorf("unattended: %q", out)
	}
}
