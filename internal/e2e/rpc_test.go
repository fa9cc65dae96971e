package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// rpc is the program with another one at its pipes.
type rpc struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader

	pipe io.Closer // behind out
}

func (h *home) rpc(t *testing.T, args ...string) *rpc {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"--mode", "rpc"}, args...)...)
	cmd.Dir, cmd.Env = h.project, h.env
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := &rpc{t: t, cmd: cmd, in: in, out: bufio.NewReader(out), pipe: out}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // waited for already, mostly
	})
	return r
}

func (r *rpc) send(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rpc) until(ok func(o map[string]any) bool) map[string]any {
	r.t.Helper()
	for {
		line, err := r.out.ReadBytes('\n')
		if err != nil {
			r.t.Fatal(err)
		}
		var o map[string]any
		if err := json.Unmarshal(line, &o); err != nil {
			r.t.Fatalf("%q: %v", line, err)
		}
		if ok(o) {
			return o
		}
	}
}

func isA(kind string) func(map[string]any) bool {
	return func(o map[string]any) bool { return o["type"] == kind }
}

func TestAnotherProgramDrivesTheAgent(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", `call bash {"command":"touch x; echo from-the-tool"}`),
		anthropic("end_turn", "text It said so."))
	h.model(s)
	r := h.rpc(t)
	r.until(isA("ready"))
	r.send(`{"type":"bash","command":"` + strings.ReplaceAll(tree, `"`, `\"`) + `","id":"tree"}`)
	r.until(isA("bash_start"))
	pids := h.pids(t, "pids", 4)
	r.send(`{"type":"prompt","message":"go"}`)
	q := r.until(isA("permission"))
	r.send(`{"type":"answer_permission","permissionId":"` + q["id"].(string) + `","decision":"once"}`)
	end := r.until(isA("tool_execution_end"))
	if raw, _ := json.Marshal(end); !strings.Contains(string(raw), "from-the-tool") {
		t.Errorf("%s", raw)
	}
	r.until(isA("agent_end"))
	r.send(`{"type":"abort_bash"}`)
	run := r.until(func(o map[string]any) bool { return o["id"] == "tree" })
	if data := run["data"].(map[string]any); data["cancelled"] != true || !strings.Contains(data["output"].(string), "started") {
		t.Errorf("%v", data)
	}
	allGone(t, pids)
	r.send(`{"type":"bash","command":"echo $$; kill -9 $$","id":"killed"}`)
	killed := r.until(func(o map[string]any) bool { return o["id"] == "killed" })
	if data := killed["data"].(map[string]any); data["signal"] != "SIGKILL" {
		t.Errorf("%v", data)
	}
	_ = r.in.Close()
	if err := r.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestAClientThatDiesTakesItsCommandsAlong(t *testing.T) {
	h := newHome(t)
	r := h.rpc(t)
	r.until(isA("ready"))
	r.send(`{"type":"bash","command":"` + strings.ReplaceAll(tree, `"`, `\"`) + `"}`)
	pids := h.pids(t, "pids", 4)
	_ = r.in.Close()
	_ = r.pipe.Close()
	allGone(t, pids)
	_ = r.cmd.Wait() // quietly, whatever it says
}

func TestASignalEndsAServedAgent(t *testing.T) {
	h := newHome(t)
	r := h.rpc(t)
	r.until(isA("ready"))
	r.send(`{"type":"bash","command":"` + strings.ReplaceAll(tree, `"`, `\"`) + `"}`)
	pids := h.pids(t, "pids", 4)
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	r.until(isA("bash_end"))
	_ = r.cmd.Wait()
	if code := r.cmd.ProcessState.ExitCode(); code != 143 {
		t.Errorf("exit code %d", code)
	}
	allGone(t, pids)
}

func TestTheExamplesOfClientsWork(t *testing.T) {
	goClient := filepath.Join(t.TempDir(), "rpc-go")
	if out, err := exec.Command("go", "build", "-o", goClient, "../../examples/rpc-go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	python, err := filepath.Abs("../../examples/rpc-python/agent_client.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, client := range [][]string{{goClient}, {"python3", python}} {
		s := serve(t, anthropic("end_turn", "text Hello, program."))
		here := newHome(t)
		here.model(s)
		here.env = append(here.env, "AGENT="+binary)
		cmd := exec.Command(client[0], append(client[1:], "hello")...)
		cmd.Dir, cmd.Env = here.project, here.env
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Hello, program.") {
			t.Errorf("%v: %v\n%s", client, err, out)
		}
	}
}
