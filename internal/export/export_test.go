package export

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

func page(t *testing.T, title string, messages ...chat.Message) string {
	t.Helper()
	c := Conversation{ID: "abc", Title: title, Dir: "/home/me/work", Created: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)}
	for i := range messages {
		c.Entries = append(c.Entries, session.Entry{Type: session.TypeMessage, Message: &messages[i]})
	}
	var b bytes.Buffer
	if err := HTML(&b, c); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func exit(code int) *int { return &code }

func TestAPageHasAllOfIt(t *testing.T) {
	call := chat.ToolCall{ID: "1", Name: "bash", Args: json.RawMessage(`{"command":"make test"}`)}
	edit := chat.ToolCall{ID: "2", Name: "edit", Args: json.RawMessage(`{"path":"a.go"}`)}
	run := chat.BashRun{ID: "r", Command: "ls --color", Output: "plain", RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: exit(3), Screen: "\x1b[1;31mred\x1b[m plain", Duration: time.Second}, Private: true}
	running := run
	running.Outcome, running.Screen = chat.Running, ""
	got := page(t, "", chat.UserText("fix it"),
		chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{
			{Kind: chat.PartThinking, Text: "hmm"},
			chat.TextPart("# Plan\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
			{Kind: chat.PartToolCall, Call: &call},
			{Kind: chat.PartToolCall, Call: &edit},
		}},
		chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: "1", Name: "bash", IsError: true, Parts: []chat.Part{chat.TextPart("FAIL")}, Details: &chat.Details{Run: &chat.RunInfo{Outcome: chat.Exited, ExitCode: exit(2)}}, Notices: []chat.Notice{{Text: "Showing lines 1-2"}}}},
		chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: "2", Name: "edit", Details: &chat.Details{Change: &chat.FileChange{Path: "a.go", Diff: "@@ -1 +1 @@\n-old\n+new\n", Added: 1, Removed: 1}}}},
		chat.Message{Role: chat.RoleBashExecution, Run: &running}, chat.Message{Role: chat.RoleBashExecution, Run: &run},
	)
	for _, want := range []string{
		"<title>Session abc</title>", "/home/me/work", "fix it", "Thinking", "hmm", "<h1>Plan</h1>", "<td>1</td>",
		"bash  $ make test", "FAIL", "exit 2", "Showing lines 1-2", `<span class="line add">&#43;new</span>`, "&#43;1 −1",
		`<span style="color:var(--c1);font-weight:bold">red</span> plain`, "not sent to the model", "exit 3", "default-src 'none'",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "$ ls --color"); n != 1 {
		t.Errorf("the command stands there %d times", n)
	}
}

func TestNothingInItIsCode(t *testing.T) {
	evil := `</pre></style><script>alert(1)</script><img src=x onerror=alert(1)>` + "\x1b]0;x\x07\x1b[31m<b>"
	call := chat.ToolCall{ID: "1", Name: evil, Args: json.RawMessage(`{"command":"<script>x</script>"}`)}
	got := page(t, evil, chat.UserText(evil), chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{
		chat.TextPart(evil + "\n\n[x](javascript:alert(1)) ![y](javascript:alert(2))\n\n```html\n" + evil + "\n```\n"),
		{Kind: chat.PartThinking, Text: evil},
		{Kind: chat.PartToolCall, Call: &call},
		{Kind: chat.PartImage, Image: &chat.Image{MIME: "text/html", Data: []byte(evil)}},
	}}, chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "r", Command: evil, Output: evil, RunInfo: chat.RunInfo{Screen: evil, Error: evil, Outcome: chat.NotStarted}}})
	if n := strings.Count(got, "alert(1)"); n < 9 {
		t.Errorf("text is lost: %d\n%s", n, got)
	}
	for _, bad := range []string{"raw HTML omitted", "<script", "<img src=x", "javascript:", "\x1b", "<b>", "text/html;"} {
		if strings.Contains(got, bad) {
			t.Errorf("%q is in\n%s", bad, got)
		}
	}
}

func TestColours(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                       "plain",
		"\x1b[38;5;196mx":             `<span style="color:#ff0000">x</span>`,
		"\x1b[48;2;1;2;3mx\x1b[49my":  `<span style="background:#010203">x</span>y`,
		"\x1b[7mx":                    `<span style="color:var(--page);background:var(--text)">x</span>`,
		"\x1b[38;5mx\x1b[0my\x1b[2Kz": "xyz",
		"\x1b[97;4;9mx":               `<span style="color:var(--c15);text-decoration:underline;text-decoration:line-through">x</span>`,
		"a\x1b[":                      "a", "a\x1b[31": "a", "<": "&lt;", "\x1b[38;5;244mg": `<span style="color:#808080">g</span>`,
	} {
		if got := string(coloured(in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func FuzzColours(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m<script>")
	f.Fuzz(func(t *testing.T, in string) {
		got := string(coloured(in))
		rest := strings.NewReplacer("</span>", "").Replace(got)
		for strings.Contains(rest, `<span style="`) {
			_, after, _ := strings.Cut(rest, `<span style="`)
			_, rest, _ = strings.Cut(after, `">`)
		}
		if strings.ContainsAny(rest, "<>\x1b") {
			t.Errorf("%q became %q", in, got)
		}
	})
}
