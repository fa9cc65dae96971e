package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// minimal builds the least Bubble Tea program, to compare with.
func minimal(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "minimal")
	if out, err := exec.Command("go", "build", "-o", path, "./testdata/minimal").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// startTime starts a program, types at once, and measures until the first
// picture and until what was typed stands in it.
func startTime(b *testing.B, h *home, program string, ready string) (paint, keys time.Duration) {
	b.Helper()
	began := time.Now()
	tm := h.startProgram(b, program, 100, 30)
	tm.send("zq")
	tm.see(ready)
	paint = time.Since(began)
	tm.see("zq")
	keys = time.Since(began)
	tm.press("ctrl+c", "ctrl+c", "ctrl+d")
	_ = tm.cmd.Process.Kill()
	<-tm.done
	return paint, keys
}

// BenchmarkStart compares the time from exec to the first picture, and to the
// picture of the first keys, with that of the least program of the same kind.
func BenchmarkStart(b *testing.B) {
	h, least := newHome(b), minimal(b)
	var paint, keys, paintLeast, keysLeast time.Duration
	n := 0
	for b.Loop() {
		p, k := startTime(b, h, binary, "agent")
		pl, kl := startTime(b, h, least, "ready")
		paint, keys, paintLeast, keysLeast = paint+p, keys+k, paintLeast+pl, keysLeast+kl
		n++
	}
	b.ReportMetric(float64(paint.Microseconds())/1000/float64(n), "ms/paint")
	b.ReportMetric(float64(keys.Microseconds())/1000/float64(n), "ms/keys")
	b.ReportMetric(float64(paint)/float64(paintLeast), "x/minimal-paint")
	b.ReportMetric(float64(keys)/float64(keysLeast), "x/minimal-keys")
}

// BenchmarkIdle measures what the program costs while nothing happens.
func BenchmarkIdle(b *testing.B) {
	h := newHome(b)
	tm := h.start(b, 120, 40)
	tm.see("ANTHROPIC_API_KEY")
	tm.line("!seq 1 200")
	tm.see("200")
	const look = 3 * time.Second
	for b.Loop() {
		settle(time.Second)
		before, bytes := cpu(b, tm.cmd.Process.Pid), len(tm.written())
		settle(look)
		b.ReportMetric(100*(cpu(b, tm.cmd.Process.Pid)-before).Seconds()/look.Seconds(), "%cpu")
		b.ReportMetric(float64(len(tm.written())-bytes), "bytes-written")
		b.ReportMetric(float64(rss(b, tm.cmd.Process.Pid))/(1<<20), "MB-rss")
	}
}

// settle lets time pass: here, doing nothing is what is measured.
func settle(d time.Duration) { <-time.After(d) }

// cpu is the processor time that a process has used.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	const tick = 10 * time.Millisecond // USER_HZ is 100 on every Linux
	return time.Duration(user+system) * tick
}

// rss is the memory of a process in bytes.
func rss(b *testing.B, pid int) int64 {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Fatal(err)
	}
	pages, _ := strconv.ParseInt(strings.Fields(string(data))[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// BenchmarkEcho measures the time from a key to its picture, with an empty and
// with a long transcript.
func BenchmarkEcho(b *testing.B) {
	var empty, full time.Duration
	n := 0
	h := newHome(b)
	short := h.start(b, 120, 40)
	short.see("ANTHROPIC_API_KEY")
	long := h.start(b, 120, 40)
	long.see("ANTHROPIC_API_KEY")
	for i := range 3 {
		long.line("!seq 1 8000; echo chunk-$((" + strconv.Itoa(i) + "+100))")
		long.see("chunk-" + strconv.Itoa(i+100))
	}
	long.press("ctrl+o")
	long.until("everything is shown", func(s string) bool { return !strings.Contains(s, "more lines") })
	echo := func(tm *term) time.Duration {
		n++
		word := fmt.Sprintf("k%dk", n)
		settle(time.Duration(n%11) * 7 * time.Millisecond) // at any time between two frames
		began := time.Now()
		tm.send(word)
		tm.see(word)
		took := time.Since(began)
		tm.press("ctrl+c")
		tm.until("an empty editor", func(s string) bool { return !strings.Contains(s, word) })
		return took
	}
	for b.Loop() {
		empty += echo(short)
		full += echo(long)
	}
	b.ReportMetric(float64(full.Microseconds())/1000/float64(n/2), "ms/echo")
	b.ReportMetric(float64(full)/float64(empty), "x/empty-transcript")
}
