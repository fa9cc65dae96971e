package dialog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

// golden compares a drawing with a file. UPDATE_GOLDEN=1 rewrites it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run make golden", err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
	}
}

// drawn is a dialog in several sizes, as text with its right edge marked, and
// once with its styles.
func drawn(b box) string {
	var out strings.Builder
	for _, size := range [][2]int{{20, 4}, {20, 8}, {60, 14}, {100, 30}} {
		b.SetSize(size[0], size[1])
		fmt.Fprintf(&out, "%d×%d, of %d wanted", size[0], size[1], b.Want(size[0]))
		if x, y, ok := b.Cursor(); ok {
			fmt.Fprintf(&out, ", cursor %d,%d", x, y)
		}
		out.WriteByte('\n')
		for l := range strings.SplitSeq(b.View(), "\n") {
			l = ansi.Strip(l)
			fmt.Fprintf(&out, "%s%s▏\n", l, strings.Repeat(" ", max(0, size[0]-ansi.StringWidth(l))))
		}
	}
	b.SetSize(60, 10)
	out.WriteString("styles\n" + strings.ReplaceAll(b.View(), "\x1b", "␛") + "\n")
	return out.String()
}

func TestDialogsLookAsTheyDid(t *testing.T) {
	keys, look, clock := keymap.Default(), theme.Dark(), time.Now()
	question := func(ready bool, q chat.Question) *Question {
		return NewQuestion(QuestionOptions{Keys: keys, Theme: look, About: q, Ready: ready, Now: func() time.Time { clock = clock.Add(time.Second); return clock }})
	}
	run := chat.Question{
		ID: "1", Reason: "git push changes what others have", Parts: []string{"git push --force origin main"}, Rules: []string{"Bash(git push *)"},
		Access: []chat.Access{{Kind: chat.AccessRun, Command: "cd repo && git push --force origin main\t# \u202egnihton\necho done", Dir: "/work", Env: map[string]string{"GIT_DIR": "x y"}}},
	}
	long := chat.Question{
		ID: "2", Reason: "it writes to a disk", Destructive: true,
		Access: []chat.Access{{Kind: chat.AccessRun, Command: strings.Repeat("dd if=/dev/zero of=/dev/sda bs=1M 日本語 count=100 status=progress\n", 30)}},
	}
	edit := chat.Question{
		ID: "3", Reason: "src/a.go is changed", Rules: []string{"Edit(src/**)"},
		Call:   chat.ToolCall{Name: "edit", Args: []byte(`{"path":"src/a.go","edits":[{"old":"a := 1","new":"a := 2\n\tb := 3"}]}`)},
		Access: []chat.Access{{Kind: chat.AccessWrite, Path: "/work/src/a.go"}},
	}
	refusing := question(true, edit)
	press(refusing, "n")
	typeIn(refusing, "use a constant")
	models := []Item[int]{
		{Title: "claude-opus", Description: "anthropic", Right: "$5 / $25"},
		{Title: "gpt-mini", Description: "openai", Right: "$0.25 / $2", Current: true},
		{Title: "qwen-日本", Description: "local"},
	}
	picker := func() *Picker[int] {
		return NewPicker(PickerOptions[int]{Keys: keys, Theme: look, Title: "Model", Items: models, Verb: "switch"})
	}
	filtered, nothing := picker(), picker()
	typeIn(filtered, "gpt")
	typeIn(nothing, "zzz")
	many := make([]Item[int], 40)
	for i := range many {
		many[i] = Item[int]{Title: fmt.Sprintf("session %d", i), Right: "yesterday"}
	}
	help := NewText(TextOptions{Keys: keys, Theme: look, Title: "Keys", Lines: func(int) []string { return strings.Split(strings.TrimSpace(keys.Help()), "\n") }})
	for name, b := range map[string]box{
		"question":             question(true, run),
		"question_typing":      question(false, run),
		"question_destructive": question(true, long),
		"question_edit":        question(true, edit),
		"question_refusing":    refusing,
		"picker":               picker(),
		"picker_filtered":      filtered,
		"picker_nothing":       nothing,
		"picker_many":          NewPicker(PickerOptions[int]{Keys: keys, Theme: look, Title: "Sessions", Items: many}),
		"picker_empty":         NewPicker(PickerOptions[int]{Keys: keys, Theme: look, Title: "Sessions", Empty: "no session here"}),
		"text":                 help,
		"input":                NewInput(InputOptions{Keys: keys, Theme: look, Title: "Key of anthropic", About: "It is kept in keys.yaml, readable by you alone.", Value: "sk-123", Secret: true}),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, drawn(b)) })
	}
}
