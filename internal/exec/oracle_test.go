package exec

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/seed7484d81d/agent/internal/sanitize"
)

// different are the snippets that do not do what "bash -c" does, and why. They
// have to differ, or they do not belong here.
var different = map[string]string{
	"shopt -s extglob; f() { case $1 in @(a|b)) echo ab;; esac; } => f a": "the second run is there, although the first was no shell",
	"trap 'echo bye' EXIT; trap; exit 3 | cat":                            "the saving of the state stands in the trap",
}

// TestTheExecutorIsBash runs every snippet of a file in a plain bash and
// through the executor: output and status are the same, but that a syntax error
// is one of "eval" instead of "-c".
func TestTheExecutorIsBash(t *testing.T) {
	data, err := os.ReadFile("testdata/oracle.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := newRig(t, Options{NoSpare: true, DrainIdle: time.Second, DrainMax: 5 * time.Second}) // patient: late writers belong to the output
	root := t.TempDir()
	snippets, n := make(chan string), 0
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			i := 0
			for s := range snippets {
				i++
				oracle(r, s, filepath.Join(root, fmt.Sprintf("%d-%d", w, i)))
			}
		})
	}
	_, list, _ := strings.Cut(string(data), "two runs.\n")
	for l := range strings.Lines(list) {
		n++
		if raceDetector && n%4 != 0 {
			continue // all of them run without it
		}
		snippets <- strings.ReplaceAll(strings.TrimSuffix(l, "\n"), "⏎", "\n")
	}
	close(snippets)
	workers.Wait()
	if n < 300 {
		t.Errorf("only %d snippets", n)
	}
}

// oracle compares one snippet.
func oracle(r *rig, snippet, dir string) {
	first, then, two := strings.Cut(snippet, " => ")
	want, wantCode := plainBash(r, strings.Replace(snippet, " => ", "\n", 1), filepath.Join(dir, "d"))
	if err := os.RemoveAll(filepath.Join(dir, "d")); err != nil {
		r.t.Error(err)
	}
	mkdir(r.t, filepath.Join(dir, "d"))
	s := r.x.Shell(Key{Path: "/bin/bash", Session: dir}, filepath.Join(dir, "d"))
	res, got := r.do(r.t.Context(), Request{Shell: s, Command: first, Sink: NewSink(SinkOptions{MaxBytes: 1 << 20})})
	if two {
		var more string
		res, more = r.do(r.t.Context(), Request{Shell: s, Command: then})
		got += more
	}
	want = strings.ReplaceAll(want, "bash: -c: line", "bash: eval: line")
	same := got == want && res.Code == wantCode
	if reason, known := different[snippet]; known == same {
		r.t.Errorf("%q\nexecutor %d %.300q\nbash     %d %.300q\nknown difference: %q", snippet, res.Code, got, wantCode, want, reason)
	}
}

func mkdir(tb testing.TB, dir string) {
	tb.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		tb.Error(err)
	}
}

// plainBash runs a script as "bash -c" does, and counts signals as shells do.
func plainBash(r *rig, script, dir string) (output string, code int) {
	mkdir(r.t, dir)
	var out bytes.Buffer
	cmd := osexec.CommandContext(r.t.Context(), "bash", "--norc", "-c", script)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = append(r.x.env[:len(r.x.env):len(r.x.env)], "TERM=dumb"), dir, &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err := cmd.Run()
	var exit *osexec.ExitError
	switch {
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled(): //nolint:forcetypeassert // on unix it is one
		code = 128 + int(exit.Sys().(syscall.WaitStatus).Signal()) //nolint:forcetypeassert // on unix it is one
	case err != nil && exit == nil:
		r.t.Error(err)
	default:
		code = cmd.ProcessState.ExitCode()
	}
	return string(sanitize.Clean(out.Bytes())), code
}
