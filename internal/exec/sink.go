package exec

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"github.com/seed7484d81d/agent/internal/sanitize"
)

// defaultMaxBytes is how much of an output is shown: 50 KiB.
const defaultMaxBytes = 50 << 10

// rawWindow is how much raw output is kept to show MaxBytes of it. It is more,
// because what progress bars overwrite does not show.
const rawWindow = 256 << 10

// SinkOptions bounds an output. Zero values take the defaults.
type SinkOptions struct {
	MaxBytes  int // shown of the cleaned text; 0: 50 KiB
	HeadBytes int // of these, how many show the beginning; 0: only the end is shown
	MaxLines  int // shown; 0: no limit
	// LastLines shows only the last lines, as "| tail" would; nil: no limit.
	// What it leaves out is not called truncated while it can be known from
	// the artifact.
	LastLines *int
	// Artifact makes the file for the whole raw output. It is called once, when
	// there is more than MaxBytes; nil keeps nothing.
	Artifact func() (io.WriteCloser, error)
}

// Sink takes the output of one run: the window that is shown, exact counts, and
// the whole of it in an artifact once it is too long for the window. Its memory
// does not grow with the output. One goroutine writes; any may look.
type Sink struct {
	o SinkOptions

	// saving is held while the artifact is written, which may take as long as
	// its disk wants. Who only looks does not wait for that.
	saving   sync.Mutex
	artifact io.WriteCloser
	asked    bool // for an artifact

	mu       sync.Mutex
	head     []byte
	ring     []byte // the last raw bytes
	pos      int    // in ring, of the oldest byte, once it is full
	bytes    int64
	newlines int64
	last     byte
	binary   bool
	saved    bool  // there is an artifact, and it has all of it
	failed   error // of the artifact
	closed   bool
}

// NewSink makes an empty sink.
func NewSink(o SinkOptions) *Sink {
	o.MaxBytes = cmp.Or(o.MaxBytes, defaultMaxBytes)
	o.HeadBytes = min(o.HeadBytes, o.MaxBytes/2)
	return &Sink{o: o}
}

// Write takes more output. It never fails, and waits for nothing but the
// artifact.
func (s *Sink) Write(p []byte) (int, error) {
	n := len(p)
	if n == 0 {
		return 0, nil
	}
	s.saving.Lock()
	defer s.saving.Unlock()
	if s.closed {
		return n, nil
	}
	saved, failed := s.save(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saved, s.failed = saved, failed
	s.bytes += int64(n)
	s.newlines += int64(bytes.Count(p, newline))
	s.last = p[n-1]
	s.binary = s.binary || bytes.IndexByte(p, 0) >= 0
	if room := s.o.HeadBytes - len(s.head); room > 0 {
		room = min(room, len(p))
		s.head = append(s.head, p[:room]...)
		p = p[room:]
	}
	s.keep(p)
	return n, nil
}

var newline = []byte{'\n'} //nolint:gochecknoglobals // never written

// save writes to the artifact, which begins with all that was before. Only the
// writer changes what it reads here.
func (s *Sink) save(p []byte) (saved bool, failed error) {
	failed = s.failed
	if !s.asked && s.o.Artifact != nil && s.bytes+int64(len(p)) > int64(s.o.MaxBytes) {
		s.asked = true
		s.artifact, failed = s.o.Artifact()
		older, newer := s.window()
		for _, before := range [][]byte{s.head, older, newer} {
			failed = s.store(before, failed)
		}
	}
	failed = s.store(p, failed)
	return s.asked && failed == nil, failed
}

func (s *Sink) store(p []byte, failed error) error {
	if s.artifact == nil || failed != nil || len(p) == 0 {
		return failed
	}
	_, err := s.artifact.Write(p)
	return err
}

// keep puts bytes into the ring, which grows to its size and then turns.
func (s *Sink) keep(p []byte) {
	size := max(rawWindow, s.o.MaxBytes)
	if room := size - len(s.ring); room > 0 {
		room = min(room, len(p))
		s.ring = append(s.ring, p[:room]...)
		p = p[room:]
	}
	if len(p) >= size {
		copy(s.ring, p[len(p)-size:])
		s.pos = 0
		return
	}
	k := copy(s.ring[s.pos:], p)
	copy(s.ring, p[k:])
	if len(p) > 0 {
		s.pos = (s.pos + len(p)) % size
	}
}

func (s *Sink) window() (older, newer []byte) { return s.ring[s.pos:], s.ring[:s.pos] }

// close ends the artifact and says what was not saved.
func (s *Sink) close() []string {
	s.saving.Lock()
	defer s.saving.Unlock()
	failed := s.failed
	if s.artifact != nil {
		if err := s.artifact.Close(); err != nil && failed == nil {
			failed = err
		}
		s.artifact = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed, s.failed, s.saved = true, failed, s.saved && failed == nil
	if failed != nil {
		return []string{fmt.Sprintf("Full output was not saved completely: %v", failed)}
	}
	return nil
}

// View is what an output looks like at one moment.
type View struct {
	Text      string // cleaned, at most MaxBytes, whole runes
	Truncated bool
	By        string // "bytes" or "lines" if Truncated
	// TotalLines and TotalBytes count the true stream; a final newline makes no
	// further line.
	TotalLines, TotalBytes int64
	// OutputLines and OutputBytes count Text.
	OutputLines, OutputBytes int64
	First, Last              int64 // lines of the true stream in Text, from 1; 0 if there are none
	Binary                   bool  // there was a NUL byte
	Saved                    bool  // the artifact has all of it so far
	Incomplete               bool  // there should be an artifact, but it lacks something
}

// View looks at the output. It is cheap enough for every frame of a screen, and
// may be called while the run goes on.
func (s *Sink) View() View {
	head, raw, v := s.snapshot()
	whole := int64(len(head)+len(raw)) == v.TotalBytes
	if whole {
		raw = append(head, raw...)
	} else if len(head) == 0 {
		raw = dropPartLine(raw)
	}
	text := sanitize.Clean(raw)
	by := ""
	if !whole || len(text) > s.o.MaxBytes {
		by = "bytes"
	}
	text = lastBytes(text, s.o.MaxBytes-len(head))
	if s.o.LastLines != nil {
		text = lastLines(text, *s.o.LastLines)
		if v.Saved && countLines(text) < v.TotalLines {
			by = cmp.Or(by, "lines")
		} else if countLines(text) >= int64(*s.o.LastLines) {
			by = "" // all that was asked for
		}
	}
	if m := s.o.MaxLines; m > 0 && countLines(text) > int64(m) {
		text, by = lastLines(text, m), "lines"
	}
	v.OutputLines = countLines(text)
	if v.OutputLines > 0 {
		v.First, v.Last = v.TotalLines-v.OutputLines+1, v.TotalLines
	}
	if by != "" && len(head) > 0 && !whole {
		text = withHead(sanitize.Clean(head), text, v.TotalBytes-int64(len(head)+len(raw)))
		v.First = 1
	}
	v.Text, v.Truncated, v.By, v.OutputBytes = string(text), by != "", by, int64(len(text))
	return v
}

// snapshot copies what View needs, so that the writer waits only for that.
func (s *Sink) snapshot() (head, raw []byte, v View) {
	s.mu.Lock()
	defer s.mu.Unlock()
	older, newer := s.window()
	raw = append(append(make([]byte, 0, len(s.ring)), older...), newer...)
	v = View{
		TotalLines: s.newlines, TotalBytes: s.bytes, Binary: s.binary,
		Saved: s.saved, Incomplete: s.failed != nil,
	}
	if s.bytes > 0 && s.last != '\n' {
		v.TotalLines++
	}
	return bytes.Clone(s.head), raw, v
}

// dropPartLine drops what belongs to a line whose beginning is lost: it may
// begin inside an escape sequence. What follows a CR begins the line anew. A
// window without either is kept.
func dropPartLine(p []byte) []byte {
	if i := bytes.IndexAny(p, "\r\n"); i >= 0 && i+1 < len(p) {
		return p[i+1:]
	}
	return p
}

// lastBytes keeps at most n bytes, and no part of a rune.
func lastBytes(p []byte, n int) []byte {
	if len(p) <= n {
		return p
	}
	p = p[len(p)-max(0, n):]
	for len(p) > 0 && !utf8.RuneStart(p[0]) {
		p = p[1:]
	}
	return p
}

// lastLines keeps at most n lines.
func lastLines(p []byte, n int) []byte {
	if n <= 0 {
		return nil
	}
	end := len(p)
	if end > 0 && p[end-1] == '\n' {
		end--
	}
	for ; n > 0; n-- {
		i := bytes.LastIndexByte(p[:end], '\n')
		if i < 0 {
			return p
		}
		end = i
	}
	return p[end+1:]
}

func countLines(p []byte) int64 {
	n := int64(bytes.Count(p, newline))
	if len(p) > 0 && p[len(p)-1] != '\n' {
		n++
	}
	return n
}

func withHead(head, tail []byte, left int64) []byte {
	if len(head) > 0 && head[len(head)-1] != '\n' {
		head = append(head, '\n')
	}
	head = append(head, fmt.Sprintf("… [%d bytes omitted] …\n", left)...)
	return append(head, tail...)
}
