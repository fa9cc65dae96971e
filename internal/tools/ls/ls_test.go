package ls

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

func TestListing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "b\x1b[31m"), make([]byte, 2048), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("d", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	tool := New(tools.Place{Dir: func() string { return dir }})
	for args, want := range map[string]string{
		`{}`:                       "b  2.0KB\nd/\nlink -> d\n",
		`{"path":"d"}`:             "(the directory is empty)",
		`{"limit":1}`:              "b  2.0KB\n\n[Showing 1 of 3 entries]",
		`{"path":"` + dir + `/d"}`: "(the directory is empty)",
	} {
		r, err := tool.Run(t.Context(), chat.ToolCall{Name: "ls", Args: json.RawMessage(args)}, nil)
		got := ""
		for _, p := range tools.ForModel(r) {
			got += p.Text
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", args, got, want, err)
		}
	}
	if _, err := tool.Run(t.Context(), chat.ToolCall{Name: "ls", Args: json.RawMessage(`{"path":"e"}`)}, nil); err == nil || err.Error() != "e does not exist; did you mean d?" {
		t.Errorf("%v", err)
	}
}
