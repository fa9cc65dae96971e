package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// blockSize is the piece of a file that one entry of the index stands for.
const blockSize = 64 << 10

// maxPageLine is how much of a line a page shows, in bytes.
const maxPageLine = 16 << 10

// Pages reads a file by lines from anywhere in it. It builds an index of one
// number for each block, only as far as it was asked for, and goes on when the
// file grows. Methods are safe for concurrent use.
type Pages struct {
	f *os.File

	mu    sync.Mutex
	lines []int64 // line feeds before block i
	size  int64   // bytes that the index covers
}

// OpenPages opens a file for reading. Close it in the end.
func OpenPages(path string) (*Pages, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("artifact: %w", err)
	}
	return &Pages{f: f, lines: []int64{0}}, nil
}

// Close closes the file.
func (p *Pages) Close() error { return p.f.Close() }

// extend indexes until the given line is covered, or the file ends. It returns
// the number of line feeds that are covered.
func (p *Pages) extend(ctx context.Context, line int64) (int64, error) {
	buf := make([]byte, blockSize)
	for {
		last := len(p.lines) - 1
		if p.lines[last] >= line {
			return p.lines[last], nil
		}
		if err := ctx.Err(); err != nil {
			return 0, context.Cause(ctx)
		}
		n, err := p.f.ReadAt(buf, int64(last)*blockSize)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, fmt.Errorf("artifact: %w", err)
		}
		count := int64(bytes.Count(buf[:n], []byte{'\n'}))
		if n < blockSize { // the open block is counted anew next time
			p.size = int64(last)*blockSize + int64(n)
			return p.lines[last] + count, nil
		}
		p.lines = append(p.lines, p.lines[last]+count)
	}
}

// Count is the number of lines; a final line feed makes no further one.
func (p *Pages) Count(ctx context.Context) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, err := p.extend(ctx, 1<<62)
	if err != nil || p.size == 0 {
		return n, err
	}
	var last [1]byte
	if _, err := p.f.ReadAt(last[:], p.size-1); err == nil && last[0] != '\n' {
		n++
	}
	return n, nil
}

// Lines returns up to n raw lines from line first on, counted from 1, without
// their line feeds. Past the end there are none. A long line is cut, with a
// mark.
func (p *Pages) Lines(ctx context.Context, first int64, n int) ([]string, error) {
	if first < 1 || n <= 0 {
		return nil, nil
	}
	start, err := p.offset(ctx, first)
	if err != nil || start < 0 {
		return nil, err
	}
	var out []string
	s := scanner{r: io.NewSectionReader(p.f, start, 1<<62)}
	for len(out) < n {
		line, ok, err := s.next(ctx)
		if err != nil {
			return out, err
		}
		if !ok {
			break
		}
		out = append(out, line)
	}
	return out, nil
}

// offset is where a line begins, −1 if there is none.
func (p *Pages) offset(ctx context.Context, line int64) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	covered, err := p.extend(ctx, line)
	if err != nil {
		return 0, err
	}
	if covered < line-1 {
		return -1, nil
	}
	block := 0
	for i, before := range p.lines { // the block with the line feed that the line follows
		if before >= line-1 {
			break
		}
		block = i
	}
	buf := make([]byte, blockSize)
	at, skip := int64(block)*blockSize, line-1-p.lines[block]
	for skip > 0 {
		n, err := p.f.ReadAt(buf, at)
		if n == 0 {
			if errors.Is(err, io.EOF) {
				return -1, nil
			}
			return 0, fmt.Errorf("artifact: %w", err)
		}
		for i := range n {
			if buf[i] == '\n' {
				if skip--; skip == 0 {
					return at + int64(i) + 1, nil
				}
			}
		}
		at += int64(n)
	}
	return at, nil
}

// scanner reads lines and cuts the long ones.
type scanner struct {
	r    io.Reader
	buf  []byte
	done bool
}

func (s *scanner) next(ctx context.Context) (line string, ok bool, err error) {
	var b bytes.Buffer
	cut, any := 0, false
	keep := func(p []byte) {
		room := max(0, maxPageLine-b.Len())
		if len(p) > room {
			cut += len(p) - room
			p = p[:room]
		}
		b.Write(p)
	}
	for {
		if i := bytes.IndexByte(s.buf, '\n'); i >= 0 {
			keep(s.buf[:i])
			s.buf = s.buf[i+1:]
			any = true
			break
		}
		any = any || len(s.buf) > 0
		keep(s.buf)
		s.buf = nil
		if s.done {
			break
		}
		if ctx.Err() != nil {
			return "", false, context.Cause(ctx)
		}
		chunk := make([]byte, blockSize)
		n, err := io.ReadFull(s.r, chunk)
		s.buf, s.done = chunk[:n], err != nil
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return "", false, fmt.Errorf("artifact: %w", err)
		}
	}
	if !any {
		return "", false, nil
	}
	if cut > 0 {
		fmt.Fprintf(&b, "… [%d bytes omitted]", cut)
	}
	return b.String(), true, nil
}
