package render

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/theme"
)

// golden compares drawn lines with a file. UPDATE_GOLDEN=1 rewrites it.
func golden(t *testing.T, name string, lines []string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.ReplaceAll(l, "\x1b", "␛") + "\n")
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run make golden", err)
	}
	if b.String() != string(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", name, b.String(), want)
	}
}

// sound checks what every line of this package promises.
func sound(t *testing.T, lines []string, width int, what string) {
	t.Helper()
	for _, l := range lines {
		if w := ansi.StringWidth(l); w > width {
			t.Fatalf("%s at %d: %d cells: %q", what, width, w, l)
		}
		rest := ansi.Strip(l)
		for _, r := range rest {
			if r < 0x20 || r >= 0x7f && r < 0xa0 {
				t.Fatalf("%s at %d: control %U in %q", what, width, r, l)
			}
		}
		if i := strings.LastIndex(l, "\x1b["); i >= 0 {
			end := l[i:]
			if !strings.HasPrefix(end, "\x1b[m") && !strings.HasPrefix(end, "\x1b[0m") {
				t.Fatalf("%s at %d: a style is open: %q", what, width, l)
			}
		}
	}
}

func exited(code int) *chat.Details {
	return &chat.Details{Run: &chat.RunInfo{Outcome: chat.Exited, ExitCode: &code, Duration: 1234 * time.Millisecond}}
}

func call(name, args string) chat.ToolCall {
	return chat.ToolCall{ID: "c", Name: name, Args: json.RawMessage(args)}
}

func result(name, text string, d *chat.Details, failed bool) *chat.ToolResult {
	return &chat.ToolResult{CallID: "c", Name: name, Parts: []chat.Part{chat.TextPart(text)}, Details: d, IsError: failed}
}

func numbers(from, to int) string {
	var b strings.Builder
	for i := from; i <= to; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

const sample = "# Title\n\nSome **bold**, *slanted*, ~~gone~~, `code` and [a link](https://go.dev), see <https://x.y>.\n\n1. One\n   - nested, long enough to be wrapped somewhere\n   - [x] done\n2. Two\n\n> quoted\n> text\n\n```go\nfunc main() { // comment\n\tx := \"s\" + `raw`\n}\n```\n\n| a | right |\n|---|------:|\n| 日本 | 1 |\n| cell | 22 |\n\n---\n\n<b>html</b> 👨‍👩‍👧‍👦 é\n"

const sampleDiff = "@@ -1,4 +1,4 @@\n package a\n-func Old() {}\n+func New() {}\n \n+// more\n"

// drawings are one of everything.
func drawings() map[string]func(o Options) []string {
	truncated := exited(2)
	truncated.Run.Meta.Truncation = &chat.Truncation{TotalLines: 100, OutputLines: 40, ShownRange: chat.Range{Start: 61, End: 100}}
	noticed := result("bash", numbers(61, 100)+"\nCommand exited with code 2", truncated, true)
	noticed.Notices = []chat.Notice{{Kind: "truncated", Text: "Showing lines 61-100 of 100 (50.0KB limit). Full: artifact://1"}}
	code3 := 3
	now := time.Date(2026, 1, 1, 0, 0, 5, 0, time.UTC)
	return map[string]func(o Options) []string{
		"bash": func(o Options) []string {
			return Tool(call("bash", `{"command":"make test","cwd":"sub","env":{"A":"1"}}`), result("bash", "ok  pkg/a\nok  pkg/b\n", exited(0), false), Live{}, o)
		},
		"bash_long": func(o Options) []string { return Tool(call("bash", `{"command":"seq 100"}`), noticed, Live{}, o) },
		"bash_script": func(o Options) []string {
			return Tool(call("bash", `{"command":"for i in 1 2\ndo\n\techo $i\ndone\necho end"}`), result("bash", "1\n", exited(0), false), Live{}, o)
		},
		"bash_streaming": func(o Options) []string {
			return Tool(chat.ToolCall{Name: "bash"}, nil, Live{Args: `{"command":"echo \"hal`}, o)
		},
		"bash_running": func(o Options) []string {
			o.Now = now
			return Tool(call("bash", `{"command":"make"}`), nil, Live{Running: true, Since: now.Add(-3 * time.Second), Tail: numbers(1, 30), Lines: 30, Spinner: 2}, o)
		},
		"bash_aborted": func(o Options) []string {
			return Tool(call("bash", `{"command":"sleep 9"}`), result("bash", "early\n\nCommand aborted", &chat.Details{Run: &chat.RunInfo{Outcome: chat.Cancelled}}, true), Live{}, o)
		},
		"bash_timed_out": func(o Options) []string {
			return Tool(call("bash", `{"command":"make","timeout":5}`), result("bash", "half\n\nCommand timed out after 5 seconds", &chat.Details{Run: &chat.RunInfo{Outcome: chat.TimedOut, Timeout: 5 * time.Second, Duration: 5 * time.Second}}, true), Live{}, o)
		},
		"bash_killed": func(o Options) []string {
			return Tool(call("bash", `{"command":"./crash"}`), result("bash", "Command was killed by SIGSEGV", &chat.Details{Run: &chat.RunInfo{Outcome: chat.Signalled, Signal: "SIGSEGV"}}, true), Live{}, o)
		},
		"bash_no_output": func(o Options) []string {
			return Tool(call("bash", `{"command":"true"}`), result("bash", "(no output)", exited(0), false), Live{}, o)
		},
		"bash_one_line": func(o Options) []string {
			return Tool(call("bash", `{"command":"yes | tr -d '\n'"}`), result("bash", strings.Repeat("0123456789", 500_000), exited(0), false), Live{}, o)
		},
		"bash_wide": func(o Options) []string {
			return Tool(call("bash", `{"command":"cat 日本語.txt"}`), result("bash", "你好世界 한글 👨‍👩‍👧‍👦 e\u0301 ●▲← |\n"+strings.Repeat("日本", 40)+"\nשלום עולם\n", exited(0), false), Live{}, o)
		},
		"bash_tabs": func(o Options) []string {
			return Tool(call("bash", `{"command":"cat Makefile"}`), result("bash", "all:\n\tgo build\na\tb\tc\n12345678\tx\n", exited(0), false), Live{}, o)
		},
		"bash_screen": func(o Options) []string {
			d := exited(0)
			d.Run.PTY, d.Run.Screen = true, "\x1b[1;31mred\x1b[m and \x1b[38;2;1;2;3mtrue\x1b[m colour\n\x1b[4munder\x1b[m"
			return Tool(call("bash", `{"command":"ls --color","pty":true}`), result("bash", "red and true colour\nunder", d, false), Live{}, o)
		},
		"bang_screen": func(o Options) []string {
			run := chat.BashRun{Command: "git log", Output: "commit 1", RunInfo: chat.RunInfo{Outcome: chat.Cancelled, PTY: true, Screen: "\x1b[33mcommit 1\x1b[m"}}
			run.Notices = []chat.Notice{{Kind: "ownScreen", Text: "It had the whole screen, of which nothing stays, and was stopped by the user"}}
			return BashRun(run, Live{}, o)
		},
		"bang_below": func(o Options) []string {
			o.Below = true
			return BashRun(chat.BashRun{Command: "vim x"}, Live{Running: true}, o)
		},
		"bang_truncated": func(o Options) []string {
			run := chat.BashRun{Command: "seq 100000", Output: numbers(1, 40), Truncated: true, RunInfo: chat.RunInfo{Outcome: chat.Exited}}
			run.Meta.Truncation = &chat.Truncation{TotalLines: 100000, OutputLines: 40, ShownRange: chat.Range{Start: 99961, End: 100000}, ArtifactID: 7}
			run.Notices = []chat.Notice{{Kind: "truncated", Text: "Showing lines 99961-100000 of 100000 (50.0KB limit). Full: artifact://7"}}
			return BashRun(run, Live{}, o)
		},
		"bash_refused": func(o Options) []string {
			return Tool(call("bash", `{"command":"rm x"}`), result("bash", "Not run: the user did not allow it.", nil, true), Live{}, o)
		},
		"hostile": func(o Options) []string {
			return Tool(call("bash", `{"command":"printf '\u001b[2J\r\u202e'"}`), result("bash", "a\x1b[2Jb\x1b]0;t\x07c\u009b31m\td日本👍🏽\n"+strings.Repeat("x", 5000), exited(0), false), Live{}, o)
		},
		"bang": func(o Options) []string {
			return BashRun(chat.BashRun{Command: "make", Output: numbers(1, 30), RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code3}}, Live{}, o)
		},
		"bang_private": func(o Options) []string {
			return BashRun(chat.BashRun{Command: "env\nid", Output: "A=1\n", Private: true, RunInfo: chat.RunInfo{Outcome: chat.Exited}}, Live{}, o)
		},
		"bang_running": func(o Options) []string {
			return BashRun(chat.BashRun{Command: "make"}, Live{Running: true, Tail: "x\n"}, o)
		},
		"bang_cancelled": func(o Options) []string {
			return BashRun(chat.BashRun{Command: "make", RunInfo: chat.RunInfo{Outcome: chat.Cancelled}}, Live{}, o)
		},
		"read": func(o Options) []string {
			return Tool(call("read", `{"path":"a/b.go","offset":10}`), result("read", "    10\tx\n", &chat.Details{Listing: &chat.Listing{Shown: 1, Total: 200}}, false), Live{}, o)
		},
		"grep": func(o Options) []string {
			return Tool(call("grep", `{"pattern":"x.*y","glob":"*.go"}`), result("grep", "a:1:xy\n", &chat.Details{Listing: &chat.Listing{Total: 1}}, false), Live{}, o)
		},
		"edit": func(o Options) []string {
			return Tool(call("edit", `{"path":"a.go"}`), result("edit", "Edited", &chat.Details{Change: &chat.FileChange{Path: "a.go", Diff: sampleDiff, Added: 2, Removed: 1}}, false), Live{}, o)
		},
		"other": func(o Options) []string { return Tool(call("fetch", `{"url":"https://x.y","n":3}`), nil, Live{}, o) },
		"failed": func(o Options) []string {
			return Tool(call("read", `{"path":"x"}`), result("read", numbers(1, 9), nil, true), Live{}, o)
		},
		"user": func(o Options) []string {
			return User(chat.Message{Parts: []chat.Part{chat.TextPart("why does\nthis fail, and what can be done about it?"), {Kind: chat.PartImage, Image: &chat.Image{MIME: "image/png", Data: make([]byte, 3000)}}}}, o)
		},
		"thinking": func(o Options) []string {
			return Thinking("First this.\n\nThen that, which is longer than a line can be.", o)
		},
		"remark": func(o Options) []string {
			return Remark("warning", "the disk is full, so nothing more can be saved", o)
		},
		"markdown": func(o Options) []string { return Markdown(sample, o) },
		"diff":     func(o Options) []string { return Diff(sampleDiff, o) },
	}
}

func TestEverythingIsDrawnAsBefore(t *testing.T) {
	for name, draw := range drawings() {
		for _, width := range []int{20, 40, 80, 120} {
			golden(t, fmt.Sprintf("%s_%d", name, width), draw(Options{Width: width, Theme: theme.Dark()}))
		}
		golden(t, name+"_expanded", draw(Options{Width: 80, Theme: theme.Mono(), Expanded: true}))
		golden(t, name+"_plain", draw(Options{Width: 80, Theme: theme.Plain()}))
	}
}

// BenchmarkBash draws a result of 50 KB anew, which happens once for a width.
func BenchmarkBash(b *testing.B) {
	look := theme.Dark()
	text := strings.Repeat("a line of output as long as many are, more or less, and then some\n", 50<<10/66)
	c, r := call("bash", `{"command":"make"}`), result("bash", text, exited(0), false)
	for name, expanded := range map[string]bool{"collapsed": false, "expanded": true} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Tool(c, r, Live{}, Options{Width: 100, Theme: look, Expanded: expanded})
			}
		})
	}
}

func TestNoWidthBreaksTheRules(t *testing.T) {
	looks := []*theme.Theme{theme.Dark(), theme.Plain()}
	for name, draw := range drawings() {
		step := 1
		if name == "bash_one_line" { // of 5 MB
			step = 13
		}
		for width := -1; width <= 130; width += step {
			for _, look := range looks {
				if look.Plain && width%3 != 0 {
					continue
				}
				for _, expanded := range []bool{false, true} {
					lines := draw(Options{Width: width, Theme: look, Expanded: expanded})
					if width < 1 && len(lines) > 0 {
						t.Fatalf("%s draws %d lines at width %d", name, len(lines), width)
					}
					sound(t, lines, width, look.Name+" "+name)
				}
			}
		}
	}
}

func TestCollapsedBlocksShowTheirEnd(t *testing.T) {
	draw := drawings()["bash_long"]
	folded := ansi.Strip(strings.Join(draw(Options{Width: 80}), "\n"))
	for _, want := range []string{"(90 earlier lines, showing 10 of 100) (ctrl+o to expand)", "line 91", "line 100", "exit 2", "Full: artifact://1"} {
		if !strings.Contains(folded, want) {
			t.Errorf("lacks %q:\n%s", want, folded)
		}
	}
	if strings.Contains(folded, "line 90\n") || strings.Contains(folded, "Command exited") {
		t.Errorf("shows too much:\n%s", folded)
	}
	if open := ansi.Strip(strings.Join(draw(Options{Width: 80, Expanded: true}), "\n")); !strings.Contains(open, "line 61") || strings.Contains(open, "to expand") {
		t.Errorf("expanded:\n%s", open)
	}
	bang := ansi.Strip(strings.Join(drawings()["bang"](Options{Width: 80}), "\n"))
	if !strings.Contains(bang, "10 more lines (ctrl+o to expand)") || !strings.Contains(bang, "(exit 3)") || strings.Contains(bang, "line 10\n") || !strings.Contains(bang, "line 11\n") {
		t.Errorf("%s", bang)
	}
}

func TestCopyGivesBackWhatWasWritten(t *testing.T) {
	source := "A paragraph that is long enough to be wrapped at this width, twice.\n\n- one item, which wraps as well here\n- two"
	want := strings.ReplaceAll(source, "- ", "• ")
	if got := Copy(Markdown(source, Options{Width: 30})); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAStreamEndsAsTheWhole draws an answer while it comes in; the end is what
// the whole text gives.
func TestAStreamEndsAsTheWhole(t *testing.T) {
	o := Options{Width: 60, Theme: theme.Dark()}
	var s Stream
	for i := 0; i < len(sample); i += 7 {
		s.Append(sample[i:min(i+7, len(sample))])
		sound(t, s.Lines(o), 60, "stream")
	}
	if got, want := strings.Join(s.Lines(o), "\n"), strings.Join(Markdown(sample, o), "\n"); got != want {
		t.Errorf("\n%s\nwant\n%s", ansi.Strip(got), ansi.Strip(want))
	}
	s.Set("something else")
	if got := Copy(s.Lines(o)); got != "something else" {
		t.Errorf("%q", got)
	}
}

func TestPartialArguments(t *testing.T) {
	for in, want := range map[string]string{
		``: "", `{"comm`: "", `{"command"`: "", `{"command":`: "", `{"command": "`: "", `{"command":"ls`: "ls", `{"command":"a\`: "a", `{"command":"a\n`: "a\n", `{"command":"a\u00e`: "a", `{"command":"x","cwd":"y"}`: "x", `{"cwd":"y","command":"z`: "z",
	} {
		if got := partial(in, "command"); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestOnlySafeAddressesAreLinks(t *testing.T) {
	for in, want := range map[string]bool{"https://a.b/c": true, "mailto:a@b": true, "javascript:x": false, "file:///etc": false, "https://a\x1b]8;;": false, "data:x": false, "": false} {
		if got := safeURL(in) != ""; got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(sample, 40)
	f.Add("| a\n|-\n|", 3)
	f.Add("```\x1b[2J", 1)
	f.Fuzz(func(t *testing.T, source string, width int) {
		width = 1 + (width%100+100)%100
		o := Options{Width: width, Theme: theme.Dark()}
		sound(t, Markdown(source, o), width, "markdown")
		var s Stream
		s.Append(source[:len(source)/2])
		sound(t, s.Lines(o), width, "half")
	})
}

// BenchmarkStream draws a long answer that comes in by small pieces, with a
// picture for each: the cost of a piece must not grow with the text.
func BenchmarkStream(b *testing.B) {
	text := strings.Repeat(sample, 200)
	o := Options{Width: 100, Theme: theme.Dark()}
	for b.Loop() {
		var s Stream
		for i := 0; i < len(text); i += 64 {
			s.Append(text[i:min(i+64, len(text))])
			s.Lines(o)
		}
	}
	b.SetBytes(int64(len(text)))
}
