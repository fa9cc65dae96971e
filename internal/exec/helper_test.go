package exec

import (
	"os"
	osexec "os/exec"
	"testing"
)

// startHelper runs TestHelperAgent in a process of its own.
func startHelper(t *testing.T, dir string) *osexec.Cmd {
	t.Helper()
	cmd := osexec.Command(os.Args[0], "-test.run=^TestHelperAgent$")
	cmd.Env = append(os.Environ(), "EXEC_TEST_AGENT="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestHelperAgent is the agent that TestADeadAgentLeavesNothing kills. By
// itself it only checks that nobody asked for it.
func TestHelperAgent(t *testing.T) {
	dir := os.Getenv("EXEC_TEST_AGENT")
	if dir == "" {
		return
	}
	x := New(Options{Env: os.Environ(), RunDir: dir})
	x.Run(t.Context(), Request{Shell: x.Shell(Key{Path: "/bin/bash"}, dir), Command: escapes + "wait"})
}
