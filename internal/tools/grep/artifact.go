package grep

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/tools"
)

// artifact searches the whole output of an earlier command.
func (t *Tool) artifact(ctx context.Context, re *regexp.Regexp, a args) (chat.ToolResult, error) {
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
	return t.stream(ctx, info.Path, artifact.Ref(id), re, a)
}

// stream searches one file that may be too large for memory.
func (t *Tool) stream(ctx context.Context, file, name string, re *regexp.Regexp, a args) (chat.ToolResult, error) {
	f, err := os.Open(file)
	if err != nil {
		return chat.ToolResult{}, tools.Errorf("%s cannot be read: %v", name, err)
	}
	defer func() { _ = f.Close() }() // read only
	found, err := inStream(ctx, f, re, a)
	if err != nil {
		return chat.ToolResult{}, tools.ErrAborted
	}
	return t.report(name, []match{found}, a), nil
}

// maxMatched is how much of one line is looked at.
const maxMatched = 1 << 20

// stream searches what is too large for memory.
type stream struct {
	re     *regexp.Regexp
	a      args
	found  match
	before []string // the last lines that stand in no block
	block  strings.Builder
	hits   int // in the block
	after  int // how many more lines belong to the block
}

// inStream searches a stream of any length. The error is that of ctx.
func inStream(ctx context.Context, r io.Reader, re *regexp.Regexp, a args) (match, error) {
	s := &stream{re: re, a: a}
	in := bufio.NewReaderSize(r, 256<<10)
	for n := 1; ; n++ {
		if ctx.Err() != nil {
			return s.found, ctx.Err()
		}
		line, err := nextLine(in)
		if len(line) > 0 || err == nil {
			s.line(n, line)
		}
		if err != nil {
			s.close()
			return s.found, nil //nolint:nilerr // the end, or what could be read until here
		}
	}
}

// nextLine reads a line without its end, at most maxMatched of it.
func nextLine(in *bufio.Reader) ([]byte, error) {
	part, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimRight(part, "\r\n"), err
	}
	line := bytes.Clone(part)
	for errors.Is(err, bufio.ErrBufferFull) {
		if part, err = in.ReadSlice('\n'); len(line) < maxMatched {
			line = append(line, part[:min(len(part), maxMatched-len(line))]...)
		}
	}
	return bytes.TrimRight(line, "\r\n"), err
}

func (s *stream) line(n int, line []byte) {
	hit := s.re.Match(line)
	if hit {
		s.found.lines++
		hit = s.found.lines <= s.a.Limit
	}
	switch {
	case hit:
		for _, b := range s.before {
			s.block.WriteString(b)
		}
		s.before = s.before[:0]
		s.block.WriteString(numbered(n, ':', line))
		s.hits++
		if s.after = s.a.Context; s.after == 0 {
			s.close()
		}
	case s.after > 0:
		s.block.WriteString(numbered(n, '-', line))
		s.after--
	default:
		if s.hits > 0 && len(s.before) == s.a.Context {
			s.close()
		}
		s.remember(n, line)
	}
}

// remember keeps a line that may stand before a match.
func (s *stream) remember(n int, line []byte) {
	if s.a.Context == 0 || s.found.lines >= s.a.Limit {
		return
	}
	if len(s.before) == s.a.Context {
		s.before = append(s.before[:0], s.before[1:]...)
	}
	s.before = append(s.before, numbered(n, '-', line))
}

func (s *stream) close() {
	if s.hits > 0 {
		s.found.blocks = append(s.found.blocks, block{text: s.block.String(), matches: s.hits})
	}
	s.block.Reset()
	s.hits = 0
}

func numbered(n int, mark rune, line []byte) string {
	text := tools.CutLine(strings.TrimRight(sanitize.ForModel(string(line)), "\r\n"))
	return fmt.Sprintf("%d%c%s\n", n, mark, text)
}
