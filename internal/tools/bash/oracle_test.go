package bash

import (
	"bytes"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/exec"
)

// The lines of the oracle are every beginning with every end.
var (
	beginnings = []string{
		"seq 20", `printf 'a\nb\nc'`, `printf 'a\n\n\nb\n'`, "echo hi; seq 5", "false || seq 9", "true && seq 9", "(seq 9)", "{ seq 9; }", "seq 9 | sort -r",
		"seq 9 | head -5", "seq 9 | tail -n 4", "seq 9 | head -5 | tail -3", "echo '| head -1'", `echo "| tail -n 1"`, "echo $(seq 9 | head -2)", "echo `seq 9 | tail -1`",
		"seq 9 2>&1", "seq 9 2>/dev/null", "if true; then seq 9; fi", "for i in 1 2 3 4 5; do echo $i; done", "while read x; do echo $x; done < f", "X=1 seq 5",
		"! seq 3", "seq 9 |& cat", "cat <<EOF\n1\n2\n3\nEOF\ntrue", "seq 3\nseq 4", "# comment\nseq 6", "seq 5 # comment", "cat f", "cat < f", "seq 4 >g; cat g",
		"true", "exit 3", "f() { seq 8; }; f", "case x in x) seq 7;; esac", "[[ a == a ]] && seq 6", "echo a |\ncat", "seq 1000", "echo \\| head -2", "cd sub && seq 5", "cat <<< $'x\\ny\\nz'",
	}
	ends = []string{
		"", " | head -n 3", "| head -3", " | tail -n 2", "|tail -2", " | head -n3", " | tail -n2", " | head -c 5", " | tail -c 3", " | tail -n +3", " | head -n -2", " | head -5 f", " |& tail -2",
		" | head", " | tail", " | tail -n 0", " | head -0", " | head -q -n 2", " | head --lines=2", " | head -n 2 >out; cat out", " | head -n 2 | tail -1", " | tail -n 3 | head -n 1", " | head -n 2; true",
		" | head -n 2 && echo end", " | cat | head -n 2", " | head -n '2'", " | head -n $((1+1))", " | head -n 2 2>/dev/null", " | tail -n 2 < f", " | FOO=1 head -n 2", " | command head -n 2", " | /usr/bin/head -n 2",
		"\n| head -n 2", " | head -n 2 # comment", " | (head -n 2)", " | tail -2 -q", " | tail -n2 -n3", " | head -n 00002",
	}
)

// stdout runs a line in plain bash.
func stdout(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := osexec.Command("/bin/bash", "-c", command)
	var b bytes.Buffer
	cmd.Dir, cmd.Stdout = dir, &b
	_ = cmd.Run() // its status is compared by nobody here
	return b.String()
}

// limited is what the limits leave of an output.
func limited(out string, head, tail *int) string {
	lines := strings.SplitAfter(out, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if head != nil {
		lines = lines[:min(*head, len(lines))]
	}
	if tail != nil {
		lines = lines[max(0, len(lines)-*tail):]
	}
	return strings.Join(lines, "")
}

// TestNormalisedLinesPrintTheSame holds what normalising makes of a line against
// bash: the command without its limit, and the limit applied to what it prints,
// give what the whole line prints. ORACLE=all takes all 1,500 lines, else it is
// every fifth.
func TestNormalisedLinesPrintTheSame(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "f"), []byte("one\ntwo\nthree\nfour\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := exec.New(exec.Options{})
	tool := New(Options{Exec: x, Shell: x.Shell(exec.Key{Path: "/bin/bash"}, dir), Home: "/home/me"})
	all := os.Getenv("ORACLE") == "all"
	lines, rewritten := 0, 0
	for i, b := range beginnings {
		for j, e := range ends {
			if !all && (i+j)%5 != 0 {
				continue
			}
			line := b + e
			c, err := tool.understand(callOf(command(line)))
			if err != nil {
				t.Errorf("%q: %v", line, err)
				continue
			}
			lines++
			if c.command == strings.TrimSpace(line) && c.head == nil && c.tail == nil && c.dir == "" {
				continue // untouched
			}
			rewritten++
			at := dir
			if c.dir != "" {
				at = c.dir
			}
			if want, got := stdout(t, dir, line), limited(stdout(t, at, c.command), c.head, c.tail); got != want {
				t.Errorf("%q prints %q; as %q with %v it prints %q", line, want, c.command, limits(c), got)
			}
		}
	}
	if lines < 300 || rewritten < lines/20 {
		t.Errorf("%d lines, %d rewritten", lines, rewritten)
	}
}

func limits(c *call) (l [2]int) {
	l = [2]int{-1, -1}
	if c.head != nil {
		l[0] = *c.head
	}
	if c.tail != nil {
		l[1] = *c.tail
	}
	return l
}

func TestWhatIsNoLimitStaysUntouched(t *testing.T) {
	x := exec.New(exec.Options{})
	tool := New(Options{Exec: x, Shell: x.Shell(exec.Key{Path: "/bin/bash"}, "/"), Home: "/home/me"})
	for _, line := range []string{
		"false || head -5", "make; ls | head -5", "x | head -c 10", "x | tail -n +5", "x | tail -f", "x | head -5 file", "x |& tail -5", "echo 'a | head -5'",
		"(x | head -5)", "$(x | head -5)", "x <<EOF | head -5\na\nEOF", "x | head -5 &", "x && y | head -5", "if a; then b | head -5; fi", "x | head -5 > f", "x | head -n $N",
		"x | head -5; y", "! x | head -5", "time x | head -5", "x | head -n 99999999999999999999", "x | head --bytes=3", "echo 'x", "x | tail -5F", "x | tail --follow -n 5",
	} {
		c, err := tool.understand(callOf(command(line)))
		if err != nil || c.command != line || c.head != nil || c.tail != nil {
			t.Errorf("%q: %+v, %v", line, c, err)
		}
	}
}
