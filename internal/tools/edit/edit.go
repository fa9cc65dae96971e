// Package edit is the tool that replaces exact pieces of a file.
package edit

import (
	"bytes"
	"context"
	_ "embed" // the description
	"fmt"
	"os"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

//go:embed edit.md
var description string

// Options is what the tool works with.
type Options struct {
	Place tools.Place
	Seen  *tools.Seen
}

// Tool is the tool "edit".
type Tool struct {
	o    Options
	spec func() chat.ToolSpec
}

// New makes the tool.
func New(o Options) *Tool {
	return &Tool{o, tools.SpecOf[args]("edit", description)}
}

type args struct {
	Path  string        `json:"path" jsonschema:"file to change, relative to the working directory or absolute"`
	Edits []replacement `json:"edits" jsonschema:"replacements, done one after the other; all of them or none"`
}

type replacement struct {
	Old string `json:"old" jsonschema:"exact text to replace, with enough of its surroundings to be found only once"`
	New string `json:"new" jsonschema:"text to put there"`
	All bool   `json:"all,omitempty" jsonschema:"replace every occurrence instead of demanding exactly one"`
}

// Spec describes the tool.
func (t *Tool) Spec() chat.ToolSpec { return t.spec() }

// ReadOnly is false.
func (t *Tool) ReadOnly() bool { return false }

// Access is writing the path.
func (t *Tool) Access(call chat.ToolCall) ([]chat.Access, error) {
	a, err := decode(call)
	if err != nil {
		return nil, err
	}
	return []chat.Access{{Kind: chat.AccessWrite, Path: t.o.Place.Resolve(a.Path)}}, nil
}

func decode(call chat.ToolCall) (args, error) {
	a, err := tools.Decode[args](call)
	switch {
	case err != nil:
		return a, err
	case a.Path == "" || artifact.IsRef(a.Path):
		return a, tools.Errorf("edit: path has to name a file")
	case len(a.Edits) == 0:
		return a, tools.Errorf("edit: edits is empty")
	}
	for i, e := range a.Edits {
		if e.Old == "" {
			return a, tools.Errorf("edit: edits[%d].old is empty; to create a file use write", i)
		}
		if e.Old == e.New {
			return a, tools.Errorf("edit: edits[%d] changes nothing: old and new are the same", i)
		}
	}
	return a, nil
}

var bom = []byte("\ufeff") //nolint:gochecknoglobals // never written

// Run edits.
func (t *Tool) Run(ctx context.Context, call chat.ToolCall, _ tools.Progress) (chat.ToolResult, error) {
	a, err := decode(call)
	if err != nil {
		return chat.ToolResult{}, err
	}
	if ctx.Err() != nil {
		return chat.ToolResult{}, tools.ErrAborted
	}
	path := t.o.Place.Resolve(a.Path)
	name := t.o.Place.Show(path)
	raw, err := os.ReadFile(path)
	if err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
	}
	if changed, _ := t.o.Seen.Changed(path, raw); changed {
		return chat.ToolResult{}, tools.Errorf("%s changed on disk since you read it; read it again before you edit it", name)
	}
	if tools.IsBinary(raw) {
		return chat.ToolResult{}, tools.Errorf("%s is a binary file", name)
	}
	before, hadBOM := bytes.CutPrefix(raw, bom)
	after, err := apply(string(before), a.Edits, name)
	if err != nil {
		return chat.ToolResult{}, err
	}
	data := []byte(after)
	if hadBOM {
		data = append(bytes.Clone(bom), data...)
	}
	if err := tools.Replace(path, data); err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
	}
	t.o.Seen.Note(path, data)
	change := tools.Change(name, string(before), after)
	text := fmt.Sprintf("Edited %s: %d replaced, +%d -%d lines", name, len(a.Edits), change.Added, change.Removed)
	return chat.ToolResult{Parts: []chat.Part{chat.TextPart(text)}, Details: &chat.Details{Change: &change}}, nil
}
