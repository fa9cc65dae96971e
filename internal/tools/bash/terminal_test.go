package bash

import (
	"context"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/vterm"
)

// person is a console that types when something shows.
type person struct {
	t     *testing.T
	keys  map[string]string // what to type when a text shows
	shown []Interactive
}

func (p *person) Show(ctx context.Context, run Interactive) (exec.Result, Screen) {
	p.shown = append(p.shown, run)
	const cols, rows = 80, 24
	screen := vterm.New(cols, rows, vterm.Options{})
	pty, err := run.Start(ctx, exec.Size{Cols: cols, Rows: rows}, screen)
	if err != nil {
		return exec.Result{Err: err}, Screen{}
	}
	text := func() string {
		var b strings.Builder
		for _, row := range screen.Scrollback() {
			b.WriteString(vterm.LineText(row) + "\n")
		}
		b.WriteString(strings.Join(screen.Snapshot().Text(), "\n"))
		return strings.TrimRight(b.String(), "\n")
	}
	for see, keys := range p.keys {
		for !strings.Contains(text(), see) {
			select {
			case <-pty.Done():
				p.t.Errorf("%q never shows: %q", see, text())
				return pty.Wait(), Screen{}
			default:
			}
		}
		if err := pty.Write([]byte(keys)); err != nil {
			p.t.Error(err)
		}
	}
	res := pty.Wait()
	return res, Screen{Text: text(), Styled: "\x1b[31m" + text() + "\x1b[m"}
}

func TestATerminalForTheModel(t *testing.T) {
	for _, tt := range []struct {
		mode, args, want string
		terminals        int
	}{
		{"", `{"command":"tty >/dev/null && echo yes","pty":true}`, "yes\n", 1},
		{"", `{"command":"tty >/dev/null || echo no"}`, "no\n", 0},
		{"on", `{"command":"tty >/dev/null && echo $PAGER $TERM"}`, "cat xterm-256color\n", 1},
		{"on", `{"command":"echo $PAGER","pty":true}`, "less\n", 1},
		{"off", `{"command":"tty >/dev/null || echo no","pty":true}`, "no\n\n[Terminals are switched off here (bash.virtualTerminal), so the command ran without one]", 0},
		{"", `{"command":"printf 'a\\r\\nb\\033[1Ac'; exit 3","pty":true}`, "ac\nb\n\nCommand exited with code 3", 1},
		{"", `{"command":"seq 9 | head -4","tail":2,"pty":true}`, "3\n4\n", 1},
		{"", `{"command":"echo x; sleep 100","timeout":1,"pty":true}`, "x\n\nCommand timed out after 1 seconds", 1},
		{"", `{"command":"pwd","cwd":"/does/not/exist","pty":true}`, "Working directory does not exist: /does/not/exist", 1},
		{"", `{"command":"seq 20000","pty":true}`, "20000\n\n[Showing", 1},
	} {
		r := newRig(t)
		p := &person{t: t}
		r.o.Console, r.o.Terminal = p, tt.mode
		res, got := r.run(tt.args)
		if got != tt.want && !strings.Contains(got, tt.want) || len(p.shown) != tt.terminals {
			t.Errorf("%s %s: %q in %d terminals, want %q in %d", tt.mode, tt.args, got, len(p.shown), tt.want, tt.terminals)
		}
		if run := res.Details.Run; run.PTY != (tt.terminals > 0) || run.PTY && run.Screen == "" && run.Outcome != chat.NotStarted {
			t.Errorf("%s: %+v", tt.args, run)
		}
		for _, s := range p.shown {
			if !s.ByModel {
				t.Errorf("%s: not the model's", tt.args)
			}
		}
	}
}

func TestAPersonAnswersInTheTerminal(t *testing.T) {
	r := newRig(t)
	r.o.Console = &person{t: t, keys: map[string]string{"[y/N]": "y\r"}}
	if _, got := r.run(`{"command":"read -r -p 'Continue? [y/N] ' a; echo \"got=[$a]\"","pty":true}`); got != "Continue? [y/N] y\ngot=[y]\n" {
		t.Errorf("%q", got)
	}
}

func TestWhatNeedsATerminalIsToldHowToGetOne(t *testing.T) {
	r := newRig(t)
	r.o.Console = &person{t: t}
	if _, err := New(r.o).Access(callOf(command("vim x"))); err == nil || !strings.Contains(err.Error(), "pty: true") {
		t.Errorf("%v", err)
	}
	if _, err := New(r.o).Access(callOf(`{"command":"vim x","pty":true}`)); err != nil {
		t.Error(err)
	}
	r.o.Terminal = "off"
	if _, err := New(r.o).Access(callOf(`{"command":"vim x","pty":true}`)); err == nil || strings.Contains(err.Error(), "pty: true") {
		t.Errorf("%v", err)
	}
}

func TestAPersonsProgramGetsATerminal(t *testing.T) {
	r := newRig(t)
	p := &person{t: t}
	r.o.Console, r.o.Interactive = p, []string{"vim", "tput"}
	run := NewBang(r.o).Run(t.Context(), "b1", "tput cols", nil)
	if run.Output != "80\n" || !run.PTY || len(p.shown) != 1 || p.shown[0].ByModel || p.shown[0].Command != "tput cols" {
		t.Errorf("%+v %+v", run, p.shown)
	}
	r.o.Terminal = "off"
	if run := NewBang(r.o).Run(t.Context(), "b2", "tput cols", nil); run.PTY {
		t.Errorf("%+v", run)
	}
}

func TestWhichLinesAreInteractive(t *testing.T) {
	programs := []string{"vim", "less", "man", "ssh", "sudo", "top", "htop", "fzf", "sqlite3"}
	for line, want := range map[string]bool{
		"vim x": true, "/usr/bin/vim x": true, "cd x && vim y": true, "FOO=1 vim x": true, "env A=1 vim x": true, "time vim x": true,
		"ls": false, "ls | less": true, "less x | cat": false, "less x > y": false, "less x 2> y": true, "echo vim": false, "vim --version": false,
		"sudo make": true, "sudo ls | grep x": true, "ssh h ls > x": true, "ssh host": true, "$EDITOR x": false, "echo 'x": false, "for f in *; do vim $f; done": true, "ls | fzf": true, "x=$(ls | fzf)": true,
		"git commit": true, "git commit -m x": false, "git commit -am x": false, "git commit --amend": true, "git commit --amend --no-edit": false, "git commit --fixup=HEAD": false,
		"git -C x commit": true, "git -c a=b log": true, "git --no-pager log": false, "git log": true, "git log | cat": false, "git log > x": false, "git diff": true,
		"git rebase -i HEAD~2": true, "git rebase main": false, "git add -p": true, "git add .": false, "git status": false, "git push": false, "git stash -p": true, "git": false,
		"python3": true, "python3 -i x.py": true, "python3 x.py": false, "python3 -c 1": false, "python3 -m http.server": false, "python3 < x": false, "echo 1 | python3": false,
		"node": true, "node x.js": false, "bash": true, "bash -c ls": false, "bash x.sh": false, "bash --login": true, "php -a": true, "php x.php": false,
		"docker run -it x": true, "docker run x": false, "kubectl exec -ti p -- sh": true,
		"read x": true, "read x < f": false, "cat f | while read x; do echo $x; done": false, "while read x; do echo $x; done < f": false,
	} {
		if got := interactive(line, programs); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	if interactive("vim x", nil) {
		t.Error("no programs, but vim is one")
	}
}
