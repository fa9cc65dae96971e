package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/tools/bash"
)

func TestMain(m *testing.M) {
	if exec.Main() { // the tests' binary is the supervisor too
		syscall.Exit(0) // without the second that the race detector waits at an end
	}
	os.Exit(m.Run())
}

// front is a program that was put in front of the person.
type front struct {
	r      *rig
	t      *terminal
	result chan exec.Result
	screen chan bash.Screen
	cancel context.CancelFunc
}

// launch asks the console for a line and lets the app take it.
func (r *rig) launch(x *exec.Executor, line string, byModel bool) *front {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	f := &front{r: r, result: make(chan exec.Result, 1), screen: make(chan bash.Screen, 1), cancel: cancel}
	go func() {
		res, screen := r.a.o.Console.Show(ctx, bash.Interactive{Command: line, ByModel: byModel, Start: func(ctx context.Context, size exec.Size, screen io.Writer) (*exec.PTY, error) {
			return x.StartPTY(ctx, exec.Request{Shell: x.Shell(exec.Key{Path: "/bin/bash"}, "/"), Command: line}, size, screen)
		}})
		f.result <- res
		f.screen <- screen
	}()
	msg, ok := r.a.awaitTerminal()().(askedMsg)
	if !ok {
		r.t.Fatal("nothing was asked for")
	}
	f.t = msg.t
	r.a.Update(msg)
	return f
}

// until draws as long as the screen lacks a text.
func (f *front) until(text string) {
	f.r.t.Helper()
	for !strings.Contains(f.r.screen(), text) {
		msg := follow(f.t)()
		f.r.a.Update(msg)
		if f.t.ctx.Err() != nil {
			f.r.t.Fatalf("it ended before %q:\n%s", text, f.r.screen())
		}
	}
}

// end waits for the end, and lets the app see it.
func (f *front) end() (exec.Result, bash.Screen) {
	f.r.t.Helper()
	res, screen := <-f.result, <-f.screen
	<-f.t.ctx.Done()
	f.r.a.Update(shownMsg{f.t})
	return res, screen
}

func newOverlayRig(t *testing.T, w, h int) (*rig, *exec.Executor) {
	t.Helper()
	x := exec.New(exec.Options{Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, RunDir: t.TempDir()})
	t.Cleanup(func() {
		if err := x.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	r := newRig(t, w, h)
	r.a.o.Console = NewConsole()
	return r, x
}

func TestAProgramInFrontGetsTheKeys(t *testing.T) {
	r, x := newOverlayRig(t, 80, 24)
	f := r.launch(x, "stty size; read -r -p 'Name''? ' n; echo \"hello $n\"; read -r", true)
	f.until("Name?")
	f.until("17 80")
	r.shows("$ stty size", "started by the model", "running", "esc", "~/work")
	r.press("Ada", "enter")
	f.until("hello Ada")
	r.a.Update(tea.PasteMsg{Content: "pasted"})
	f.until("pasted")
	r.press("enter")
	res, screen := f.end()
	if res.Outcome != exec.Exited || !strings.Contains(screen.Text, "Name? Ada\nhello Ada\npasted") || screen.Own {
		t.Errorf("%+v %+v", res, screen)
	}
	r.hides("running", "hello Ada")
	r.press("typed")
	r.shows("typed")
	r.asked()
}

func TestEscEndsAProgramInFront(t *testing.T) {
	r, x := newOverlayRig(t, 80, 24)
	f := r.launch(x, "echo g''o; sleep 100", false)
	f.until("go")
	r.press("esc")
	if res, _ := f.end(); res.Outcome != exec.Cancelled {
		t.Errorf("%+v", res)
	}
	r.hides("running")
	r.asked() // nothing else was interrupted
}

func TestTheNewestProgramIsInFront(t *testing.T) {
	r, x := newOverlayRig(t, 80, 24)
	first := r.launch(x, "echo first'-'one; read -r", false)
	first.until("first-one")
	second := r.launch(x, "echo second'-'one; read -r", false)
	second.until("second-one")
	r.hides("first-one")
	r.press("enter")
	second.end()
	r.shows("first-one")
	r.press("enter")
	first.end()
	r.hides("first-one")
}

func TestAQuestionWaitsBehindAProgram(t *testing.T) {
	r, x := newOverlayRig(t, 80, 24)
	f := r.launch(x, "echo g''o; read -r a; echo got-$a", false)
	f.until("go")
	r.a.ask(chat.Question{ID: "q", Call: chat.ToolCall{Name: "bash"}})
	r.press("y", "enter")
	res, screen := f.end()
	if res.Code != 0 || !strings.Contains(screen.Text, "got-y") {
		t.Errorf("%+v %+v", res, screen)
	}
	r.asked()
	if r.a.box == nil {
		t.Error("the question is gone")
	}
}

func TestTheOverlayFollowsEverySize(t *testing.T) {
	r, x := newOverlayRig(t, 80, 24)
	f := r.launch(x, "echo g''o; trap 'stty size' WINCH; while :; do sleep 0.05; done", false)
	f.until("go")
	for _, size := range [][2]int{{20, 5}, {1, 1}, {2, 2}, {200, 60}, {80, 3}, {40, 10}} {
		r.a.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		r.screen()
	}
	f.until("6 40")
	f.cancel()
	f.end()
	r.screen()
}

func TestLookingBackOutlivesTheProgram(t *testing.T) {
	r, x := newOverlayRig(t, 80, 24)
	f := r.launch(x, "seq 100; echo e''nd; read -r", false)
	f.until("end")
	r.press("ctrl+]", "[", "pgup")
	r.shows("lines")
	f.t.overlay.HandlePaste("")
	f.cancel()
	f.end()
	r.shows("killed", "esc close")
	r.press("q")
	r.press("q")
	r.hides("killed")
}

func TestAProgramThatCannotStartSaysWhy(t *testing.T) {
	r := newRig(t, 80, 24)
	r.a.o.Console = NewConsole()
	done := make(chan exec.Result, 1)
	go func() {
		res, _ := r.a.o.Console.Show(t.Context(), bash.Interactive{Command: "x", Start: func(context.Context, exec.Size, io.Writer) (*exec.PTY, error) {
			return nil, errors.New("no terminals left")
		}})
		done <- res
	}()
	msg := r.a.awaitTerminal()().(askedMsg)
	r.a.Update(msg)
	res := <-done
	if res.Outcome != exec.NotStarted || res.Err == nil || res.Err.Error() != "PTY error: no terminals left" {
		t.Errorf("%+v", res)
	}
	<-msg.t.ctx.Done()
	r.a.Update(shownMsg(msg))
	r.hides("running")
}

func TestWithoutAFaceACancelEndsTheWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if res, _ := NewConsole().Show(ctx, bash.Interactive{}); res.Outcome != exec.Cancelled {
		t.Errorf("%+v", res)
	}
}
