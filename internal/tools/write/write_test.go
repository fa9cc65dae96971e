package write

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

func TestWriting(t *testing.T) {
	dir, seen := t.TempDir(), &tools.Seen{}
	tool := New(Options{Place: tools.Place{Dir: func() string { return dir }}, Seen: seen})
	run := func(path, content string) (chat.ToolResult, error) {
		raw, _ := json.Marshal(map[string]string{"path": path, "content": content})
		return tool.Run(t.Context(), chat.ToolCall{Name: "write", Args: raw}, nil)
	}
	r, err := run("new/deep/file", "one\n")
	if err != nil || !r.Details.Change.Created || r.Details.Change.Added != 1 || !strings.HasPrefix(r.Text(), "Created new/deep/file") {
		t.Fatalf("%+v %v", r, err)
	}
	if r, err := run("new/deep/file", "two\n"); err != nil || r.Details.Change.Created || r.Details.Change.Removed != 1 {
		t.Errorf("what it wrote itself: %+v %v", r, err)
	}
	foreign := filepath.Join(dir, "foreign")
	if err := os.WriteFile(foreign, []byte("mine\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := run("foreign", "x"); err == nil || !strings.Contains(err.Error(), "read it before") {
		t.Errorf("an unread file: %v", err)
	}
	seen.Note(foreign, []byte("older\n"))
	if _, err := run("foreign", "x"); err == nil || !strings.Contains(err.Error(), "changed on disk") {
		t.Errorf("a changed file: %v", err)
	}
	seen.Note(foreign, []byte("mine\n"))
	if _, err := run("foreign", "yours\n"); err != nil {
		t.Error(err)
	}
	if info, _ := os.Stat(foreign); info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	for _, bad := range []string{"", "new", "artifact://1"} {
		if _, err := run(bad, "x"); err == nil {
			t.Errorf("%q was written", bad)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
