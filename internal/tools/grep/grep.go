// Package grep is the tool that searches the content of files.
package grep

import (
	"context"
	_ "embed" // the description
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sync/errgroup"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

//go:embed grep.md
var description string

const (
	defaultLimit = 200
	maxBytes     = 50 << 10
	maxContext   = 20
)

// Options is what the tool needs.
type Options struct {
	tools.Place
	Artifacts *artifact.Store // nil: there are none
}

// Tool is the tool "grep".
type Tool struct {
	o    Options
	spec func() chat.ToolSpec
}

// New makes the tool.
func New(o Options) *Tool {
	return &Tool{o, tools.SpecOf[args]("grep", description)}
}

type args struct {
	Pattern    string `json:"pattern" jsonschema:"regular expression (RE2) to find in lines"`
	Path       string `json:"path,omitempty" jsonschema:"file or directory to search, or artifact://N; the working directory if left out"`
	Glob       string `json:"glob,omitempty" jsonschema:"only files that match, such as *.go or src/**/*.ts"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"find capitals and small letters alike"`
	Literal    bool   `json:"literal,omitempty" jsonschema:"the pattern is plain text"`
	Context    int    `json:"context,omitempty" jsonschema:"how many lines to show before and after each match"`
	Limit      int    `json:"limit,omitempty" jsonschema:"how many matching lines to show; 200 if left out"`
	Hidden     bool   `json:"hidden,omitempty" jsonschema:"also hidden files and what .gitignore leaves out"`
}

// Spec describes the tool.
func (t *Tool) Spec() chat.ToolSpec { return t.spec() }

// ReadOnly is true.
func (t *Tool) ReadOnly() bool { return true }

// Access is reading the path.
func (t *Tool) Access(call chat.ToolCall) ([]chat.Access, error) {
	a, _, err := decode(call)
	if err != nil || artifact.IsRef(a.Path) {
		return nil, err
	}
	return []chat.Access{{Kind: chat.AccessRead, Path: t.o.Resolve(a.Path)}}, nil
}

func decode(call chat.ToolCall) (args, *regexp.Regexp, error) {
	a, err := tools.Decode[args](call)
	if err != nil {
		return a, nil, err
	}
	if a.Pattern == "" {
		return a, nil, tools.Errorf("grep: pattern is empty")
	}
	if a.Glob != "" && !doublestar.ValidatePattern(a.Glob) {
		return a, nil, tools.Errorf("grep: %q is no glob", a.Glob)
	}
	expr := a.Pattern
	if a.Literal {
		expr = regexp.QuoteMeta(expr)
	}
	if a.IgnoreCase {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return a, nil, tools.Errorf("grep: %q is no regular expression (%v); set literal to search for it as plain text", a.Pattern, err)
	}
	if a.Limit <= 0 {
		a.Limit = defaultLimit
	}
	a.Context = max(0, min(a.Context, maxContext))
	return a, re, nil
}

// Run searches.
func (t *Tool) Run(ctx context.Context, call chat.ToolCall, _ tools.Progress) (chat.ToolResult, error) {
	a, re, err := decode(call)
	if err != nil {
		return chat.ToolResult{}, err
	}
	if artifact.IsRef(a.Path) {
		return t.artifact(ctx, re, a)
	}
	root := t.o.Resolve(a.Path)
	info, err := os.Stat(root)
	if err != nil {
		return chat.ToolResult{}, t.o.PathError(a.Path, err)
	}
	if info.Mode().IsRegular() && info.Size() > maxFile {
		return t.stream(ctx, root, t.o.Show(root), re, a)
	}
	files, dir := []string{filepath.Base(root)}, filepath.Dir(root)
	if info.IsDir() {
		dir = root
		if files, err = list(ctx, root, a); err != nil {
			return chat.ToolResult{}, tools.ErrAborted
		}
	}
	found, err := search(ctx, dir, files, re, a)
	if err != nil {
		return chat.ToolResult{}, tools.ErrAborted
	}
	return t.report(t.o.Show(root), found, a), nil
}

// list names the files to search.
func list(ctx context.Context, root string, a args) ([]string, error) {
	var files []string
	err := tools.Walk(ctx, root, tools.WalkOptions{Hidden: a.Hidden, Ignored: a.Hidden}, func(rel string, d fs.DirEntry) error {
		if !d.Type().IsRegular() {
			return nil
		}
		if a.Glob != "" {
			subject := rel
			if !strings.Contains(a.Glob, "/") {
				subject = path.Base(rel)
			}
			if ok, _ := doublestar.Match(a.Glob, subject); !ok {
				return nil
			}
		}
		files = append(files, rel)
		return nil
	})
	return files, err
}

// search looks into files side by side and keeps their order.
func search(ctx context.Context, dir string, files []string, re *regexp.Regexp, a args) ([]match, error) {
	found := make([]match, len(files))
	var next atomic.Int64
	var run errgroup.Group
	for range min(2*runtime.GOMAXPROCS(0), len(files)) {
		run.Go(func() error {
			buf := make([]byte, 0, firstRead)
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					break
				}
				rel := files[i]
				found[i] = inFile(buf, dir+"/"+rel, rel, re, a)
			}
			return nil
		})
	}
	_ = run.Wait() // a file that cannot be read has no matches
	return found, context.Cause(ctx)
}

func (t *Tool) report(where string, found []match, a args) chat.ToolResult {
	var b strings.Builder
	shown, total, files := 0, 0, 0
	for _, m := range found {
		total += m.lines
		if m.lines > 0 {
			files++
		}
		for _, block := range m.blocks {
			if shown >= a.Limit || b.Len()+len(block.text) > maxBytes {
				break
			}
			if a.Context > 0 && b.Len() > 0 {
				b.WriteString("--\n")
			}
			b.WriteString(block.text)
			shown += block.matches
		}
	}
	if total == 0 {
		b.WriteString("(nothing found)")
	}
	r := chat.ToolResult{
		Parts:   []chat.Part{chat.TextPart(b.String())},
		Details: &chat.Details{Listing: &chat.Listing{Path: where, Shown: shown, Total: total}},
	}
	if shown < total {
		r.Notices = []chat.Notice{{
			Kind: "truncated",
			Text: fmt.Sprintf("Showing %d of %d matching lines in %d files. Narrow the pattern, the path or the glob, or raise the limit", shown, total, files),
		}}
	}
	return r
}
