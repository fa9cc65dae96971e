package exec

import (
	"context"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// plain is how long a bash of its own takes for a script.
func plain(b *testing.B, script string) time.Duration {
	b.Helper()
	begun := time.Now()
	if err := osexec.CommandContext(b.Context(), "/bin/bash", "--norc", "-c", script).Run(); err != nil {
		b.Fatal(err)
	}
	return time.Since(begun)
}

// BenchmarkTrue compares a call of "true" with a bash of its own, with the time
// to think that is between two calls of a model.
func BenchmarkTrue(b *testing.B) {
	for name, functions := range map[string]int{"empty": 0, "200functions": 200} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, Options{})
			for i := range functions {
				r.run(fmt.Sprintf("fn_%d() { local x=$1; if [ \"$x\" = y ]; then echo \"value %d\"; else printf '%%s\\n' \"$x\"; fi; }; alias al_%d='ls -la /some/where/%d'", i, i, i, i))
			}
			think := func() { <-time.After(20 * time.Millisecond) }
			var ours, theirs time.Duration
			for b.Loop() {
				think()
				begun := time.Now()
				r.run("true")
				ours += time.Since(begun)
				think()
				theirs += plain(b, "true")
			}
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N)/1000, "ms/call")
			b.ReportMetric(float64(ours)/float64(theirs), "x/bash")
		})
	}
}

// gigabyte makes a file of lines.
func gigabyte(b *testing.B, dir string) string {
	b.Helper()
	source := filepath.Join(dir, "source")
	plain(b, "yes 'a line of output as long as many are, more or less' | head -c 1G >"+source)
	return source
}

// BenchmarkOutput compares the speed of a long output with that of a pipe of
// the shell that does the same, and tells by how much memory grows meanwhile.
func BenchmarkOutput(b *testing.B) {
	dir := b.TempDir()
	source, target := gigabyte(b, dir), filepath.Join(dir, "target")
	for name, tt := range map[string]struct {
		artifact func() (io.WriteCloser, error)
		plain    string
	}{
		"artifact": {func() (io.WriteCloser, error) { return os.Create(target) }, "cat " + source + " | cat >" + target},
		"window":   {nil, "cat " + source + " | cat >/dev/null"},
	} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, Options{})
			ours, theirs, grown := time.Hour, time.Hour, 0.0
			for b.Loop() {
				for range 3 { // the best of them, because a disk has moods
					_ = os.Remove(target) // or there is none
					before := resident(b, "VmRSS:", true)
					res, _ := r.do(b.Context(), Request{Command: "cat " + source, Sink: NewSink(SinkOptions{Artifact: tt.artifact})})
					ours, grown = min(ours, res.Duration), max(grown, resident(b, "VmHWM:", false)-before)
					_ = os.Remove(target) // or there is none
					theirs = min(theirs, plain(b, tt.plain))
				}
			}
			b.ReportMetric(float64(theirs)/float64(ours), "x/speed-of-cat")
			b.ReportMetric(grown, "MB-grown")
		})
	}
}

// resident reads a figure of our memory in MB, and can forget the peak so far.
func resident(b *testing.B, field string, forget bool) float64 {
	b.Helper()
	if forget {
		runtime.GC()
		if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
			b.Fatal(err)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), field)
	kb, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb / 1024
}

// BenchmarkCancel is the time from a cancel to the result, for a plain sleep
// and for a tree that ignores SIGTERM.
func BenchmarkCancel(b *testing.B) {
	for name, command := range map[string]string{
		"sleep": "echo up; sleep 1000", "stubborn": "trap '' TERM; (trap '' TERM; while :; do sleep 1000; done) & echo up; while :; do sleep 1000; done",
	} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, Options{})
			var total, worst time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				sink, end := NewSink(SinkOptions{}), make(chan Result, 1)
				go func() { end <- r.x.Run(ctx, Request{Shell: r.s, Command: command, Sink: sink}) }()
				until(b, "up", func() bool { return sink.View().TotalBytes > 0 })
				begun := time.Now()
				cancel()
				<-end
				took := time.Since(begun)
				total, worst = total+took, max(worst, took)
			}
			b.ReportMetric(float64(total.Microseconds())/float64(b.N)/1000, "ms/cancel")
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms/worst")
		})
	}
}

// BenchmarkFlood has a screen that takes 50 ms for a picture and looks at most
// 30 times a second. The producer must not notice.
func BenchmarkFlood(b *testing.B) {
	source := gigabyte(b, b.TempDir())
	r := newRig(b, Options{})
	run := func(changed func(), sink *Sink) time.Duration {
		res, _ := r.do(b.Context(), Request{Command: "cat " + source, Sink: sink, OnChange: changed})
		return res.Duration
	}
	watched, alone, pictures, seconds := time.Hour, time.Hour, 0, 0.0
	for b.Loop() {
		for range 3 {
			sink := NewSink(SinkOptions{})
			screen := newSlowScreen(sink)
			took := run(screen.changed, sink)
			pictures, seconds = pictures+screen.stop(), seconds+took.Seconds()
			watched, alone = min(watched, took), min(alone, run(nil, NewSink(SinkOptions{})))
		}
	}
	b.ReportMetric(float64(watched)/float64(alone), "x/unwatched")
	b.ReportMetric(float64(pictures)/seconds, "pictures/s")
}

type slowScreen struct {
	dirty    atomic.Bool
	end      chan struct{}
	pictures chan int
}

func newSlowScreen(sink *Sink) *slowScreen {
	s := &slowScreen{end: make(chan struct{}), pictures: make(chan int)}
	go func() {
		n := 0
		tick := time.NewTicker(33 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-s.end:
				s.pictures <- n
				return
			case <-tick.C:
				if s.dirty.Swap(false) {
					_ = sink.View()
					<-time.After(50 * time.Millisecond) // drawing
					n++
				}
			}
		}
	}()
	return s
}

func (s *slowScreen) changed() { s.dirty.Store(true) }

func (s *slowScreen) stop() int {
	close(s.end)
	return <-s.pictures
}
