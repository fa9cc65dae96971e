package editor

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
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

// TestTheEditorLooksAsItDid draws states of the editor in four sizes, as text
// with its right edge marked, and once with its styles.
func TestTheEditorLooksAsItDid(t *testing.T) {
	long := strings.Repeat("a line\n", 99) + "the last one"
	for name, play := range map[string]func(m *Model){
		"empty": func(*Model) {},
		"text": func(m *Model) {
			press(m, "Fix the test that 日本語 fails in", "shift+enter", "\ttabs and e\u0301 👩\u200d💻 🇩🇪 all", "up", "end")
		},
		"bang":         func(m *Model) { press(m, "!make test") },
		"private_bang": func(m *Model) { press(m, "!!env") },
		"invisible":    func(m *Model) { press(m, "a\u202eb\u200bc") },
		"chips": func(m *Model) {
			press(m, "see ")
			m.HandlePaste(long)
			press(m, " and ")
			m.AddImage(chat.Image{})
			press(m, "!")
		},
		"scrolled": func(m *Model) {
			m.SetValue(long)
			for range 20 {
				press(m, "up")
			}
		},
		"files":        func(m *Model) { press(m, "see @ma") },
		"commands":     func(m *Model) { press(m, "/", "down") },
		"search":       func(m *Model) { press(m, "draft", "ctrl+r", "fix") },
		"search_fails": func(m *Model) { press(m, "draft", "ctrl+r", "zzz") },
		"blurred":      func(m *Model) { press(m, "text"); m.SetFocus(false) },
		"plain":        func(m *Model) { m.SetTheme(theme.Plain()); press(m, "!make @") },
	} {
		t.Run(name, func(t *testing.T) {
			m := newEditor(60, 8, "first", "fix the build\nand the docs")
			play(m)
			var out strings.Builder
			for _, size := range [][2]int{{20, 1}, {20, 5}, {60, 8}, {100, 12}} {
				m.SetSize(size[0], size[1])
				fmt.Fprintf(&out, "%d×%d", size[0], size[1])
				if x, y, ok := m.Cursor(); ok {
					fmt.Fprintf(&out, ", cursor %d,%d", x, y)
				}
				out.WriteByte('\n')
				for l := range strings.SplitSeq(ansi.Strip(m.View()), "\n") {
					fmt.Fprintf(&out, "%s%s▏\n", l, strings.Repeat(" ", max(0, size[0]-ansi.StringWidth(l))))
				}
			}
			m.SetSize(40, 8)
			out.WriteString("styles\n" + strings.ReplaceAll(m.View(), "\x1b", "␛") + "\n")
			golden(t, name, out.String())
		})
	}
}
