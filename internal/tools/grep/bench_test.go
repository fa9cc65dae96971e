package grep

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

// BenchmarkTree searches 100,000 files, and lets ripgrep do the same.
func BenchmarkTree(b *testing.B) {
	const directories, files = 1000, 100
	root := b.TempDir()
	for d := range directories {
		dir := filepath.Join(root, fmt.Sprint(d%50), fmt.Sprint(d))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		for f := range files {
			text := strings.Repeat("func name() { return }\n", 20)
			if f == 7 {
				text += fmt.Sprintf("needle%d\n", d)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", f)), []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	tool := New(Options{Place: tools.Place{Dir: func() string { return root }}})
	call := chat.ToolCall{Name: "grep", Args: json.RawMessage(`{"pattern":"needle99\\d"}`)}
	var ours, theirs time.Duration
	for b.Loop() {
		begun := time.Now()
		if r, err := tool.Run(b.Context(), call, nil); err != nil || strings.Count(r.Text(), "\n") != 10 {
			b.Fatalf("%q, %v", r.Text(), err)
		}
		ours += time.Since(begun)
		begun = time.Now()
		if out, err := exec.Command("rg", "-n", `needle99\d`, root).Output(); err != nil || strings.Count(string(out), "\n") != 10 {
			b.Fatalf("rg (make test installs it): %v %q", err, out)
		}
		theirs += time.Since(begun)
	}
	b.ReportMetric(float64(ours)/float64(theirs), "x/ripgrep")
}
