package grep

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tools"
)

func TestArtifactsCanBeSearched(t *testing.T) {
	dir := t.TempDir()
	store := artifact.Open(filepath.Join(dir, "artifacts"), artifact.Options{})
	f, err := store.Create("bash")
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 5000; i++ {
		_, _ = fmt.Fprintf(f, "line %d\r\n", i)
	}
	_, _ = fmt.Fprintf(f, "\x1b[31merror: at the end\x1b[m %s", strings.Repeat("x", 3<<20))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	tool := New(Options{Place: tools.Place{Dir: func() string { return dir }}, Artifacts: store})
	for args, want := range map[string]string{
		`{"path":"artifact://1","pattern":"line 499[89]$"}`:                       "4998:line 4998\n4999:line 4999\n",
		`{"path":"artifact://1","pattern":"line 2500$","context":1}`:              "2499-line 2499\n2500:line 2500\n2501-line 2501\n",
		`{"path":"artifact://1","pattern":"LINE 7$","ignore_case":true}`:          "7:line 7\n",
		`{"path":"artifact://1","pattern":"nowhere"}`:                             "(nothing found)",
		`{"path":"artifact://2","pattern":"x"}`:                                   "error: there is no artifact://2",
		`{"path":"artifact://x","pattern":"x"}`:                                   "error: \"artifact://x\" names no artifact",
		`{"path":"artifact://1","pattern":"line","limit":2}`:                      "1:line 1\n2:line 2\n",
		`{"path":"artifact://1","pattern":"^line (3|5)$","context":1}`:            "2-line 2\n3:line 3\n4-line 4\n5:line 5\n6-line 6\n",
		`{"path":"artifact://1","pattern":"at the end","literal":true}`:           "5001:error: at the end xxx",
		`{"path":"artifact://1","pattern":"^line (3|50)$","context":1,"limit":1}`: "2-line 2\n3:line 3\n4-line 4\n",
	} {
		call := chat.ToolCall{Name: "grep", Args: json.RawMessage(args)}
		if access, err := tool.Access(call); err != nil || len(access) != 0 {
			t.Errorf("%s: %v %v", args, access, err)
		}
		got := ""
		if r, err := tool.Run(t.Context(), call, nil); err != nil {
			got = "error: " + err.Error()
		} else {
			got = r.Text()
		}
		open := strings.HasPrefix(want, "error") || strings.HasPrefix(want, "5001") // goes on
		if got != want && (!open || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %.200q, want %q", args, got, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tool.Run(ctx, chat.ToolCall{Name: "grep", Args: json.RawMessage(`{"path":"artifact://1","pattern":"x"}`)}, nil); err == nil {
		t.Error("a cancelled search answers")
	}
}

// TestAStreamIsSearchedLikeAFile holds the two ways to search against each
// other.
func TestAStreamIsSearchedLikeAFile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	for range 500 {
		var text strings.Builder
		for range rng.IntN(40) {
			text.WriteString([]string{"a\n", "b\n", "\n", "hit\n"}[rng.IntN(4)])
		}
		text.WriteString([]string{"", "hit", "b"}[rng.IntN(3)])
		a := args{Context: rng.IntN(4), Limit: 1 + rng.IntN(20)}
		re := regexp.MustCompile("hit")
		got, err := inStream(t.Context(), strings.NewReader(text.String()), re, a)
		if err != nil {
			t.Fatal(err)
		}
		if text.Len() == 0 {
			continue
		}
		all := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
		lines := make([][]byte, 0, len(all))
		var hits []int
		for i, l := range all {
			lines = append(lines, []byte(l))
			if l == "hit" {
				hits = append(hits, i)
			}
		}
		want := match{lines: len(hits), blocks: blocksOf(lines, hits[:min(len(hits), a.Limit)], "", a.Context)}
		write := func(m match) string {
			s := fmt.Sprintln(m.lines)
			for _, b := range m.blocks {
				s += fmt.Sprintln(b.matches) + strings.ReplaceAll(strings.ReplaceAll(b.text, "\n:", "\n"), "\n-", "\n")
			}
			return s
		}
		for i, b := range want.blocks { // without the name and its mark
			var out strings.Builder
			for l := range strings.Lines(b.text) {
				out.WriteString(l[1:])
			}
			want.blocks[i].text = out.String()
		}
		if write(got) != write(want) {
			t.Errorf("%q context %d limit %d:\n%s\nwant\n%s", text.String(), a.Context, a.Limit, write(got), write(want))
			return
		}
	}
}
