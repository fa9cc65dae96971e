package exec

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed7484d81d/agent/internal/sanitize"
)

// FuzzSink writes a stream in pieces of any size and compares what the sink
// knows with the whole stream.
func FuzzSink(f *testing.F) {
	f.Add([]byte("one\ntwo\n"), uint16(4), uint16(0), uint8(3))
	f.Add([]byte("日本語👍é\n\x1b[31mred\x1b[0m\r\n"), uint16(7), uint16(3), uint8(1))
	f.Add([]byte("a\x00b\xff\xfe\n\n"), uint16(2), uint16(1), uint8(2))
	f.Add([]byte(strings.Repeat("👍", 100)), uint16(51), uint16(25), uint8(7))
	f.Add([]byte("10%\r20%\r30%\n"), uint16(5), uint16(0), uint8(5))
	f.Fuzz(func(t *testing.T, p []byte, window, head uint16, piece uint8) {
		a := &artifact{}
		o := SinkOptions{MaxBytes: 1 + int(window), HeadBytes: int(head), Artifact: func() (io.WriteCloser, error) { return a, nil }}
		s := NewSink(o)
		for rest := p; len(rest) > 0; {
			n := min(len(rest), 1+int(piece))
			_, _ = s.Write(rest[:n])
			rest = rest[n:]
			_ = s.View()
		}
		s.close()
		v := s.View()
		if v.TotalBytes != int64(len(p)) || v.TotalLines != countLines(p) || v.Binary != (bytes.IndexByte(p, 0) >= 0) {
			t.Fatalf("%q: %+v", p, v)
		}
		if !utf8.ValidString(v.Text) || string(sanitize.Clean([]byte(v.Text))) != v.Text {
			t.Fatalf("%q: shows %q", p, v.Text)
		}
		if utf8.Valid(p) && !v.Binary && strings.Contains(v.Text, "\uFFFD") != bytes.Contains(p, []byte("\uFFFD")) && len(p) <= o.MaxBytes {
			t.Fatalf("%q: a rune was cut: %q", p, v.Text)
		}
		if o.HeadBytes == 0 && len(v.Text) > o.MaxBytes {
			t.Fatalf("%q: %d bytes of %d", p, len(v.Text), o.MaxBytes)
		}
		if full := v.Truncated || len(p) > o.MaxBytes; full && a.String() != string(p) || !full && a.Len() > 0 {
			t.Fatalf("%q: the artifact has %q, truncated %v", p, a.String(), v.Truncated)
		}
		if v.First < 0 || v.First > v.Last || v.Last > v.TotalLines {
			t.Fatalf("%q: lines %d to %d of %d", p, v.First, v.Last, v.TotalLines)
		}
	})
}

// TestBothCutsAreBetweenRunes moves a stream of wide runes by one byte at a time
// past the ends of a head and a tail.
func TestBothCutsAreBetweenRunes(t *testing.T) {
	for shift := range 4 {
		s := NewSink(SinkOptions{MaxBytes: rawWindow + 2, HeadBytes: 11})
		_, _ = s.Write([]byte(strings.Repeat("x", shift) + strings.Repeat("👍", rawWindow)))
		v := s.View()
		head, tail, cut := strings.Cut(v.Text, "\n… [")
		if !cut || strings.Contains(v.Text, "\uFFFD") || !strings.HasSuffix(tail, "👍") || len(head) > 11 {
			t.Errorf("shift %d: %.40q … %d bytes", shift, v.Text, len(v.Text))
		}
	}
}
