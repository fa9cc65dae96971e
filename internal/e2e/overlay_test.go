package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// opened waits until a program is in front and has drawn something.
func (tm *term) opened(text string) {
	tm.t.Helper()
	tm.until("a program in front that shows "+strconv.Quote(text), func(s string) bool {
		_, inside, ok := strings.Cut(s, "running ─")
		return ok && strings.Contains(inside, text)
	})
}

// choose presses "down" until the bar of a menu has left one item and is on
// another. Such programs throw away what was typed before they were ready.
func (tm *term) choose(first, want string) {
	tm.t.Helper()
	on := func(item string) bool {
		for _, row := range tm.screen.Snapshot().Lines {
			text := vterm.LineText(row)
			if at := strings.Index(text, item); at >= 0 && at == strings.LastIndex(text, item) && !strings.Contains(text, "$ ") {
				return row[len([]rune(text[:at]))].Style.BG != row[len([]rune(text[:at]))-8].Style.BG
			}
		}
		return false
	}
	tm.until("the bar is on "+first, func(string) bool { return on(first) })
	eventually(tm.t, "the bar moves to "+want, func() bool {
		if on(want) {
			return true
		}
		before := tm.text()
		tm.press("down")
		tm.moment(func() bool { return tm.text() != before || on(want) })
		return on(want)
	})
}

// back waits until the conversation is in front again.
func (tm *term) back() {
	tm.t.Helper()
	tm.until("the conversation is in front again", func(s string) bool {
		return !strings.Contains(s, "running ─") && strings.Contains(s, "› ")
	})
}

// moment waits a little for something that need not come.
func (tm *term) moment(ok func() bool) {
	limit := time.NewTimer(300 * time.Millisecond)
	defer limit.Stop()
	for !ok() {
		tm.mu.Lock()
		changed := tm.changed
		tm.mu.Unlock()
		select {
		case <-changed:
		case <-limit.C:
			return
		}
	}
}

// stop presses the key that the footer names. The footer is the last row of a
// picture to change, so what it says may be too old by one.
func (tm *term) stop() {
	tm.t.Helper()
	eventually(tm.t, "the program ends", func() bool {
		switch s := tm.text(); {
		case strings.Contains(s, "ctrl+] k stop"):
			tm.press("ctrl+]")
			led := func() bool { return strings.Contains(tm.text(), "esc send") }
			if tm.moment(led); led() {
				tm.press("k")
			}
		case strings.Contains(s, "esc stop"):
			tm.press("esc")
		}
		tm.moment(func() bool { return !strings.Contains(tm.text(), "running ─") })
		return !strings.Contains(tm.text(), "running ─")
	})
	tm.back()
}

// below lists the processes below one by their names.
func below(root int) map[string]int {
	type process struct {
		parent int
		name   string
	}
	all := map[int]process{}
	dirs, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, d := range dirs {
		raw, err := os.ReadFile(d)
		if err != nil {
			continue
		}
		text := string(raw)
		open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
		pid, _ := strconv.Atoi(strings.TrimSpace(text[:open]))
		fields := strings.Fields(text[end+1:])
		parent, _ := strconv.Atoi(fields[1])
		if fields[0] != "Z" {
			all[pid] = process{parent, text[open+1 : end]}
		}
	}
	names := map[string]int{}
	for _, p := range all {
		for at := p.parent; at > 1; at = all[at].parent {
			if at == root {
				names[p.name]++
				break
			}
		}
	}
	return names
}

func (h *home) shell(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = h.project, h.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func (h *home) repository(t *testing.T) {
	t.Helper()
	h.write(t, ".gitconfig", "[user]\nname = Tester\nemail = tester@example.com\n[init]\ndefaultBranch = main\n[core]\neditor = nano\n")
	h.shell(t, "git", "init", "-q")
	h.write(t, "project/a.txt", "one\n")
	h.shell(t, "git", "add", ".")
	h.shell(t, "git", "commit", "-qm", "First")
}

func TestVim(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 100, 30)
	tm.line("!vim -u NONE v.txt")
	tm.opened("esc for the program")
	tm.press("i")
	tm.send("hello")
	tm.see("hello")
	tm.press("esc")
	tm.send(":wq")
	tm.see(":wq")
	tm.press("enter")
	tm.back()
	if got, _ := os.ReadFile(filepath.Join(h.project, "v.txt")); string(got) != "hello\n" {
		t.Errorf("the file holds %q", got)
	}
	tm.see("whole screen, of which nothing stays, and ended with exit code 0")
	if strings.Contains(tm.text(), "cancelled") {
		t.Errorf("what stays:\n%s", tm.show())
	}
	tm.line("!echo next-$((1+1))")
	tm.see("next-2")
}

func TestLessSearchesAndFollowsTheSize(t *testing.T) {
	h := newHome(t)
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "row %d\n", i)
	}
	h.write(t, "project/long.txt", text.String())
	tm := h.start(t, 100, 30)
	tm.line("!less long.txt")
	tm.opened("row 0")
	tm.send("/row 400")
	tm.see("/row 400")
	tm.press("enter")
	tm.see("row 400")
	for _, size := range [][2]int{{60, 20}, {90, 35}} {
		tm.resize(size[0], size[1])
		rows := size[1]*4/5 - 2
		tm.until(fmt.Sprintf("%d rows of text at %v", rows-1, size), func(s string) bool {
			lines := strings.Split(s, "\n")
			shown := 0
			for i, l := range lines {
				if strings.HasPrefix(l, "row ") && i > len(lines)-rows-3 {
					shown++
				}
			}
			return len(lines) == size[1] && shown == rows-1
		})
	}
	tm.press("q")
	tm.back()
}

func TestNanoAndGitCommit(t *testing.T) {
	h := newHome(t)
	h.repository(t)
	h.write(t, "project/a.txt", "two\n")
	tm := h.start(t, 100, 30)
	tm.line("!git commit -a")
	tm.opened("GNU nano")
	tm.send("Second thoughts")
	tm.see("Second thoughts")
	tm.press("ctrl+o")
	tm.see("File Name to Write")
	tm.press("enter")
	tm.see("Wrote")
	tm.press("ctrl+x")
	tm.back()
	tm.see("1 file changed")
	if log := h.shell(t, "git", "log", "--format=%s"); log != "Second thoughts\nFirst\n" {
		t.Errorf("%q", log)
	}
}

func TestGitAddInParts(t *testing.T) {
	h := newHome(t)
	h.repository(t)
	h.write(t, "project/a.txt", "one\ntwo\n")
	tm := h.start(t, 100, 30)
	tm.line("!git add -p")
	tm.opened("Stage this hunk")
	tm.send("y\r")
	tm.back()
	if staged := h.shell(t, "git", "diff", "--cached", "--name-only"); staged != "a.txt\n" {
		t.Errorf("%q", staged)
	}
}

func TestAPythonPromptStaysAsText(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 100, 30)
	tm.line("!python3 -q")
	tm.opened(">>>")
	tm.send("print(6 * 7)\r")
	tm.see("42")
	tm.press("ctrl+d")
	tm.back()
	tm.see(">>> print(6 * 7)\n42")
}

func TestFzfAndMenus(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 100, 30)
	tm.line("!printf '%s\\n' apple banana cherry | fzf > picked; echo got=$(cat picked)")
	tm.opened("3/3")
	tm.send("ban")
	tm.see("1/3")
	tm.press("enter")
	tm.back()
	tm.see("got=banana")

	for _, menu := range []string{"whiptail", "dialog"} {
		tm.line("!" + menu + " --menu Choose 12 40 4 a Alpha b Beta c Gamma 2>picked; echo; echo " + menu + "=$(cat picked)")
		tm.opened("Gamma")
		tm.choose("Alpha", "Gamma")
		tm.press("enter")
		tm.back()
		tm.see(menu + "=c")
	}
}

func TestMidnightCommander(t *testing.T) {
	h := newHome(t)
	h.write(t, "project/known.txt", "x")
	tm := h.start(t, 100, 40)
	tm.line("!mc --nosubshell")
	tm.opened("known.txt")
	tm.send("\x1b[21~") // F10
	tm.until("mc asks or ends", func(s string) bool {
		return strings.Contains(s, "Do you really want to quit") || !strings.Contains(s, "running ─")
	})
	if strings.Contains(tm.text(), "Do you really") {
		tm.press("enter")
	}
	tm.back()
}

func TestTmuxInside(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 100, 30)
	tm.line("!tmux -L inside -f /dev/null new sh")
	tm.opened("0:sh*")
	tm.send("echo in-$TMUX_PANE\r")
	tm.see("in-%0")
	tm.send("exit\r")
	tm.back()
}

func TestAPasswordIsSeenByNobody(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 100, 30)
	tm.line(`!read -rs -p '[sudo] password: ' p; echo; echo "length ${#p}"`)
	tm.opened("[sudo] password:")
	tm.see("neither shown nor stored")
	tm.send("hunter2-secret\r")
	tm.back()
	tm.see("length 14")
	tm.press("ctrl+d")
	tm.wait()
	if strings.Contains(tm.written(), "hunter2") {
		t.Error("it was drawn")
	}
	err := filepath.WalkDir(h.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if data, _ := os.ReadFile(path); strings.Contains(string(data), "hunter2") {
			t.Errorf("it stands in %s", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestABubbleTeaProgramInside(t *testing.T) {
	h := newHome(t)
	program := filepath.Join(t.TempDir(), "bubbly")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/minimal").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	h.write(t, "config/config.yaml", "bash:\n  interactivePrograms: [bubbly]\n")
	tm := h.start(t, 100, 30)
	tm.line("!" + program)
	tm.opened("esc for the program")
	tm.send("x")
	tm.press("ctrl+]", "k")
	tm.see("(cancelled)")
	tm.back()
}

func TestTheModelStartsAProgramAndThePersonAnswers(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", `call bash {"command":"read -r -p 'Continue? [y/N] ' a; echo \"got=[$a]\"","pty":true}`),
		anthropic("end_turn", "text You said yes."))
	h.model(s)
	tm := h.start(t, 100, 30, "--permission", "all")
	tm.line("ask me")
	tm.opened("\nContinue? [y/N]")
	if !strings.Contains(tm.text(), "started by the model") {
		t.Errorf("who started it?\n%s", tm.show())
	}
	tm.send("y\r")
	tm.see("You said yes.")
	if body := s.body(1); !strings.Contains(body, `Continue? [y/N] y\ngot=[y]`) || strings.Contains(body, `\u001b`) {
		t.Errorf("the model got: %s", body)
	}
}

func TestWithoutTerminalsNothingOpens(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", `call bash {"command":"tty || true","pty":true}`),
		anthropic("end_turn", "text Done."))
	h.model(s)
	h.env = append(h.env, "AGENT_NO_PTY=1")
	tm := h.start(t, 100, 30, "--permission", "all")
	tm.line("go")
	tm.see("Done.")
	if body := s.body(1); !strings.Contains(body, "not a tty") || !strings.Contains(body, "A terminal was asked for") {
		t.Errorf("%s", body)
	}
}

func TestTheKeyInTheFooterLeavesNoProcess(t *testing.T) {
	h := newHome(t)
	h.write(t, "project/f.txt", strings.Repeat("line\n", 300))
	tm := h.start(t, 100, 30)
	for _, p := range []struct{ line, see string }{
		{"vim -u NONE f.txt", "line"},
		{"less f.txt", "line"},
		{"htop", "Mem"},
		{"top", "load average"},
		{"nano f.txt", "GNU nano"},
		{"python3 -q", ">>>"},
		{"mc --nosubshell", "f.txt"},
		{"tmux -L gone -f /dev/null new sh", "0:sh*"},
		{"whiptail --msgbox Hello 8 30", "Hello"},
		{"bash --norc --noprofile", "bash-"},
	} {
		tm.line("!" + p.line)
		tm.opened(p.see)
		tm.stop()
		name, _, _ := strings.Cut(p.line, " ")
		eventually(t, name+" is gone", func() bool {
			left := below(tm.cmd.Process.Pid)
			if name == "bash" {
				return left[name] <= 1 // the shell that waits for the next command
			}
			return left[name] == 0 && left["tmux: server"] == 0 && left["sh"] == 0
		})
	}
	tm.press("ctrl+d")
	if code := tm.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestTheAgentsDeathEndsWhatIsInFront(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 100, 30)
	tm.line("!echo $BASHPID > pids; exec vim -u NONE x")
	tm.opened("esc for the program")
	pids := h.pids(t, "pids", 1)
	if err := tm.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	tm.wait()
	allGone(t, pids)
}
