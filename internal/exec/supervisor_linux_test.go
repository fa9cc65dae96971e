package exec

import (
	"syscall"
	"testing"
)

// TestTheReapedShellsGroupIsLeftAlone asks the supervisor for a signal to a
// group whose leader has ended.
func TestTheReapedShellsGroupIsLeftAlone(t *testing.T) {
	r := newRig(t, Options{})
	res, _ := r.run("sleep 1000 & disown")
	var pid int
	r.x.mu.Lock()
	for p := range r.x.live {
		pid = p // the spare
	}
	r.x.mu.Unlock()
	if len(res.Survivors) != 1 || pid == res.Survivors[0].PID {
		t.Fatalf("survivors %v", res.Survivors)
	}
	left, _ := stat(res.Survivors[0].PID)
	sup := r.x.launcher.now
	if _, err := sup.ask(message{Op: "group", PID: left.group, Signal: int(syscall.SIGKILL)}, nil); err != nil {
		t.Error(err)
	}
	r.run("true") // the supervisor answers in order
	if !alive(left.pid) {
		t.Error("the group of a shell that was reaped got a signal")
	}
}
