package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestContextFilesGoFromThePersonDownToTheDirectory(t *testing.T) {
	root, config := t.TempDir(), t.TempDir()
	write(t, filepath.Join(config, "AGENTS.md"), "mine")
	write(t, filepath.Join(root, "AGENTS.md"), "root")
	write(t, filepath.Join(root, "a", "CLAUDE.md"), "a")
	write(t, filepath.Join(root, "a", "b", "AGENTS.md"), "b")
	write(t, filepath.Join(root, "a", "b", "CLAUDE.md"), "not read")
	write(t, filepath.Join(root, "other", "AGENTS.md"), "not above")
	files, errs := ContextFiles(config, root, filepath.Join(root, "a", "b"))
	got := make([]string, 0, len(files))
	for _, f := range files {
		got = append(got, f.Text)
	}
	if strings.Join(got, " ") != "mine root a b" || len(errs) != 0 {
		t.Errorf("%q %v", got, errs)
	}
}

func TestAContextFileIsBounded(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "AGENTS.md"), strings.Repeat("é", maxFile))
	files, errs := ContextFiles("", root, root)
	if len(files) != 1 || len(files[0].Text) > maxFile+100 || len(errs) != 1 {
		t.Errorf("%d bytes, %v", len(files[0].Text), errs)
	}
}

func TestThePromptSaysWhereItIs(t *testing.T) {
	text := Build(Facts{Dir: "/p/sub", Root: "/p", OS: "linux", Shell: "/bin/bash", Date: "2026-12-01", Git: true, Files: []File{{"/p/AGENTS.md", "Use tabs."}}})
	for _, want := range []string{"Working directory: /p/sub", "Project: /p", "git repository", "linux, shell /bin/bash", "2026-12-01", "# /p/AGENTS.md\n\nUse tabs."} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
}
