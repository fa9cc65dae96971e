package exec

import (
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkTrue compares a call of "true" with a bash of its own, with the time
// to think that is between two calls of a model.
func BenchmarkTrue(b *testing.B) {
	r := newRig(b, Options{})
	think := func() { <-time.After(10 * time.Millisecond) }
	var ours, plain time.Duration
	n := 0
	for b.Loop() {
		think()
		begun := time.Now()
		r.run("true")
		ours += time.Since(begun)
		think()
		begun = time.Now()
		_ = osexec.Command("/bin/bash", "--norc", "-c", "true").Run()
		plain += time.Since(begun)
		n++
	}
	b.ReportMetric(float64(ours.Microseconds())/float64(n)/1000, "ms/call")
	b.ReportMetric(float64(ours)/float64(plain), "x/bash")
}

// BenchmarkOutput compares the speed of a long output with that of a pipe of
// the shell that does the same.
func BenchmarkOutput(b *testing.B) {
	const megabytes = 200
	dir := b.TempDir()
	source, target := filepath.Join(dir, "source"), filepath.Join(dir, "target")
	out, err := osexec.Command("bash", "-c", fmt.Sprintf("yes 'a line of output as long as many are, more or less' | head -c %dM >%s", megabytes, source)).CombinedOutput()
	if err != nil {
		b.Fatalf("%v %s", err, out)
	}
	for name, tt := range map[string]struct {
		artifact bool
		plain    string
	}{
		"artifact": {true, "cat " + source + " | cat >" + target},
		"window":   {false, "cat " + source + " | cat >/dev/null"},
	} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b, Options{})
			var ours, plain time.Duration
			for b.Loop() {
				o := SinkOptions{}
				if tt.artifact {
					o.Artifact = func() (io.WriteCloser, error) { return os.Create(target) }
				}
				begun := time.Now()
				r.do(b.Context(), Request{Command: "cat " + source, Sink: NewSink(o)})
				ours += time.Since(begun)
				begun = time.Now()
				_ = osexec.Command("/bin/bash", "--norc", "-c", tt.plain).Run()
				plain += time.Since(begun)
			}
			b.ReportMetric(float64(plain)/float64(ours), "x/speed-of-cat")
		})
	}
}
