package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// model makes every run of the program talk to a server of the test.
func (h *home) model(s *modelServer) {
	h.env = append(h.env, "ANTHROPIC_API_KEY=key-for-tests", "ANTHROPIC_BASE_URL="+s.URL)
}

// pids reads the numbers that commands of a test wrote to a file of the project.
func (h *home) pids(t *testing.T, file string, n int) []int {
	t.Helper()
	var pids []int
	eventually(t, fmt.Sprintf("%d pids in %s", n, file), func() bool {
		data, _ := os.ReadFile(filepath.Join(h.project, file))
		pids = pids[:0]
		for _, f := range strings.Fields(string(data)) {
			if pid, err := strconv.Atoi(f); err == nil {
				pids = append(pids, pid)
			}
		}
		return len(pids) == n
	})
	return pids
}

func allGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		eventually(t, fmt.Sprintf("process %d ends", pid), func() bool { return !alive(pid) })
	}
}

// tree is a command whose processes hide in every way there is: in the
// background, in a session of their own, ignoring signals.
const tree = `sleep 1000 & echo $! >>pids; setsid sleep 1000 & echo $! >>pids; (trap "" TERM INT HUP; echo $BASHPID >>pids; while :; do sleep 1000; done) & nohup sleep 1000 >/dev/null 2>&1 & echo $! >>pids; echo started; wait`

func TestOpensAtOnceWithTheDemo(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 120, 40)
	tm.send("typed before the first picture")
	tm.see("typed before the first picture")
	tm.see("ANTHROPIC_API_KEY")
	tm.press("enter")
	tm.until("the demo answers", func(s string) bool { return strings.Count(s, "demo") > 1 })
}

func TestEscStopsACommandAndItsWholeTree(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 120, 40)
	tm.line("!" + tree)
	tm.see("started")
	pids := h.pids(t, "pids", 4)
	tm.press("esc")
	tm.see("(cancelled)")
	allGone(t, pids)
	tm.line("!echo still-$((40+2))")
	tm.see("still-42")
}

func TestEscStopsTheModelsCommandAndTheNextPromptWorks(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", "text I start it.", `call bash {"command":`+strconv.Quote(tree)+`}`),
		anthropic("end_turn", "text I see that you stopped it."),
		anthropic("end_turn", "text Second answer."))
	h.model(s)
	tm := h.start(t, 120, 40, "--permission", "all")
	tm.line("start the server")
	tm.see("started")
	pids := h.pids(t, "pids", 4)
	tm.press("esc")
	allGone(t, pids)
	tm.see("Command aborted")
	tm.line("and now?")
	eventually(t, "a request with both", func() bool {
		last := s.body(len(s.all()) - 1)
		return strings.Contains(last, "Command aborted") && strings.Contains(last, "and now?")
	})
	tm.until("an answer", func(s string) bool {
		return strings.Contains(s, "Second answer.") || strings.Contains(s, "you stopped it")
	})
}

func TestBangsGoToTheModelAndPrivateOnesDoNot(t *testing.T) {
	h := newHome(t)
	s := serve(t, anthropic("end_turn", "text Noted."))
	h.model(s)
	tm := h.start(t, 120, 40)
	tm.line("!echo public-$((20+3)); exit 3")
	tm.see("public-23")
	tm.see("(exit 3)")
	tm.line("!!echo private-$((20+4))")
	tm.see("private-24")
	tm.line("what did I run?")
	tm.see("Noted.")
	body := s.body(0)
	if !strings.Contains(body, "public-23") || !strings.Contains(body, "3") || strings.Contains(body, "private-24") {
		t.Errorf("request: %s", body)
	}
}

func TestABangRunsWhileTheModelIsBusy(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", `call bash {"command":"echo waiting; until [ -e go ]; do sleep 0.02; done; echo released"}`),
		anthropic("end_turn", "text All done."))
	h.model(s)
	tm := h.start(t, 120, 40, "--permission", "all")
	tm.line("wait for the file")
	tm.see("waiting")
	tm.line("!echo made-$((1+1))")
	tm.see("made-2")
	tm.line("!touch go")
	tm.see("All done.")
	if body := s.body(1); strings.Index(body, "tool_result") > strings.Index(body, "made-2") || !strings.Contains(body, "made-2") {
		t.Errorf("the command does not stand after the result: %s", body)
	}
}

func TestLongOutputIsCollapsedExpandedAndReadAgain(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", `call bash {"command":"seq 1 30000"}`),
		anthropic("tool_use", `call read {"path":"artifact://1","offset":12345,"limit":2}`),
		anthropic("end_turn", "text Line 12345 says so."))
	h.model(s)
	tm := h.start(t, 100, 60, "--permission", "all")
	tm.line("count")
	tm.see("Line 12345 says so.")
	tm.until("ten lines and no more", func(s string) bool {
		return strings.Contains(s, "30000") && strings.Contains(s, "29991") && !strings.Contains(s, "│ 29990") && strings.Contains(s, "earlier lines")
	})
	tm.press("ctrl+o")
	tm.see("29985")
	if body := s.body(2); !strings.Contains(body, `\t12345`) || !strings.Contains(body, `\t12346`) || strings.Contains(body, `\t12347`) {
		t.Errorf("the model did not get the two lines: %.300s", body)
	}
	if body := s.body(1); !strings.Contains(body, "artifact://1") {
		t.Errorf("the model was not told of the artifact")
	}
}

func TestQuitAndContinueShowsEverything(t *testing.T) {
	h := newHome(t)
	s := serve(t, anthropic("end_turn", "text The first answer."), anthropic("end_turn", "text The second answer."))
	h.model(s)
	tm := h.start(t, 120, 40)
	tm.line("a question to keep")
	tm.see("The first answer.")
	tm.line("!echo kept-$((3*3))")
	tm.see("kept-9")
	tm.press("ctrl+d")
	if code := tm.wait(); code != 0 {
		t.Fatalf("exit %d", code)
	}
	if !strings.Contains(tm.written(), "\x1b[?1049l") {
		t.Error("the terminal was left on the alternate screen")
	}
	tm = h.start(t, 120, 40, "-c")
	for _, text := range []string{"a question to keep", "The first answer.", "kept-9"} {
		tm.see(text)
	}
	tm.line("go on")
	tm.see("The second answer.")
	if body := s.body(1); !strings.Contains(body, "a question to keep") || !strings.Contains(body, "kept-9") {
		t.Errorf("the history is incomplete: %s", body)
	}
}

func TestNothingIsLostOrLeftWhenTheAgentIsKilled(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 120, 40)
	tm.line("!" + tree)
	tm.see("started")
	pids := h.pids(t, "pids", 4)
	if err := tm.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	tm.wait()
	allGone(t, pids)
	tm = h.start(t, 120, 40, "-c")
	tm.see("echo started; wait")
	tm.line("!echo alive-$((5+5))")
	tm.see("alive-10")
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			h := newHome(t)
			tm := h.start(t, 80, 24)
			tm.line("!echo up-$((1+1)); sleep 1000 & echo $! >>pids; wait")
			tm.see("up-2")
			pids := h.pids(t, "pids", 1)
			if err := tm.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if code := tm.wait(); code != 128+int(sig) {
				t.Errorf("exit %d", code)
			}
			allGone(t, pids)
			for _, off := range []string{"\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l"} {
				if !strings.Contains(tm.written(), off) {
					t.Errorf("never wrote %q", off)
				}
			}
		})
	}
}

func TestAQuestionShowsTheWholeCommandAndNoMeansNo(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", `call bash {"command":"touch made-by-the-model; echo after-the-touch"}`),
		anthropic("end_turn", "text As you wish."))
	h.model(s)
	tm := h.start(t, 100, 30)
	tm.line("make a file")
	tm.see("touch made-by-the-model; echo after-the-touch")
	tm.press("esc")
	tm.until("the question to go", func(s string) bool { return !strings.Contains(strings.ToLower(s), "this session") })
	if _, err := os.Stat(filepath.Join(h.project, "made-by-the-model")); err == nil {
		t.Error("the command ran")
	}
}

func TestEverySizeOfTheTerminalHoldsTheEditor(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 120, 40)
	tm.line("!seq 1 50")
	tm.see("50")
	for _, size := range [][2]int{{20, 5}, {80, 24}, {1, 1}, {40, 3}, {200, 60}, {20, 5}} {
		tm.resize(size[0], size[1])
	}
	tm.send("xyz")
	tm.see("xyz")
	tm.resize(80, 24)
	tm.see("xyz")
}

func TestHostileOutputStaysInItsBlock(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 120, 24)
	tm.line(`!printf 'a\033[2J\033[?1049l\033]0;owned\007\033]52;c;aGk=\007\033[6n\033Pq\033\\b-end\n'`)
	tm.see("ab-end")
	for _, bad := range []string{"\x1b]52;c;aGk=", "owned"} {
		if strings.Contains(tm.written(), "\x1b]0;"+bad) || strings.Contains(tm.written(), "\x1b]52") {
			t.Errorf("a program reached the terminal")
		}
	}
	tm.line("!echo fine-$((2+2))")
	tm.see("fine-4")
}

func TestWhatIsAllowedForAlwaysAsksNoMore(t *testing.T) {
	h := newHome(t)
	touch := anthropic("tool_use", `call bash {"command":"touch made"}`)
	s := serve(t, touch, anthropic("end_turn", "text Made."), touch, anthropic("end_turn", "text Made again."))
	h.model(s)
	tm := h.start(t, 100, 30)
	tm.line("make a file")
	tm.see("from now on always Bash(touch made)")
	eventually(t, "the file", func() bool { // the question takes no answer at once
		tm.press("a")
		_, err := os.Stat(filepath.Join(h.project, "made"))
		return err == nil
	})
	tm.see("Made.")
	tm.press("ctrl+u") // what was pressed too often
	tm.see("Ask, or type")
	tm.press("ctrl+d")
	tm.wait()
	tm = h.start(t, 100, 30)
	tm.line("make it again")
	tm.see("Made again.")
}

func TestTheWholeOutputOpensFromItsBlock(t *testing.T) {
	h := newHome(t)
	tm := h.start(t, 100, 30)
	tm.line("!seq 1 100000")
	tm.see("artifact://1")
	tm.send("\x1b[1;2A") // Shift+Up
	tm.press("enter")
	tm.see("of 100000 ─")
	tm.send("/98765")
	tm.see("/98765")
	tm.press("enter")
	tm.until("the place of the hit", func(s string) bool { return strings.Contains(s, "\n98765\n") && !strings.Contains(s, "–100000 of") })
	tm.press("home")
	tm.until("the beginning", func(s string) bool { return strings.Contains(s, "\n1\n2\n3\n") })
	tm.press("q")
	tm.until("the conversation", func(s string) bool {
		return !strings.Contains(s, "of 100000 ─") && strings.Contains(s, "$ seq 1 100000")
	})
	tm.press("i") // leaves the block
	tm.line("/artifacts")
	tm.see("1 whole outputs")
	tm.press("enter")
	tm.see("of 100000 ─")
	tm.press("q")
}
