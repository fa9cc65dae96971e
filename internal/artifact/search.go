package artifact

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// searchSize is how much is looked at at once.
const searchSize = 1 << 20

// Search finds the next line from line from on, or the last one before it if
// forward is false, that holds a text. A text without capitals finds both.
func (p *Pages) Search(ctx context.Context, needle string, from int64, forward bool) (line int64, ok bool, err error) {
	if needle == "" || len(needle) > searchSize/2 {
		return 0, false, nil
	}
	start, err := p.offset(ctx, max(1, from))
	if err != nil {
		return 0, false, err
	}
	s := finder{p: p, want: []byte(needle), fold: needle == string(bytes.ToLower([]byte(needle)))}
	at := int64(-1)
	switch {
	case forward && start >= 0:
		at, err = s.forward(ctx, start)
	case !forward && start < 0: // behind the end
		info, statErr := p.f.Stat()
		if statErr != nil {
			return 0, false, fmt.Errorf("artifact: %w", statErr)
		}
		at, err = s.backward(ctx, info.Size())
	case !forward:
		at, err = s.backward(ctx, start)
	}
	if err != nil || at < 0 {
		return 0, false, err
	}
	line, err = p.lineAt(ctx, at)
	return line, err == nil, err
}

// lineAt is the number of the line that a byte stands in.
func (p *Pages) lineAt(ctx context.Context, at int64) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	block := int(at / blockSize)
	for have := len(p.lines); have <= block; have = len(p.lines) {
		if _, err := p.extend(ctx, p.lines[have-1]+1); err != nil {
			return 0, err
		}
		if len(p.lines) == have {
			return 0, errors.New("artifact: the file became shorter")
		}
	}
	buf := make([]byte, at-int64(block)*blockSize)
	if n, err := p.f.ReadAt(buf, int64(block)*blockSize); n < len(buf) && err != nil {
		return 0, fmt.Errorf("artifact: %w", err)
	}
	return p.lines[block] + int64(bytes.Count(buf, []byte{'\n'})) + 1, nil
}

// finder looks for bytes. Pieces overlap, so that what stands on a border is
// found too.
type finder struct {
	p    *Pages
	want []byte
	fold bool
	buf  []byte
}

func (s *finder) forward(ctx context.Context, at int64) (int64, error) {
	for {
		piece, last, err := s.read(ctx, at, searchSize)
		if err != nil {
			return -1, err
		}
		if i := bytes.Index(piece, s.want); i >= 0 {
			return at + int64(i), nil
		}
		if last {
			return -1, nil
		}
		at += int64(len(piece) - len(s.want) + 1)
	}
}

func (s *finder) backward(ctx context.Context, end int64) (int64, error) {
	for end > 0 {
		at := max(0, end-searchSize)
		piece, _, err := s.read(ctx, at, int(end-at))
		if err != nil {
			return -1, err
		}
		if i := bytes.LastIndex(piece, s.want); i >= 0 {
			return at + int64(i), nil
		}
		if at == 0 {
			break
		}
		end = at + int64(len(s.want)) - 1
	}
	return -1, nil
}

// read gets a piece of the file, in small letters if that is how it is compared.
func (s *finder) read(ctx context.Context, at int64, size int) (piece []byte, last bool, err error) {
	if ctx.Err() != nil {
		return nil, false, context.Cause(ctx)
	}
	if cap(s.buf) < size {
		s.buf = make([]byte, size)
	}
	n, err := s.p.f.ReadAt(s.buf[:size], at)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, fmt.Errorf("artifact: %w", err)
	}
	piece = s.buf[:n]
	if s.fold {
		for i, c := range piece {
			if 'A' <= c && c <= 'Z' {
				piece[i] = c + 'a' - 'A'
			}
		}
	}
	return piece, n < size, nil
}
