package exec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

type artifact struct {
	bytes.Buffer
	fails  error
	closed bool
}

func (a *artifact) Write(p []byte) (int, error) {
	if a.fails != nil {
		return 0, a.fails
	}
	return a.Buffer.Write(p)
}

func (a *artifact) Close() error { a.closed = true; return nil }

func sinkWith(o SinkOptions, a *artifact) *Sink {
	o.Artifact = func() (io.WriteCloser, error) { return a, nil }
	return NewSink(o)
}

func TestExactlyTheWindowIsNotTruncated(t *testing.T) {
	for _, n := range []int{0, 1, 51199, 51200} {
		a := &artifact{}
		s := sinkWith(SinkOptions{}, a)
		_, _ = s.Write([]byte(strings.Repeat("x", n)))
		if v := s.View(); v.Truncated || len(v.Text) != n || a.Len() != 0 || v.TotalBytes != int64(n) {
			t.Errorf("%d bytes: %+v, artifact %d", n, v.TotalBytes, a.Len())
		}
	}
	a := &artifact{}
	s := sinkWith(SinkOptions{}, a)
	_, _ = s.Write([]byte(strings.Repeat("x", 51200)))
	_, _ = s.Write([]byte("y"))
	v := s.View()
	if !v.Truncated || v.By != "bytes" || v.OutputBytes != 51200 || a.Len() != 51201 || !v.Saved || v.TotalLines != 1 || v.First != 1 || v.Last != 1 {
		t.Errorf("%+v, artifact %d", v, a.Len())
	}
	s.close()
	if !a.closed {
		t.Error("the artifact is open")
	}
}

func TestLinesAreCountedWithoutAPhantom(t *testing.T) {
	for in, want := range map[string]int64{"": 0, "a": 1, "a\n": 1, "a\nb": 2, "\n": 1, "\n\n": 2, "1\n2\n3\n": 3} {
		s := NewSink(SinkOptions{})
		_, _ = s.Write([]byte(in))
		if v := s.View(); v.TotalLines != want || v.OutputLines != want {
			t.Errorf("%q: %d lines, %d shown, want %d", in, v.TotalLines, v.OutputLines, want)
		}
	}
}

func TestLimitsOnLines(t *testing.T) {
	two, none := 2, 0
	for _, tt := range []struct {
		o           SinkOptions
		in, text    string
		by          string
		first, last int64
	}{
		{SinkOptions{LastLines: &two}, "1\n2\n3\n", "2\n3\n", "", 2, 3},
		{SinkOptions{LastLines: &two}, "1\n2\n3", "2\n3", "", 2, 3},
		{SinkOptions{LastLines: &two}, "1\n", "1\n", "", 1, 1},
		{SinkOptions{LastLines: &none}, "1\n2\n", "", "", 0, 0},
		{SinkOptions{MaxLines: 2}, "1\n2\n3\n4\n", "3\n4\n", "lines", 3, 4},
		{SinkOptions{MaxLines: 5}, "1\n2\n", "1\n2\n", "", 1, 2},
		{SinkOptions{MaxBytes: 4}, "11\n22\n33\n", "\n33\n", "bytes", 2, 3},
		{SinkOptions{MaxBytes: 10, HeadBytes: 4}, "aa\n" + strings.Repeat("m", rawWindow) + "\nzz\n", "aa\nm\n… [262139 bytes omitted] …\nmm\nzz\n", "bytes", 1, 3},
	} {
		s := NewSink(tt.o)
		_, _ = s.Write([]byte(tt.in))
		v := s.View()
		if tt.o.HeadBytes > 0 {
			if !strings.HasPrefix(v.Text, "aa\nm\n… [") || !strings.HasSuffix(v.Text, "mm\nzz\n") || !v.Truncated {
				t.Errorf("head: %q", v.Text)
			}
			continue
		}
		if v.Text != tt.text || v.By != tt.by || v.First != tt.first || v.Last != tt.last {
			t.Errorf("%q: %q by %q, lines %d–%d; want %q %q %d–%d", tt.in, v.Text, v.By, v.First, v.Last, tt.text, tt.by, tt.first, tt.last)
		}
	}
}

// TestEveryWriteIsCounted compares a sink with the whole stream in memory, for
// random pieces.
func TestEveryWriteIsCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		a := &artifact{}
		window := 1 + r.IntN(200)
		s := sinkWith(SinkOptions{MaxBytes: window}, a)
		var all bytes.Buffer
		for range r.IntN(40) {
			var piece bytes.Buffer
			for range r.IntN(30) {
				piece.WriteString([]string{"a", "é", "日", "👍", "\n", "word "}[r.IntN(6)])
			}
			p := piece.Bytes()
			all.Write(p)
			_, _ = s.Write(p)
		}
		v := s.View()
		total := all.String()
		if v.TotalBytes != int64(len(total)) || v.TotalLines != countLines(all.Bytes()) {
			t.Fatalf("%q: counted %d bytes, %d lines", total, v.TotalBytes, v.TotalLines)
		}
		if !strings.HasSuffix(total, v.Text) || !utf8.ValidString(v.Text) || len(v.Text) > window {
			t.Fatalf("%q: shows %q", total, v.Text)
		}
		if v.Truncated != (len(total) > window) || v.Truncated && len(v.Text) < window-3 {
			t.Fatalf("%d of %d bytes: truncated %v, shows %d", len(total), window, v.Truncated, len(v.Text))
		}
		if v.Truncated && a.String() != total || !v.Truncated && a.Len() > 0 {
			t.Fatalf("the artifact has %d of %d bytes", a.Len(), len(total))
		}
		if v.OutputLines > 0 {
			lines := strings.SplitAfter(total, "\n")
			shown := strings.Join(lines[v.First-1:v.Last], "")
			if !strings.HasSuffix(shown, v.Text) {
				t.Fatalf("lines %d–%d are not %q", v.First, v.Last, v.Text)
			}
		}
	}
}

func TestAProgressBarIsOneLine(t *testing.T) {
	s := NewSink(SinkOptions{})
	for i := range 100000 {
		_, _ = fmt.Fprintf(s, "\rdownloading %d%%", i/1000)
	}
	_, _ = s.Write([]byte("\ndone\n"))
	if v := s.View(); !strings.HasSuffix(v.Text, "downloading 99%\ndone\n") || v.OutputLines != 2 {
		t.Errorf("%d lines, %.100q", v.OutputLines, v.Text)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	s := NewSink(SinkOptions{})
	chunk := bytes.Repeat([]byte("0123456789abcde\n"), 4096)
	for range 2000 {
		_, _ = s.Write(chunk)
	}
	if cap(s.ring) > 2*rawWindow {
		t.Errorf("the window takes %d bytes", cap(s.ring))
	}
	if v := s.View(); v.TotalBytes != 2000<<16 || v.TotalLines != 2000*4096 || !v.Truncated || v.Last != v.TotalLines {
		t.Errorf("%d bytes, %d lines", v.TotalBytes, v.TotalLines)
	}
}

func TestAFailingArtifactIsToldAndHurtsNothing(t *testing.T) {
	a := &artifact{fails: errors.New("no space left on device")}
	s := sinkWith(SinkOptions{MaxBytes: 10}, a)
	_, _ = s.Write([]byte("0123456789abc"))
	_, _ = s.Write([]byte("def"))
	if v := s.View(); v.Text != "6789abcdef" || !v.Incomplete || v.Saved {
		t.Errorf("%+v", v)
	}
	if notes := s.close(); len(notes) != 1 || notes[0] != "Full output was not saved completely: no space left on device" {
		t.Errorf("%q", notes)
	}
	s = NewSink(SinkOptions{MaxBytes: 1, Artifact: func() (io.WriteCloser, error) { return nil, errors.New("read-only file system") }})
	_, _ = s.Write([]byte("ab"))
	if notes := s.close(); len(notes) != 1 || !strings.Contains(notes[0], "read-only") {
		t.Errorf("%q", notes)
	}
}

func TestBinaryOutputIsMarked(t *testing.T) {
	s := NewSink(SinkOptions{})
	_, _ = s.Write([]byte("A\x00B\n"))
	if v := s.View(); !v.Binary || v.Text != "A\uFFFDB\n" {
		t.Errorf("%+v", v)
	}
}

func BenchmarkSinkWrite(b *testing.B) {
	s := NewSink(SinkOptions{})
	chunk := bytes.Repeat([]byte("0123456789abcdefghijklmnopqrstuvwxyz some words of a line\n"), 64<<10/58)
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		_, _ = s.Write(chunk)
	}
}
