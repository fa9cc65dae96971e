// Package ls is the tool that lists a directory.
package ls

import (
	"context"
	_ "embed" // the description
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/tools"
)

//go:embed ls.md
var description string

const defaultLimit = 500

// Tool is the tool "ls".
type Tool struct {
	place tools.Place
	spec  func() chat.ToolSpec
}

// New makes the tool.
func New(p tools.Place) *Tool {
	return &Tool{p, tools.SpecOf[args]("ls", description)}
}

type args struct {
	Path  string `json:"path,omitempty" jsonschema:"directory to list; the working directory if left out"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many entries to show; 500 if left out"`
}

// Spec describes the tool.
func (t *Tool) Spec() chat.ToolSpec { return t.spec() }

// ReadOnly is true.
func (t *Tool) ReadOnly() bool { return true }

// Access is reading the directory.
func (t *Tool) Access(call chat.ToolCall) ([]chat.Access, error) {
	a, err := tools.Decode[args](call)
	if err != nil {
		return nil, err
	}
	return []chat.Access{{Kind: chat.AccessRead, Path: t.place.Resolve(a.Path)}}, nil
}

// Run lists.
func (t *Tool) Run(_ context.Context, call chat.ToolCall, _ tools.Progress) (chat.ToolResult, error) {
	a, err := tools.Decode[args](call)
	if err != nil {
		return chat.ToolResult{}, err
	}
	if a.Limit <= 0 {
		a.Limit = defaultLimit
	}
	dir := t.place.Resolve(a.Path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return chat.ToolResult{}, t.place.PathError(a.Path, err)
	}
	var b strings.Builder
	for _, e := range entries[:min(a.Limit, len(entries))] {
		b.WriteString(line(dir, e))
	}
	if len(entries) == 0 {
		b.WriteString("(the directory is empty)")
	}
	shown := min(a.Limit, len(entries))
	r := chat.ToolResult{
		Parts:   []chat.Part{chat.TextPart(b.String())},
		Details: &chat.Details{Listing: &chat.Listing{Path: t.place.Show(dir), Shown: shown, Total: len(entries)}},
	}
	if shown < len(entries) {
		r.Notices = []chat.Notice{{Kind: "truncated", Text: fmt.Sprintf("Showing %d of %d entries", shown, len(entries))}}
	}
	return r, nil
}

// line shows an entry: directories with a slash, symlinks with their target,
// files with their size.
func line(dir string, e os.DirEntry) string {
	name := sanitize.OneLine(e.Name())
	info, err := e.Info()
	switch {
	case e.IsDir():
		return name + "/\n"
	case err != nil:
		return name + "\n"
	case info.Mode()&os.ModeSymlink != 0:
		target, _ := os.Readlink(filepath.Join(dir, e.Name()))
		return fmt.Sprintf("%s -> %s\n", name, sanitize.OneLine(target))
	case info.Mode().IsRegular():
		return fmt.Sprintf("%s  %s\n", name, tools.Size(info.Size()))
	default:
		return fmt.Sprintf("%s  (%s)\n", name, info.Mode().Type())
	}
}
