package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
)

type args struct {
	Path  string            `json:"path" jsonschema:"a path"`
	Limit *int              `json:"limit,omitempty"`
	All   bool              `json:"all,omitempty"`
	Env   map[string]string `json:"env,omitempty"`
	List  []string          `json:"list,omitempty"`
}

func TestSchemasArePlain(t *testing.T) {
	got := string(SchemaOf[args]())
	for _, want := range []string{`"required":["path"]`, `"additionalProperties":false`, `"path":{"type":"string","description":"a path"}`, `"limit":{"type":"integer"}`, `"list":{"type":"array"`} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s: %s", want, got)
		}
	}
	if strings.Contains(got, "null") || strings.Contains(got, "$schema") {
		t.Errorf("not every server takes this: %s", got)
	}
}

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	for in, want := range map[string]string{
		`{"path":"x","limit":3}`: "", `{"path":"x","limit":null}`: "",
		``: `x: the argument "path" is missing (a string)`, `{"path":null}`: `x: the argument "path" is missing (a string)`,
		`{"pth":"x"}`: `x: unknown argument "pth"; did you mean "path"?`, `{"path":"x","zzzzzz":1}`: `x: unknown argument "zzzzzz"; there are path, limit, all, env, list`,
		`{"path":3}`: `x: the argument "path" has to be a string, not a number`, `{"path":"x","limit":"3"}`: `x: the argument "limit" has to be a whole number, not a string`,
		`{"path":"x","all":1}`: `x: the argument "all" has to be true or false, not a number`, `{"path":"x","limit":1.5}`: `x: the argument "limit" has to be a whole number, not 1.5`,
		`{"path":"x","list":"a"}`: `x: the argument "list" has to be a list, not a string`, `"x"`: "x: the arguments have to be one JSON object with path, limit, all, env, list", `{"path"`: "x: the arguments have to be one JSON object with path, limit, all, env, list",
	} {
		_, err := Decode[args](chat.ToolCall{Name: "x", Args: json.RawMessage(in)})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestNoticesStandBehindTheText(t *testing.T) {
	r := chat.ToolResult{Parts: []chat.Part{chat.TextPart("out\n")}, Notices: []chat.Notice{{Text: "one"}, {Text: "two"}}}
	if got := ForModel(r)[0].Text; got != "out\n\n[one]\n[two]" {
		t.Errorf("%q", got)
	}
	if r.Parts[0].Text != "out\n" {
		t.Error("the result was changed")
	}
	if got := ForModel(chat.ToolResult{Notices: r.Notices[:1]}); len(got) != 1 || got[0].Text != "[one]" {
		t.Errorf("%+v", got)
	}
}

func TestTruncationNotices(t *testing.T) {
	base := chat.Truncation{TruncatedBy: "bytes", TotalLines: 100, TotalBytes: 99999, OutputLines: 10, OutputBytes: 51200, MaxBytes: 51200, ShownRange: chat.Range{Start: 91, End: 100}, ArtifactID: 3}
	if got := TruncationNotice(base).Text; got != "Showing lines 91-100 of 100 (50.0KB limit). Full: artifact://3" {
		t.Error(got)
	}
	one := base
	one.TotalLines, one.OutputLines, one.ShownRange, one.Incomplete = 1, 1, chat.Range{Start: 1, End: 1}, true
	if got := TruncationNotice(one).Text; got != "Showing the last 50.0KB of a line of 97.7KB (50.0KB limit). Saved in part: artifact://3" {
		t.Error(got)
	}
}

func TestRegistries(t *testing.T) {
	r := NewRegistry(named("b"), named("a"), named("b"))
	if strings.Join(r.Names(), " ") != "a b" {
		t.Errorf("%v", r.Names())
	}
	if _, err := r.Only([]string{"bb"}); err == nil || err.Error() != `unknown tool "bb"; did you mean "b"?` {
		t.Errorf("%v", err)
	}
	if only, err := r.Only([]string{"b"}); err != nil || len(only.Specs()) != 1 {
		t.Errorf("%v", err)
	}
}

type named string

func (n named) Spec() chat.ToolSpec                       { return chat.ToolSpec{Name: string(n)} }
func (named) Access(chat.ToolCall) ([]chat.Access, error) { return nil, nil }
func (named) ReadOnly() bool                              { return true }
func (named) Run(context.Context, chat.ToolCall, Progress) (chat.ToolResult, error) {
	return chat.ToolResult{}, nil
}

func TestBinaryFilesAreTold(t *testing.T) {
	for in, want := range map[string]bool{"text é 日本\n": false, "a\x00b": true, "caf\xe9 latin-1 text that is mostly ASCII": false, "\xff\xfe\xfd\xfc": true, "": false, "cut \xe6\x97": false} {
		if got := IsBinary([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func TestReplaceKeepsNamesAndModes(t *testing.T) {
	dir := t.TempDir()
	path, second := filepath.Join(dir, "f"), filepath.Join(dir, "second")
	if err := os.WriteFile(path, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, second); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, second} {
		if data, _ := os.ReadFile(p); string(data) != "new" {
			t.Errorf("%s holds %q", filepath.Base(p), data)
		}
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
		t.Errorf("%v", info.Mode())
	}
}
