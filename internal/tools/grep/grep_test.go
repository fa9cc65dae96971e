package grep

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

func project(t *testing.T) *Tool {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.go": "package a\n// Hello there\nfunc Hello() {}\n", "b.txt": "hello\r\nworld\n", "sub/c.go": "one\nhello\nthree\nfour\nfive\nhello\n",
		".hidden": "hello\n", "ignored/x": "hello\n", ".gitignore": "ignored/\n", "bin": "hello\x00\n", "sub/.gitignore": "d.go\n", "sub/d.go": "hello\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return New(Options{Place: tools.Place{Dir: func() string { return dir }}})
}

func TestSearching(t *testing.T) {
	tool := project(t)
	if err := os.Mkdir(filepath.Join(tool.o.Dir(), ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{"pattern":"hello"}`: "b.txt:1:hello\nsub/c.go:2:hello\nsub/c.go:6:hello\n",
		`{"pattern":"hello","ignore_case":true,"glob":"*.go"}`:   "a.go:2:// Hello there\na.go:3:func Hello() {}\nsub/c.go:2:hello\nsub/c.go:6:hello\n",
		`{"pattern":"^hello$","path":"b.txt"}`:                   "b.txt:1:hello\n",
		`{"pattern":"Hello()","literal":true}`:                   "a.go:3:func Hello() {}\n",
		`{"pattern":"hello","path":"sub","context":1}`:           "c.go-1-one\nc.go:2:hello\nc.go-3-three\n--\nc.go-5-five\nc.go:6:hello\n",
		`{"pattern":"hello","limit":1}`:                          "b.txt:1:hello\n\n[Showing 1 of 3 matching lines in 2 files. Narrow the pattern, the path or the glob, or raise the limit]",
		`{"pattern":"nothing like it"}`:                          "(nothing found)",
		`{"pattern":"hello","glob":"sub/**"}`:                    "sub/c.go:2:hello\nsub/c.go:6:hello\n",
		`{"pattern":"hello","path":".hidden"}`:                   ".hidden:1:hello\n",
		`{"pattern":"hello","hidden":true,"glob":"{.hidden,x}"}`: ".hidden:1:hello\nignored/x:1:hello\n",
	} {
		r, err := tool.Run(t.Context(), chat.ToolCall{Name: "grep", Args: json.RawMessage(args)}, nil)
		got := ""
		for _, p := range tools.ForModel(r) {
			got += p.Text
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", args, got, want, err)
		}
	}
}

func TestBadSearches(t *testing.T) {
	tool := project(t)
	for args, want := range map[string]string{
		`{"pattern":"("}`: "set literal", `{"pattern":""}`: "empty", `{"pattern":"x","path":"nowhere"}`: "does not exist", `{"pattern":"x","glob":"["}`: "no glob",
	} {
		if _, err := tool.Run(t.Context(), chat.ToolCall{Name: "grep", Args: json.RawMessage(args)}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tool.Run(ctx, chat.ToolCall{Name: "grep", Args: json.RawMessage(`{"pattern":"x"}`)}, nil); err == nil {
		t.Error("an interrupt is ignored")
	}
}
