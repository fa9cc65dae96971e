// Package read is the tool that shows a file, an image, a directory or an
// artifact to a model. It changes nothing.
package read

import (
	"bufio"
	"bytes"
	"context"
	_ "embed" // the description
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/tools"
)

//go:embed read.md
var description string

const (
	defaultLines = 2000
	maxBytes     = 50 << 10 // of text in one result
	maxImage     = 5 << 20
)

// Options is what the tool works with.
type Options struct {
	Place     tools.Place
	Seen      *tools.Seen
	Artifacts *artifact.Store
}

// Tool is the tool "read".
type Tool struct {
	o    Options
	spec func() chat.ToolSpec
}

// New makes the tool.
func New(o Options) *Tool {
	return &Tool{o, tools.SpecOf[args]("read", description)}
}

type args struct {
	Path   string `json:"path" jsonschema:"file or directory, relative to the working directory or absolute, or artifact://N"`
	Offset int    `json:"offset,omitempty" jsonschema:"first line to show, from 1; a negative number counts from the end"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many lines to show; 2000 if left out"`
}

// Spec describes the tool.
func (t *Tool) Spec() chat.ToolSpec { return t.spec() }

// ReadOnly is true.
func (t *Tool) ReadOnly() bool { return true }

// Access is reading the path. Artifacts are the conversation's own.
func (t *Tool) Access(call chat.ToolCall) ([]chat.Access, error) {
	a, err := t.decode(call)
	if err != nil || artifact.IsRef(a.Path) {
		return nil, err
	}
	return []chat.Access{{Kind: chat.AccessRead, Path: t.o.Place.Resolve(a.Path)}}, nil
}

func (t *Tool) decode(call chat.ToolCall) (args, error) {
	a, err := tools.Decode[args](call)
	if err != nil {
		return a, err
	}
	if a.Limit < 0 {
		return a, tools.Errorf("read: limit has to be at least 1")
	}
	if a.Limit == 0 {
		a.Limit = defaultLines
	}
	if a.Offset == 0 {
		a.Offset = 1
	}
	return a, nil
}

// Run reads.
func (t *Tool) Run(ctx context.Context, call chat.ToolCall, _ tools.Progress) (chat.ToolResult, error) {
	a, err := t.decode(call)
	if err != nil {
		return chat.ToolResult{}, err
	}
	if artifact.IsRef(a.Path) {
		return t.artifact(ctx, a)
	}
	path := t.o.Place.Resolve(a.Path)
	info, err := os.Stat(path)
	if err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
	}
	switch {
	case info.IsDir():
		return t.directory(path)
	case !info.Mode().IsRegular():
		return chat.ToolResult{}, tools.Errorf("%s is no regular file", t.o.Place.Show(path))
	}
	return t.file(ctx, a, path)
}

func (t *Tool) file(ctx context.Context, a args, path string) (chat.ToolResult, error) {
	const whole = 8 << 20
	f, err := os.Open(path)
	if err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
	}
	defer func() { _ = f.Close() }() // read only
	head := make([]byte, 8<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
	}
	head = head[:n]
	if mime := http.DetectContentType(head); strings.HasPrefix(mime, "image/") {
		return t.image(path, mime)
	}
	if tools.IsBinary(head) {
		info, _ := f.Stat()
		return chat.ToolResult{}, tools.Errorf("%s is a binary file of %s; look at it with a program, such as file, strings or xxd", t.o.Place.Show(path), tools.Size(info.Size()))
	}
	if info, err := f.Stat(); err == nil && info.Size() <= whole && t.o.Seen != nil {
		if data, err := os.ReadFile(path); err == nil {
			t.o.Seen.Note(path, data)
		}
	}
	p, err := artifact.OpenPages(path)
	if err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(a.Path, err)
	}
	defer func() { _ = p.Close() }() // read only
	return t.page(ctx, a, p, t.o.Place.Show(path))
}

func (t *Tool) artifact(ctx context.Context, a args) (chat.ToolResult, error) {
	id, ok := artifact.ParseRef(a.Path)
	if !ok {
		return chat.ToolResult{}, tools.Errorf("%q names no artifact; they are written artifact://1", a.Path)
	}
	if t.o.Artifacts == nil {
		return chat.ToolResult{}, tools.Errorf("there are no artifacts in this session")
	}
	info, err := t.o.Artifacts.Lookup(id)
	if err != nil {
		return chat.ToolResult{}, tools.Errorf("%v", err)
	}
	p, err := artifact.OpenPages(info.Path)
	if err != nil {
		return chat.ToolResult{}, tools.Errorf("%v", err)
	}
	defer func() { _ = p.Close() }() // read only
	return t.page(ctx, a, p, artifact.Ref(id))
}

// page shows lines of a file, with their numbers.
func (t *Tool) page(ctx context.Context, a args, p *artifact.Pages, name string) (chat.ToolResult, error) {
	total, err := p.Count(ctx)
	if err != nil {
		return chat.ToolResult{}, stopped(ctx, err)
	}
	first := int64(a.Offset)
	if first < 0 {
		first = max(1, total+1+first)
	}
	if total == 0 {
		return result("(the file is empty)", chat.Listing{Path: name}), nil
	}
	if first > total {
		return chat.ToolResult{}, tools.Errorf("%s has %d lines, so there is nothing from line %d on", name, total, first)
	}
	lines, err := p.Lines(ctx, first, a.Limit)
	if err != nil {
		return chat.ToolResult{}, stopped(ctx, err)
	}
	var b strings.Builder
	shown := 0
	for i, line := range lines {
		line = tools.CutLine(strings.TrimSuffix(sanitize.ForModel(line), "\n"))
		text := fmt.Sprintf("%6d\t%s\n", first+int64(i), line)
		if b.Len()+len(text) > maxBytes && shown > 0 {
			break
		}
		b.WriteString(text)
		shown++
	}
	last := first + int64(shown) - 1
	r := result(b.String(), chat.Listing{Path: name, Shown: shown, Total: int(total), First: int(first)})
	if last < total {
		r.Notices = []chat.Notice{{
			Kind: "truncated",
			Text: fmt.Sprintf("Showing lines %d-%d of %d. Go on with offset %d", first, last, total, last+1),
		}}
	}
	return r, nil
}

func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return tools.ErrAborted
	}
	return tools.Errorf("%v", err)
}

func result(text string, l chat.Listing) chat.ToolResult {
	return chat.ToolResult{Parts: []chat.Part{chat.TextPart(text)}, Details: &chat.Details{Listing: &l}}
}

func (t *Tool) image(path, mime string) (chat.ToolResult, error) {
	info, err := os.Stat(path)
	if err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(path, err)
	}
	name := t.o.Place.Show(path)
	switch mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
	default:
		return chat.ToolResult{}, tools.Errorf("%s is a picture of a kind that models cannot see (%s); convert it to PNG first", name, mime)
	}
	if info.Size() > maxImage {
		return chat.ToolResult{}, tools.Errorf("%s is a picture of %s; make it smaller than %s first", name, tools.Size(info.Size()), tools.Size(maxImage))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(path, err)
	}
	r := result(fmt.Sprintf("%s, %s, %s", name, mime, tools.Size(info.Size())), chat.Listing{Path: name})
	r.Parts = append(r.Parts, chat.Part{Kind: chat.PartImage, Image: &chat.Image{MIME: mime, Data: data}})
	return r, nil
}

// directory lists the names in a directory, for a model that reads one.
func (t *Tool) directory(path string) (chat.ToolResult, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return chat.ToolResult{}, t.o.Place.PathError(path, err)
	}
	const most = 500
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	for i, e := range entries {
		if i == most {
			break
		}
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		_, _ = fmt.Fprintln(w, sanitize.OneLine(name)) // into memory
	}
	_ = w.Flush()
	text := b.String()
	if text == "" {
		text = "(the directory is empty)"
	}
	r := result(text, chat.Listing{Path: t.o.Place.Show(path) + "/", Shown: min(len(entries), most), Total: len(entries)})
	if len(entries) > most {
		r.Notices = []chat.Notice{{Kind: "truncated", Text: fmt.Sprintf("Showing %d of %d entries. Use find for the rest", most, len(entries))}}
	}
	return r, nil
}
