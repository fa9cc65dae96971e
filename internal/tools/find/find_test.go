package find

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

func TestFinding(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".git/config", "a.go", "cmd/x/main.go", "cmd/x/main_test.go", "node_modules/y.go", ".env", "docs/a.md", ".gitignore"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("node_modules\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tool := New(tools.Place{Dir: func() string { return dir }})
	for args, want := range map[string]string{
		`{"pattern":"*.go"}`:                "a.go\ncmd/x/main.go\ncmd/x/main_test.go\n",
		`{"pattern":"cmd/**/main.go"}`:      "cmd/x/main.go\n",
		`{"pattern":"./*.go"}`:              "a.go\ncmd/x/main.go\ncmd/x/main_test.go\n",
		`{"pattern":"x"}`:                   "cmd/x/\n",
		`{"pattern":"main*","path":"cmd"}`:  "x/main.go\nx/main_test.go\n",
		`{"pattern":"*.{md,go}","limit":1}`: "a.go\n\n[Showing 1 of 4 paths. Narrow the pattern, or raise the limit]",
		`{"pattern":".env","hidden":true}`:  ".env\n",
		`{"pattern":"y.go","hidden":true}`:  "node_modules/y.go\n",
		`{"pattern":"zzz"}`:                 "(nothing found)",
	} {
		r, err := tool.Run(t.Context(), chat.ToolCall{Name: "find", Args: json.RawMessage(args)}, nil)
		got := ""
		for _, p := range tools.ForModel(r) {
			got += p.Text
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", args, got, want, err)
		}
	}
	for args, want := range map[string]string{`{"pattern":"["}`: "no pattern", `{"pattern":"x","path":"a.go"}`: "not a directory", `{"pattern":"x","path":"q"}`: "does not exist"} {
		if _, err := tool.Run(t.Context(), chat.ToolCall{Name: "find", Args: json.RawMessage(args)}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
