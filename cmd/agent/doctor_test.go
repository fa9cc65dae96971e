package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/config"
	"github.com/seed7484d81d/agent/internal/session"
)

func TestDoctorSavesDamagedSessionsOnce(t *testing.T) {
	dir := t.TempDir()
	store := session.OpenStore(dir)
	texts3 := []string{"first", "second", "third"}
	paths := make([]string, 0, len(texts3))
	for _, text := range texts3 {
		s, err := store.Create("/work")
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := s.AppendMessage(chat.UserText(text)); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, s.Path())
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	damage := func(path string, line int, with string) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(raw), "\n")
		lines[line] = with
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	damage(paths[0], 0, "no header")
	damage(paths[1], 2, "") // its follower has no parent
	before, _ := os.ReadFile(paths[0])
	texts := func() (all, bad string) {
		for _, f := range checkSessions(store, "/here") {
			all += f.text + "\n"
			if !f.ok {
				bad += f.text + "\n"
			}
		}
		return all, bad
	}
	if all, bad := texts(); !strings.HasPrefix(all, "3 of all directories, 2 damaged\n") || strings.Count(bad, "made right now") != 2 {
		t.Errorf("%s", all)
	}
	if all, bad := texts(); bad != "" || strings.Count(all, "is a copy of what can be read") != 2 || strings.Contains(all, "right now") {
		t.Errorf("the second time: %s", all)
	}
	if after, _ := os.ReadFile(paths[0]); string(after) != string(before) {
		t.Error("the damaged file was written to")
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*", "*.jsonl")); len(files) != 5 {
		t.Errorf("%v", files)
	}
}

func TestDoctorListsRulesThatDoNotWork(t *testing.T) {
	var c config.Config
	if got := checkRules(c); len(got) != 1 || !got[0].ok || got[0].text != "off" {
		t.Errorf("%+v", got)
	}
	c.Interceptor.Enabled = true
	c.Interceptor.Patterns = []config.Rule{{Pattern: "^cat ", Tool: "read"}, {Pattern: "(", Tool: "read"}, {Pattern: "^curl ", Tool: "fetch"}}
	text := ""
	for _, f := range checkRules(c) {
		text += f.text + "\n"
	}
	for _, want := range []string{"2 rules", "patterns[1]", `the rule ^curl  never fires: there is no tool "fetch"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in %s", want, text)
		}
	}
}
