package sanitize

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestNoInputIsDear cleans a long line followed by what works on all of it,
// again and again. Work for each sequence would take minutes.
func TestNoInputIsDear(t *testing.T) {
	const limit = 5 * time.Second
	for _, s := range []string{
		"\x1b[2K", "\x1b[1K", "\x1b[K", "\r", "\b", "\rx", "x\b", "\x1b[G", "\x1b[1Kx", "\x1b[2K\r", "\b\x1b[1Kx", "\x1b", "\x1b[", "\xff", "\u009b", "\x1b]0;", "日\b",
	} {
		in := append(bytes.Repeat([]byte("日a"), 128<<10), bytes.Repeat([]byte(s), 128<<10)...)
		begun := time.Now()
		Clean(in)
		if took := time.Since(begun); took > limit {
			t.Errorf("%q takes %v", s, took)
		}
	}
}

// TestAHundredMegabytesInOneLine are cleaned in the memory of one line.
func TestAHundredMegabytesInOneLine(t *testing.T) {
	const pieces, size = 1600, 64 << 10
	var c Cleaner
	chunk := []byte(strings.Repeat("x", size))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range pieces {
		_, _ = c.Write(chunk)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8*maxLine {
		t.Errorf("%d bytes were allocated", got)
	}
	if want := fmt.Sprintf("… [%d chars omitted]", pieces*size-maxLine); !strings.HasSuffix(c.Open(), want) {
		t.Errorf("ends in %q, want %q", c.Open()[maxLine-3:], want)
	}
}
