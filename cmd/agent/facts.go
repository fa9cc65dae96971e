package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/config"
	"github.com/seed7484d81d/agent/internal/prompt"
	"github.com/seed7484d81d/agent/internal/tools/bash"
	"github.com/seed7484d81d/agent/internal/tui"
)

// toolFacts lists the tools of the conversation, and the interceptor's rules.
func (h *house) toolFacts() []tui.Fact {
	h.mu.Lock()
	set := h.current.tools
	h.mu.Unlock()
	facts := make([]tui.Fact, 0, len(set.Names()))
	for _, spec := range set.Specs() {
		first, _, _ := strings.Cut(strings.TrimSpace(spec.Description), "\n")
		facts = append(facts, tui.Fact{Name: spec.Name, Text: first})
	}
	if !h.loaded.Config.Interceptor.Enabled {
		return facts
	}
	rules, errs := bash.CompileRules(rulesOf(h.loaded.Config))
	has := func(name string) bool { return slices.Contains(set.Names(), name) }
	for _, r := range rules.Inactive(has) {
		facts = append(facts, tui.Fact{Name: "inactive rule", Text: r.Pattern + " for the tool " + r.Tool + ", which is not there"})
	}
	for _, err := range errs {
		facts = append(facts, tui.Fact{Name: "broken rule", Text: err.Error()})
	}
	return facts
}

// contextFiles are the files that go with every request.
func (h *house) contextFiles() []string {
	root := config.ProjectRoot(h.here(), h.at.home)
	files, _ := prompt.ContextFiles(h.at.dirs.Config, root, h.here()) // told at the start
	list := make([]string, 0, len(files))
	for _, f := range files {
		list = append(list, f.Path)
	}
	return list
}

// jobs lists what commands left running.
func (h *house) jobs() []tui.Job {
	running := h.exec.Processes()
	list := make([]tui.Job, 0, len(running))
	for _, p := range running {
		list = append(list, tui.Job{PID: p.PID, Command: p.Command, Run: p.Call})
	}
	return list
}

// prompts reads the person's prompts and the project's, which win.
func (h *house) prompts() []tui.Prompt {
	found := map[string]tui.Prompt{}
	root := config.ProjectRoot(h.here(), h.at.home)
	for _, dir := range []string{filepath.Join(h.at.dirs.Data, "prompts"), filepath.Join(h.at.dirs.Config, "prompts"), filepath.Join(root, ".agent", "prompts")} {
		files, _ := filepath.Glob(filepath.Join(dir, "*.md")) // the pattern is sound
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				continue // one that cannot be read hides no other
			}
			name := strings.TrimSuffix(filepath.Base(file), ".md")
			first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
			found[name] = tui.Prompt{Name: name, About: strings.TrimLeft(first, "# "), Text: string(text)}
		}
	}
	list := make([]tui.Prompt, 0, len(found))
	for _, p := range found {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b tui.Prompt) int { return strings.Compare(a.Name, b.Name) })
	return list
}
