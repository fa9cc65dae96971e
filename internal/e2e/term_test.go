package e2e

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// patience bounds every wait. It is generous because it only runs out when
// something is broken.
const patience = 20 * time.Second

// binary is the program under test, built once by TestMain.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "agent-e2e")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer func() { _ = os.RemoveAll(dir) }()
		binary = filepath.Join(dir, "agent")
		build := exec.Command("go", "build", "-o", binary, "../../cmd/agent")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make build does
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// A home is a user's world on disk: every run of the program inside it sees
// the same settings, sessions and project.
type home struct {
	dir     string // $HOME
	project string
	env     []string
}

func newHome(tb testing.TB) *home {
	tb.Helper()
	dir := tb.TempDir()
	h := &home{dir: dir, project: filepath.Join(dir, "project")}
	if err := os.MkdirAll(h.project, 0o700); err != nil {
		tb.Fatal(err)
	}
	h.env = []string{
		"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "SHELL=/bin/bash", "LANG=C.UTF-8", "USER=tester",
		"TERM=xterm-256color", "COLORTERM=truecolor", "TMPDIR=" + tb.TempDir(),
		"AGENT_CONFIG_DIR=" + filepath.Join(dir, "config"), "AGENT_DATA_DIR=" + filepath.Join(dir, "data"),
		"AGENT_STATE_DIR=" + filepath.Join(dir, "state"),
	}
	return h
}

// write puts a file below the home directory.
func (h *home) write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(h.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// A term is the program running in a terminal that the test reads and types.
type term struct {
	t      testing.TB
	cmd    *exec.Cmd
	tty    *os.File
	screen *vterm.Screen
	done   chan struct{} // closed when the program has ended and all was read
	err    error         // how it ended, valid after done

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever the screen changes
	raw     []byte        // all that the program wrote
}

// start runs the program with a terminal of the given size.
func (h *home) start(tb testing.TB, cols, rows int, args ...string) *term {
	tb.Helper()
	return h.startProgram(tb, binary, cols, rows, args...)
}

func (h *home) startProgram(tb testing.TB, program string, cols, rows int, args ...string) *term {
	tb.Helper()
	tm := &term{t: tb, done: make(chan struct{}), changed: make(chan struct{})}
	replies := make(chan []byte, 1024)
	tm.screen = vterm.New(cols, rows, vterm.Options{Reply: func(b []byte) {
		select {
		case replies <- b:
		default:
		}
	}})
	tm.cmd = exec.Command(program, args...)
	tm.cmd.Dir, tm.cmd.Env = h.project, h.env
	tty, err := pty.StartWithSize(tm.cmd, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)})
	if err != nil {
		tb.Fatal(err)
	}
	tm.tty = tty
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for {
			select {
			case b := <-replies:
				_, _ = tty.Write(b)
			case <-ctx.Done():
				return
			}
		}
	}()
	go tm.read()
	tb.Cleanup(func() {
		cancel()
		_ = tm.cmd.Process.Kill()
		<-tm.done
		_ = tty.Close()
	})
	return tm
}

func (tm *term) read() {
	defer close(tm.done)
	buf := make([]byte, 64<<10)
	for {
		n, err := tm.tty.Read(buf)
		if n > 0 {
			_, _ = tm.screen.Write(buf[:n])
			tm.mu.Lock()
			tm.raw = append(tm.raw, buf[:n]...)
			close(tm.changed)
			tm.changed = make(chan struct{})
			tm.mu.Unlock()
		}
		if err != nil {
			break
		}
	}
	tm.err = tm.cmd.Wait()
}

// keys names what a terminal sends for a key.
var keys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F", "backspace": "\x7f", "alt+enter": "\x1b\r",
	"alt+up": "\x1b[1;3A", "shift+tab": "\x1b[Z",
}

// press sends keys by name: "enter", "ctrl+c", "alt+x", or a single character.
func (tm *term) press(names ...string) {
	tm.t.Helper()
	for _, n := range names {
		s, ok := keys[n]
		switch {
		case ok:
		case strings.HasPrefix(n, "ctrl+") && len(n) == 6:
			s = string(n[5] & 0x1f)
		case strings.HasPrefix(n, "alt+") && len(n) == 5:
			s = "\x1b" + n[4:]
		default:
			s = n
		}
		tm.send(s)
	}
}

// line types a text and sends it.
func (tm *term) line(text string) {
	tm.t.Helper()
	tm.send(text)
	tm.until("the editor shows what was typed", func(s string) bool { return strings.Contains(s, tail(text)) })
	tm.press("enter")
}

func tail(s string) string {
	if r := []rune(s); len(r) > 12 {
		return string(r[len(r)-12:])
	}
	return s
}

func (tm *term) send(s string) {
	tm.t.Helper()
	if _, err := io.WriteString(tm.tty, s); err != nil {
		tm.t.Fatalf("type %q: %v\n%s", s, err, tm.show())
	}
}

// resize changes the terminal's size.
func (tm *term) resize(cols, rows int) {
	tm.t.Helper()
	tm.screen.Resize(cols, rows)
	if err := pty.Setsize(tm.tty, &pty.Winsize{Cols: uint16(cols), Rows: uint16(rows)}); err != nil {
		tm.t.Fatal(err)
	}
}

// text is the screen as it is.
func (tm *term) text() string { return strings.Join(tm.screen.Snapshot().Text(), "\n") }

// written is all that the program wrote so far.
func (tm *term) written() string {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return string(tm.raw)
}

func (tm *term) show() string {
	s := tm.screen.Snapshot()
	bar := strings.Repeat("-", s.Cols)
	return bar + "\n" + strings.Join(s.Text(), "\n") + "\n" + bar
}

// until waits for a state of the screen and prints the screen if it never
// comes.
func (tm *term) until(what string, ok func(screen string) bool) {
	tm.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		tm.mu.Lock()
		changed := tm.changed
		tm.mu.Unlock()
		if ok(tm.text()) {
			return
		}
		select {
		case <-changed:
		case <-tm.done:
			if ok(tm.text()) {
				return
			}
			tm.t.Fatalf("the program ended (%v) before: %s\n%s", tm.err, what, tm.show())
		case <-deadline.C:
			tm.t.Fatalf("never saw: %s\n%s", what, tm.show())
		}
	}
}

// see waits until the screen holds a text.
func (tm *term) see(text string) {
	tm.t.Helper()
	tm.until(fmt.Sprintf("%q", text), func(s string) bool { return strings.Contains(s, text) })
}

// wait waits for the end of the program and returns its exit code.
func (tm *term) wait() int {
	tm.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	select {
	case <-tm.done:
		return tm.cmd.ProcessState.ExitCode()
	case <-deadline.C:
		tm.t.Fatalf("the program does not end\n%s", tm.show())
		return -1
	}
}

// eventually waits for a state outside of the screen, such as a process that
// has to go.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	tick, deadline := time.NewTicker(5*time.Millisecond), time.NewTimer(patience)
	defer tick.Stop()
	defer deadline.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline.C:
			tb.Fatalf("never: %s", what)
		}
	}
}

// alive says whether a process with this pid exists and is no zombie.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	after := string(stat[strings.LastIndexByte(string(stat), ')')+1:])
	return !strings.HasPrefix(strings.TrimSpace(after), "Z")
}
