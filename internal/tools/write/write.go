// Package write is the tool that creates a file or replaces all of it.
package write

import (
	"context"
	_ "embed" // the description
	"fmt"
	"os"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

//go:embed write.md
var description string

// Options is what the tool works with.
type Options struct {
	Place tools.Place
	Seen  *tools.Seen
}

// Tool is the tool "write".
type Tool struct {
	o    Options
	spec func() chat.ToolSpec
}

// New makes the tool.
func New(o Options) *Tool {
	return &Tool{o, tools.SpecOf[args]("write", description)}
}

type args struct {
	Path    string `json:"path" jsonschema:"file to write, relative to the working directory or absolute"`
	Content string `json:"content" jsonschema:"the whole new content of the file"`
}

// Spec describes the tool.
func (t *Tool) Spec() chat.ToolSpec { return t.spec() }

// ReadOnly is false.
func (t *Tool) ReadOnly() bool { return false }

// Access is writing the path.
func (t *Tool) Access(call chat.ToolCall) ([]chat.Access, error) {
	a, err := t.decode(call)
	if err != nil {
		return nil, err
	}
	return []chat.Access{{Kind: chat.AccessWrite, Path: t.o.Place.Resolve(a.Path)}}, nil
}

func (t *Tool) decode(call chat.ToolCall) (args, error) {
	a, err := tools.Decode[args](call)
	switch {
	case err != nil:
		return a, err
	case a.Path == "":
		return a, tools.Errorf("write: path is empty")
	case artifact.IsRef(a.Path):
		return a, tools.Errorf("write: artifacts cannot be written")
	}
	return a, nil
}

// Run writes.
func (t *Tool) Run(ctx context.Context, call chat.ToolCall, _ tools.Progress) (chat.ToolResult, error) {
	a, err := t.decode(call)
	if err != nil {
		return chat.ToolResult{}, err
	}
	if ctx.Err() != nil {
		return chat.ToolResult{}, tools.ErrAborted
	}
	path := t.o.Place.Resolve(a.Path)
	name := t.o.Place.Show(path)
	var old []byte
	info, err := os.Stat(path)
	exists := err == nil
	if exists {
		if !info.Mode().IsRegular() {
			return chat.ToolResult{}, tools.Errorf("%s is no regular file", name)
		}
		if old, err = os.ReadFile(path); err != nil {
			return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
		}
		changed, known := t.o.Seen.Changed(path, old)
		switch {
		case changed:
			return chat.ToolResult{}, tools.Errorf("%s changed on disk since you read it; read it again before you replace it", name)
		case !known && len(old) > 0:
			return chat.ToolResult{}, tools.Errorf("%s exists already; read it before you replace it, or use edit", name)
		}
	}
	if err := tools.Replace(path, []byte(a.Content)); err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
	}
	t.o.Seen.Note(path, []byte(a.Content))
	change := tools.Change(name, string(old), a.Content)
	change.Created = !exists
	text := fmt.Sprintf("Wrote %s (%s)", name, tools.Size(int64(len(a.Content))))
	if change.Created {
		text = fmt.Sprintf("Created %s (%s)", name, tools.Size(int64(len(a.Content))))
	}
	return chat.ToolResult{Parts: []chat.Part{chat.TextPart(text)}, Details: &chat.Details{Change: &change}}, nil
}
