package exec

import (
	"context"
	"os"
	osexec "os/exec"
	"syscall"
	"testing"
)

// helpers are what a process of its own does for a test.
var helpers = map[string]func(dir string) error{
	"agent":       doomedAgent,
	"descriptors": withoutDescriptors,
	"processes":   withoutProcesses,
}

const helperVariable, helperDir = "EXEC_TEST_HELPER", "EXEC_TEST_DIR"

// helperMain does what this process was started for, if it is a helper.
func helperMain() bool {
	do := helpers[os.Getenv(helperVariable)]
	if do == nil {
		return false
	}
	said := "fine"
	if err := do(os.Getenv(helperDir)); err != nil {
		said = err.Error()
	}
	_, _ = os.Stdout.WriteString(said) // somebody reads it
	return true
}

func helper(t *testing.T, name, dir string) *osexec.Cmd {
	t.Helper()
	cmd := osexec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), helperVariable+"="+name, helperDir+"="+dir)
	return cmd
}

// startHelper starts a helper.
func startHelper(t *testing.T, name, dir string) *osexec.Cmd {
	t.Helper()
	cmd := helper(t, name, dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// runHelper runs a helper as somebody whom limits bind and returns what it
// says.
func runHelper(t *testing.T, name, dir string) string {
	t.Helper()
	cmd := helper(t, name, dir)
	if os.Getuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return string(out)
}

// doomedAgent is the agent that TestADeadAgentLeavesNothing kills.
func doomedAgent(dir string) error {
	x := New(Options{Env: os.Environ(), RunDir: dir})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return x.Run(ctx, Request{Shell: x.Shell(Key{Path: "/bin/bash"}, dir), Command: escapes + "wait"}).Err
}
