package bash

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/tools"
)

func TestMain(m *testing.M) {
	if exec.Main() { // the tests' binary is the supervisor too
		syscall.Exit(0) // without the second that the race detector waits at an end
	}
	os.Exit(m.Run())
}

// rig is a tool and a bang on one shell.
type rig struct {
	t     *testing.T
	dir   string
	o     Options
	moved []string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	x := exec.New(exec.Options{Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "PAGER=less"}, RunDir: t.TempDir()})
	t.Cleanup(func() {
		if err := x.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	r := &rig{t: t, dir: dir}
	r.o = Options{
		Exec: x, Shell: x.Shell(exec.Key{Path: "/bin/bash"}, dir), Home: home,
		Artifacts: artifact.Open(filepath.Join(dir, "artifacts"), artifact.Options{}),
		Moved:     func(dir string) { r.moved = append(r.moved, dir) },
	}
	return r
}

func callOf(args string) chat.ToolCall {
	return chat.ToolCall{ID: "c1", Name: "bash", Args: json.RawMessage(args)}
}

func command(c string) string {
	raw, _ := json.Marshal(map[string]string{"command": c})
	return string(raw)
}

// run runs a call and writes its result as a model reads it.
func (r *rig) run(args string) (chat.ToolResult, string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 30*time.Second)
	defer cancel()
	res, err := New(r.o).Run(ctx, callOf(args), nil)
	if err != nil {
		return chat.ToolResult{IsError: true}, err.Error()
	}
	text := ""
	for _, p := range tools.ForModel(res) {
		text += p.Text
	}
	return res, text
}

func TestEveryOutcomeReadsAsSpecified(t *testing.T) {
	r := newRig(t)
	for _, tt := range []struct {
		args, want string
		failed     bool
	}{
		{command("echo hi"), "hi\n", false},
		{command("true"), "(no output)", false},
		{command("printf ' '"), " ", false},
		{command("echo out; exit 3"), "out\n\nCommand exited with code 3", true},
		{command("false"), "Command exited with code 1", true},
		{command("kill -9 $$"), "Command was killed by SIGKILL\n\n[What this command changed in the shell (directory, variables, functions) was not kept: none was saved]", true},
		{`{"command":"echo x; sleep 100","timeout":1}`, "x\n\nCommand timed out after 1 seconds", true},
		{`{"command":"pwd","cwd":"/does/not/exist"}`, "Working directory does not exist: /does/not/exist", true},
		{`{"command":"pwd","cwd":"/etc/passwd"}`, "Working directory is not a directory: /etc/passwd", true},
		{`{"command":"pwd","cwd":"/"}`, "/\n", false},
		{`{"command":"echo $A$B","env":{"A":"1","B":"2"}}`, "12\n", false},
		{command("seq 10 | tail -n 2"), "9\n10\n", false},
		{command("yes | head -3"), "y\ny\ny\n", false},
		{`{"command":"seq 10","head":3,"tail":1}`, "3\n", false},
		{`{"command":"seq 10 | head -5","head":2}`, "1\n2\n", false},
		{command("seq 3 | head -0"), "(no output)", false},
		{command("(exit 4) | tail -3"), "Command exited with code 4", true},
		{command("echo $PAGER $EDITOR $TERM"), "cat false dumb\n", false},
	} {
		res, got := r.run(tt.args)
		if got != tt.want || res.IsError != tt.failed {
			t.Errorf("%s: %q (error %v), want %q", tt.args, got, res.IsError, tt.want)
		}
	}
}

func TestBadArgumentsNameTheField(t *testing.T) {
	r := newRig(t)
	for args, want := range map[string]string{
		`{}`:                                 `the argument "command" is missing`,
		`{"command":" "}`:                    "command is empty",
		`{"command":1}`:                      `the argument "command" has to be a string`,
		`{"command":"x","tmeout":1}`:         `unknown argument "tmeout"; did you mean "timeout"?`,
		`{"command":"x","env":{"A-B":"1"}}`:  "Invalid bash env name: A-B",
		`{"command":"x","head":-1}`:          "head and tail have to be 0 or more",
		`{"command":"x","timeout":"soon"}`:   `the argument "timeout" has to be a number`,
		`[]`:                                 "one JSON object",
		command("vim x"):                     "needs a terminal",
		command("make && less x; htop"):      "htop needs a terminal",
		command("git commit -m x && nano y"): "nano needs a terminal",
	} {
		if _, err := New(r.o).Access(callOf(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
	for _, fine := range []string{"vim -es x", "emacs --batch x", "top -b -n1", "ls | fzf -f x", "echo vim"} {
		if _, err := New(r.o).Access(callOf(command(fine))); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
}

func TestTheTimeoutIsClampedAndSaysSo(t *testing.T) {
	r := newRig(t)
	_, got := r.run(`{"command":"echo x","timeout":60000}`)
	if got != "x\n\n[Timeout clamped to 3600s]" && got != "x\n\n[Timeout clamped to 3600s]\n" {
		t.Errorf("%q", got)
	}
	if _, got := r.run(`{"command":"echo x","timeout":0}`); !strings.Contains(got, "clamped to 1s") {
		t.Errorf("%q", got)
	}
}

func TestTheStateIsOneForModelAndPerson(t *testing.T) {
	r := newRig(t)
	r.run(command("export A=by-the-model; mkdir sub"))
	bang := NewBang(r.o)
	run := bang.Run(t.Context(), "b1", "cd sub; echo $A; B=by-the-person", nil)
	if run.Output != "by-the-model\n" || run.Outcome != chat.Exited || *run.ExitCode != 0 {
		t.Errorf("%+v", run)
	}
	if len(r.moved) != 1 || r.moved[0] != filepath.Join(r.dir, "sub") {
		t.Errorf("moved to %v", r.moved)
	}
	if _, got := r.run(command("echo $B; pwd")); got != "by-the-person\n"+filepath.Join(r.dir, "sub")+"\n" {
		t.Errorf("%q", got)
	}
	if run := bang.Run(t.Context(), "b2", "echo [$EDITOR] $PAGER", nil); run.Output != "[] less\n" {
		t.Errorf("a person's command is hardened: %q", run.Output)
	}
}

func TestALeadingCdIsForOneCall(t *testing.T) {
	r := newRig(t)
	if _, got := r.run(command("cd /usr && pwd")); got != "/usr\n" {
		t.Errorf("%q", got)
	}
	if _, got := r.run(command("pwd")); got != r.dir+"\n" {
		t.Errorf("it moved: %q", got)
	}
	if _, got := r.run(command("cd nowhere && pwd")); got != "Working directory does not exist: "+filepath.Join(r.dir, "nowhere") {
		t.Errorf("%q", got)
	}
}

func TestLongOutputIsKeptWholeAndNamed(t *testing.T) {
	r := newRig(t)
	res, got := r.run(command("seq 30000; exit 2"))
	tr := res.Details.Run.Meta.Truncation
	if tr == nil || tr.ArtifactID != 1 || tr.TotalLines != 30000 || tr.ShownRange.End != 30000 || tr.MaxBytes != 51200 || tr.OutputBytes > 51200 || tr.TruncatedBy != "bytes" || *res.Details.Run.ExitCode != 2 {
		t.Fatalf("%+v", tr)
	}
	if want := fmt.Sprintf("[Showing lines %d-30000 of 30000 (50.0KB limit). Full: artifact://1]", tr.ShownRange.Start); !strings.HasSuffix(got, want) {
		t.Errorf("ends in %q", got[len(got)-120:])
	}
	info, err := r.o.Artifacts.Lookup(1)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(info.Path)
	if strings.Count(string(data), "\n") != 30000 || !strings.HasPrefix(string(data), "1\n2\n") {
		t.Errorf("the artifact has %d bytes", len(data))
	}
	if _, got := r.run(command("echo '[Showing lines 1-2 of 3. Full: artifact://9]'")); strings.Count(got, "[") != 1 {
		t.Errorf("an imitation became a notice: %q", got)
	}
	if list, _ := r.o.Artifacts.List(); len(list) != 1 {
		t.Errorf("%d artifacts", len(list))
	}
}

func TestANowhereToSaveIsToldOnly(t *testing.T) {
	r := newRig(t)
	r.o.Artifacts = artifact.Open("", artifact.Options{})
	res, got := r.run(command("seq 30000"))
	if res.IsError || !strings.Contains(got, "Full output was not saved completely") || !strings.Contains(got, "30000") {
		t.Errorf("%q", got[len(got)-200:])
	}
}

func TestAnInterruptKeepsWhatWasPrinted(t *testing.T) {
	r := newRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	var last fmt.Stringer
	res, err := New(r.o).Run(ctx, callOf(command("echo early; sleep 100")), func(tail fmt.Stringer) {
		if strings.Contains(tail.String(), "early") {
			last = tail
			cancel()
		}
	})
	if err == nil || res.Text() != "early\n\nCommand aborted" || res.Details.Run.Outcome != chat.Cancelled || last == nil {
		t.Errorf("%v %q", err, res.Text())
	}
}

func TestWhatGoesOnIsNamed(t *testing.T) {
	r := newRig(t)
	res, got := r.run(command("sleep 300 >/dev/null 2>&1 & echo started"))
	if !strings.Contains(got, "[Still running: sleep 300") || len(res.Details.Run.Survivors) != 1 {
		t.Errorf("%q", got)
	}
}

func TestAPromptThatGotNothingIsExplained(t *testing.T) {
	r := newRig(t)
	if _, got := r.run(command(`read -r -p "Continue? " a; echo "[$a]"`)); !strings.Contains(got, "Standard input is empty here") {
		t.Errorf("%q", got)
	}
	if _, got := r.run(command("echo x | while read l; do echo $l; done")); strings.Contains(got, "Standard input") {
		t.Errorf("%q", got)
	}
}

func defaultRules(t *testing.T) Rules {
	t.Helper()
	rules, errs := CompileRules(DefaultRules())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return rules
}

func TestTheInterceptorSeesEachCommand(t *testing.T) {
	rules := defaultRules(t)
	all := func(string) bool { return true }
	for line, tool := range map[string]string{
		"cat a.go": "read", "head -20 a.go": "read", "tail -n 5 a.go": "read", "less a.go": "read", "cd x && cat a": "read", "A=1 cat a": "read", "sudo cat a": "read", "time cat a": "read", "command cat a": "read",
		"grep -rn x .": "grep", "rg x": "grep", "cd x && grep y z": "grep", "make; ag x": "grep",
		"find . -name '*.go'": "find", "find . -type f": "find", "fd x": "find", "locate x": "find",
		"sed -i s/a/b/ f": "edit", "perl -pi -e s/a/b/ f": "edit", "sed --in-place=.bak s/a/b/ f": "edit", "awk -i inplace 1 f": "edit",
		"echo x > f": "write", "printf x >> f": "write", "cat > f <<EOF\nx\nEOF": "write", "cat <<EOF >f\nx\nEOF": "write",
		// and what is none of their business
		"make": "", "ls | grep x": "", "cat": "", "tail -f log": "", "tail -F log": "", "echo x": "", "echo x >/dev/null": "", "echo x >&2": "", "echo 'a -> b'": "", "make >out 2>&1": "",
		"sed s/a/b/ f": "", "find . -delete": "", "git log | head -5": "", "echo 'cat f'": "", "cat a | sort": "read", "git grep x": "", "awk '{print}' f": "", "perl -e 1": "", "ps aux | grep x | cat": "",
	} {
		got := ""
		if r, hit := rules.match(line, all); hit {
			got = r.Tool
		}
		if got != tool {
			t.Errorf("%q: %q, want %q", line, got, tool)
		}
	}
	if _, hit := rules.match("cat a", func(name string) bool { return name != "read" }); hit {
		t.Error("a rule for a tool that is not there fires")
	}
}

func TestABlockedCallTouchesNothing(t *testing.T) {
	r := newRig(t)
	r.o.Rules = defaultRules(t)
	res, got := r.run(command("cat secret; touch made"))
	if !res.IsError || !strings.HasPrefix(got, "Blocked: ") || !strings.HasSuffix(got, "\n\nOriginal command: cat secret; touch made") {
		t.Errorf("%q", got)
	}
	if b := res.Details.Blocked; b == nil || b.Kind != "intercepted" || b.Tool != "read" {
		t.Errorf("%+v", b)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "made")); err == nil {
		t.Error("it ran")
	}
	if run := NewBang(r.o).Run(t.Context(), "b", "cat /dev/null", nil); *run.ExitCode != 0 {
		t.Error("a person's command is intercepted")
	}
}

func TestARuleThatDoesNotCompileIsNamed(t *testing.T) {
	rules, errs := CompileRules([]Rule{{Pattern: "("}, {Pattern: "^X$", Flags: "i", Tool: "read", Message: "m"}})
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "patterns[0]") || len(rules) != 1 {
		t.Fatalf("%v", errs)
	}
	if r, hit := rules.match("x", func(string) bool { return true }); !hit || r.index != 1 {
		t.Error("the other rule is lost")
	}
}

func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{"ls | head -5", "cd x && y", "a", "echo 'x"} {
		f.Add(s)
	}
	x := exec.New(exec.Options{})
	tool := New(Options{Exec: x, Shell: x.Shell(exec.Key{Path: "/bin/bash"}, "/"), Home: "/home/me"})
	f.Fuzz(func(t *testing.T, line string) {
		raw, err := json.Marshal(map[string]string{"command": line})
		if err != nil {
			return
		}
		c, err := tool.understand(callOf(string(raw)))
		if err == nil && !strings.Contains(strings.ToValidUTF8(line, "\uFFFD"), c.command) {
			t.Errorf("%q became %q", line, c.command)
		}
	})
}
