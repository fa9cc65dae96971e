package exec

import "testing"

func TestAnExitTrapLosesNothing(t *testing.T) {
	r := newRig(t, Options{})
	for _, tt := range []struct {
		command, out string
		code         int
	}{
		{"trap 'echo bye' EXIT; A=1; exit 4", "bye\n", 4},
		{"trap 'echo bye $?; exit 8' EXIT; A=1; exit 4", "bye 4\n", 8},
		{"trap 'echo bye $?' EXIT; A=1; set -eu; false", "bye 1\n", 1},
		{"trap 'echo \"it'\\''s\" $?' 0; A=1; kill $$", "it's 0\n", 143},
		{"trap 'echo a' EXIT; trap - EXIT; A=1; exit 3", "", 3},
		{"trap 'echo a' EXIT; trap 'echo b' EXIT; A=1; exit 3", "b\n", 3},
		{"trap 'echo bye' EXIT INT; A=1; exit", "bye\n", 0},
		{"trap -- '' EXIT; A=1; exit 6", "", 6},
		{"f() { trap 'echo deep' EXIT; }; f; A=1; (trap 'echo sub' EXIT); exit 2", "sub\ndeep\n", 2},
		{"trap 'set -e; false; echo no' EXIT; A=1; exit 5", "", 1},
		{"trap 'echo end' EXIT; A=1", "end\n", 0},
		{"trap : NOSUCH EXIT 2>/dev/null || A=1; exit 7", "", 7},
	} {
		r.run("A=0")
		res, out := r.run(tt.command)
		if out != tt.out || res.Code != tt.code || !res.Saved {
			t.Errorf("%q: %q, code %d, saved %v, notes %q", tt.command, out, res.Code, res.Saved, res.Notes)
		}
		if out := r.say("echo $A; type -t trap"); out != "1\nbuiltin\n" {
			t.Errorf("after %q: %q", tt.command, out)
		}
	}
}
