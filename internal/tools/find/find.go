// Package find is the tool that finds files by their names.
package find

import (
	"context"
	_ "embed" // the description
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/tools"
)

//go:embed find.md
var description string

const defaultLimit = 200

// Tool is the tool "find".
type Tool struct {
	place tools.Place
	spec  func() chat.ToolSpec
}

// New makes the tool.
func New(p tools.Place) *Tool {
	return &Tool{p, tools.SpecOf[args]("find", description)}
}

type args struct {
	Pattern string `json:"pattern" jsonschema:"glob such as *.go or cmd/**/main.go; a pattern without a slash matches names anywhere"`
	Path    string `json:"path,omitempty" jsonschema:"directory to look in; the working directory if left out"`
	Hidden  bool   `json:"hidden,omitempty" jsonschema:"also names with a leading dot, and what .gitignore leaves out"`
	Limit   int    `json:"limit,omitempty" jsonschema:"how many paths to show; 200 if left out"`
}

// Spec describes the tool.
func (t *Tool) Spec() chat.ToolSpec { return t.spec() }

// ReadOnly is true.
func (t *Tool) ReadOnly() bool { return true }

// Access is reading the directory.
func (t *Tool) Access(call chat.ToolCall) ([]chat.Access, error) {
	a, err := decode(call)
	if err != nil {
		return nil, err
	}
	return []chat.Access{{Kind: chat.AccessRead, Path: t.place.Resolve(a.Path)}}, nil
}

func decode(call chat.ToolCall) (args, error) {
	a, err := tools.Decode[args](call)
	if err != nil {
		return a, err
	}
	a.Pattern = strings.TrimPrefix(a.Pattern, "./")
	if a.Pattern == "" || !doublestar.ValidatePattern(a.Pattern) {
		return a, tools.Errorf("find: %q is no pattern; write something like *.go or src/**/*.ts", a.Pattern)
	}
	if a.Limit <= 0 {
		a.Limit = defaultLimit
	}
	return a, nil
}

// Run finds.
func (t *Tool) Run(ctx context.Context, call chat.ToolCall, _ tools.Progress) (chat.ToolResult, error) {
	a, err := decode(call)
	if err != nil {
		return chat.ToolResult{}, err
	}
	root := t.place.Resolve(a.Path)
	if info, err := os.Stat(root); err != nil {
		return chat.ToolResult{}, t.place.PathError(a.Path, err)
	} else if !info.IsDir() {
		return chat.ToolResult{}, tools.Errorf("%s is not a directory", t.place.Show(root))
	}
	var b strings.Builder
	shown, total := 0, 0
	err = tools.Walk(ctx, root, tools.WalkOptions{Hidden: a.Hidden, Ignored: a.Hidden}, func(rel string, d fs.DirEntry) error {
		subject := rel
		if !strings.Contains(a.Pattern, "/") {
			subject = path.Base(rel)
		}
		if ok, _ := doublestar.Match(a.Pattern, subject); !ok {
			return nil
		}
		total++
		if shown < a.Limit {
			shown++
			b.WriteString(sanitize.OneLine(rel))
			if d.IsDir() {
				b.WriteByte('/')
			}
			b.WriteByte('\n')
		}
		return nil
	})
	if err != nil {
		return chat.ToolResult{}, tools.ErrAborted
	}
	if total == 0 {
		b.WriteString("(nothing found)")
	}
	r := chat.ToolResult{
		Parts:   []chat.Part{chat.TextPart(b.String())},
		Details: &chat.Details{Listing: &chat.Listing{Path: t.place.Show(root), Shown: shown, Total: total}},
	}
	if shown < total {
		r.Notices = []chat.Notice{{Kind: "truncated", Text: fmt.Sprintf("Showing %d of %d paths. Narrow the pattern, or raise the limit", shown, total)}}
	}
	return r, nil
}
