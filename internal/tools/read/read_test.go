package read

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

func newTool(t *testing.T) (*Tool, string, Options) {
	t.Helper()
	dir := t.TempDir()
	o := Options{
		Place: tools.Place{Dir: func() string { return dir }, Home: "/home/me"}, Seen: &tools.Seen{},
		Artifacts: artifact.Open(filepath.Join(dir, "artifacts"), artifact.Options{}),
	}
	return New(o), dir, o
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, tool *Tool, args string) (chat.ToolResult, string) {
	t.Helper()
	r, err := tool.Run(t.Context(), chat.ToolCall{Name: "read", Args: json.RawMessage(args)}, nil)
	if err != nil {
		return r, "error: " + err.Error()
	}
	text := ""
	for _, p := range tools.ForModel(r) {
		text += p.Text
	}
	return r, text
}

func TestReading(t *testing.T) {
	tool, dir, _ := newTool(t)
	put(t, filepath.Join(dir, "three"), "one\ntwo\nthree\n")
	put(t, filepath.Join(dir, "crlf"), "one\r\ntwo\x1b[31m\r\n")
	put(t, filepath.Join(dir, "empty"), "")
	put(t, filepath.Join(dir, "binary"), "\x00\x01")
	put(t, filepath.Join(dir, "long"), strings.Repeat("é", 3000)+"\n")
	if err := os.MkdirAll(filepath.Join(dir, "d", "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "d", "file"), "x")
	for args, want := range map[string]string{
		`{"path":"three"}`:                      "     1\tone\n     2\ttwo\n     3\tthree\n",
		`{"path":"three","offset":2,"limit":1}`: "     2\ttwo\n\n[Showing lines 2-2 of 3. Go on with offset 3]",
		`{"path":"three","offset":-1}`:          "     3\tthree\n",
		`{"path":"three","offset":9}`:           "error: three has 3 lines, so there is nothing from line 9 on",
		`{"path":"crlf"}`:                       "     1\tone\n     2\ttwo\n",
		`{"path":"empty"}`:                      "(the file is empty)",
		`{"path":"binary"}`:                     "error: binary is a binary file of 2B; look at it with a program, such as file, strings or xxd",
		`{"path":"thre"}`:                       "error: thre does not exist; did you mean three?",
		`{"path":"no/such/dir/x"}`:              "error: no/such/dir/x does not exist; the nearest directory above it is .",
		`{"path":"d"}`:                          "file\nsub/\n",
		`{"path":"artifact://1"}`:               "error: there is no artifact://1; this session has no artifacts",
		`{"path":"artifact://x"}`:               `error: "artifact://x" names no artifact; they are written artifact://1`,
		`{"path":"three","limit":-1}`:           "error: read: limit has to be at least 1",
		`{"file":"three"}`:                      `error: read: unknown argument "file"; there are path, offset, limit`,
		`{"path":"` + filepath.Join(dir, "three") + `","limit":1}`: "     1\tone\n\n[Showing lines 1-1 of 3. Go on with offset 2]",
	} {
		if _, got := run(t, tool, args); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	if _, got := run(t, tool, `{"path":"long"}`); !strings.HasSuffix(got, "… [4000 bytes omitted]\n") {
		t.Errorf("%q", got[len(got)-40:])
	}
}

func TestReadingIsBounded(t *testing.T) {
	tool, dir, _ := newTool(t)
	put(t, filepath.Join(dir, "big"), strings.Repeat("a line of some length, as they are\n", 5000))
	r, got := run(t, tool, `{"path":"big"}`)
	if len(r.Text()) > maxBytes || r.Details.Listing.Total != 5000 || !strings.Contains(got, fmt.Sprintf("Go on with offset %d]", r.Details.Listing.Shown+1)) {
		t.Errorf("%d bytes, %+v", len(r.Text()), r.Details.Listing)
	}
}

func TestArtifactsAndPictures(t *testing.T) {
	tool, dir, o := newTool(t)
	f, err := o.Artifacts.Create("bash")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.Write([]byte("raw \x1b[31mred\x1b[0m\n50%\r100%\n"))
	_ = f.Close()
	if _, got := run(t, tool, `{"path":"artifact://1"}`); got != "     1\traw red\n     2\t100%\n" {
		t.Errorf("%q", got)
	}
	if access, err := tool.Access(chat.ToolCall{Name: "read", Args: json.RawMessage(`{"path":"artifact://1"}`)}); err != nil || len(access) != 0 {
		t.Errorf("%v %v", access, err)
	}
	put(t, filepath.Join(dir, "p.png"), "\x89PNG\r\n\x1a\n rest")
	r, _ := run(t, tool, `{"path":"p.png"}`)
	if len(r.Parts) != 2 || r.Parts[1].Image == nil || r.Parts[1].Image.MIME != "image/png" {
		t.Errorf("%+v", r.Parts)
	}
}
