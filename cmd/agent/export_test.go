package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

func TestExportNamesAndReplacesFiles(t *testing.T) {
	dir, home := t.TempDir(), t.TempDir()
	s := session.NewMemory(dir)
	if _, err := s.AppendMessage(chat.UserText("hello page")); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"": filepath.Join(dir, "session-"+s.ID()+".html"), "a.html": filepath.Join(dir, "a.html"), `"a b.html"`: filepath.Join(dir, "a b.html"),
		"~/x.html": filepath.Join(home, "x.html"), "sub/y.html": filepath.Join(dir, "sub/y.html"), filepath.Join(dir, "z.html"): filepath.Join(dir, "z.html"),
	} {
		for range 2 { // the second replaces the first
			got, err := exportTo(s, file, dir, home)
			if err != nil || got != want {
				t.Errorf("%q: %s, %v", file, got, err)
			}
		}
		if page, err := os.ReadFile(want); err != nil || !strings.Contains(string(page), "hello page") {
			t.Errorf("%q: %v", file, err)
		}
	}
	if _, err := exportTo(s, "/proc/nothing/x.html", dir, home); err == nil || !strings.Contains(err.Error(), "/proc/nothing/x.html") {
		t.Errorf("%v", err)
	}
}
