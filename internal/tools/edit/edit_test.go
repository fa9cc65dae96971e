package edit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		edits      []replacement
		want, err  string
	}{
		{"one", "a b c", []replacement{{Old: "b", New: "X"}}, "a X c", ""},
		{"several", "a b c", []replacement{{Old: "a", New: "b2"}, {Old: "b2 b", New: "Y"}}, "Y c", ""},
		{"all", "x x x", []replacement{{Old: "x", New: "y", All: true}}, "y y y", ""},
		{"remove", "a\nb\nc\n", []replacement{{Old: "b\n", New: ""}}, "a\nc\n", ""},
		{"twice", "x\nx\n", []replacement{{Old: "x", New: "y"}}, "", "is there 2 times (lines 1, 2)"},
		{"missing", "abc", []replacement{{Old: "z", New: "y"}}, "", "was not found; nothing was changed"},
		{"white space", "\tif a {\n\t\tb\n", []replacement{{Old: "if a {\n  b", New: "y"}}, "", "Lines 1-2 differ from it only in white space"},
		{"first line", "foo()\nbar()\n", []replacement{{Old: "foo()\nbaz()", New: "y"}}, "", "Its first line is on line 1"},
		{"second fails", "a b", []replacement{{Old: "a", New: "c"}, {Old: "z", New: "y"}}, "", "edits[1]"},
		{"crlf", "a\r\nb\r\n", []replacement{{Old: "a\nb", New: "c\nd\ne"}}, "c\r\nd\r\ne\r\n", ""},
		{"mixed ends", "a\r\nb\n", []replacement{{Old: "b", New: "c"}}, "a\r\nc\n", ""},
	} {
		got, err := apply(tt.text, tt.edits, "f")
		if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("some text", "te", "x", false)
	f.Add("a\r\nb\r\n", "a\nb", "c", true)
	f.Fuzz(func(t *testing.T, text, old, with string, all bool) {
		if old == "" {
			return
		}
		got, err := apply(text, []replacement{{Old: old, New: with, All: all}}, "f")
		if err == nil && !strings.Contains(text, "\r") && got != strings.ReplaceAll(text, old, with) {
			t.Errorf("%q", got)
		}
	})
}

type rig struct {
	t    *testing.T
	dir  string
	tool *Tool
	seen *tools.Seen
}

func newRig(t *testing.T) *rig {
	t.Helper()
	dir, seen := t.TempDir(), &tools.Seen{}
	return &rig{t, dir, New(Options{Place: tools.Place{Dir: func() string { return dir }}, Seen: seen}), seen}
}

func (r *rig) put(name, text string, mode os.FileMode) string {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		r.t.Fatal(err)
	}
	return path
}

func (r *rig) run(args string) (chat.ToolResult, error) {
	return r.tool.Run(r.t.Context(), chat.ToolCall{Name: "edit", Args: json.RawMessage(args)}, nil)
}

func (r *rig) holds(path, want string) {
	r.t.Helper()
	if data, _ := os.ReadFile(path); string(data) != want {
		r.t.Errorf("%s holds %q, want %q", filepath.Base(path), data, want)
	}
}

func TestAnEditKeepsWhatIsNotItsBusiness(t *testing.T) {
	r := newRig(t)
	path := r.put("script", "\ufeffecho a\r\necho b\r\n", 0o755)
	if err := os.Symlink("script", filepath.Join(r.dir, "link")); err != nil {
		t.Fatal(err)
	}
	res, err := r.run(`{"path":"link","edits":[{"old":"echo a\necho b","new":"echo c"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	r.holds(path, "\ufeffecho c\r\n")
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v", info.Mode())
	}
	if info, _ := os.Lstat(filepath.Join(r.dir, "link")); info.Mode()&os.ModeSymlink == 0 {
		t.Error("the symlink was replaced")
	}
	if c := res.Details.Change; c.Added != 1 || c.Removed != 2 || !strings.Contains(c.Diff, "+echo c") {
		t.Errorf("%+v", c)
	}
}

func TestWhatChangedOnDiskIsNotOverwritten(t *testing.T) {
	r := newRig(t)
	path := r.put("f", "one\n", 0o600)
	r.seen.Note(path, []byte("one\n"))
	r.put("f", "other\n", 0o600)
	if _, err := r.run(`{"path":"f","edits":[{"old":"other","new":"x"}]}`); err == nil || !strings.Contains(err.Error(), "changed on disk") {
		t.Errorf("%v", err)
	}
	r.holds(path, "other\n")
}

func TestAFailedEditChangesNothing(t *testing.T) {
	r := newRig(t)
	path := r.put("f", "a b\n", 0o600)
	for _, args := range []string{
		`{"path":"f","edits":[{"old":"a","new":"c"},{"old":"zz","new":"y"}]}`, `{"path":"f","edits":[]}`, `{"path":"f","edits":[{"old":"","new":"y"}]}`,
		`{"path":"f","edits":[{"old":"a","new":"a"}]}`, `{"path":"g","edits":[{"old":"a","new":"b"}]}`, `{"path":"f","edits":"x"}`, `{"path":"f","edits":[{"olt":"a","new":"b"}]}`,
	} {
		if _, err := r.run(args); err == nil {
			t.Errorf("%s worked", args)
		}
	}
	r.holds(path, "a b\n")
}
