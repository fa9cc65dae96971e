package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/seed7484d81d/agent/internal/config"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools/bash"
	"github.com/seed7484d81d/agent/internal/tui"
)

// doctorCommand looks at everything that the program needs.
func (p *program) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check the shell, the terminal, the keys and the directories",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.doctor(cmd.Context()) },
	}
}

// finding is the outcome of one check.
type finding struct {
	ok   bool
	name string
	text string
}

func (p *program) doctor(ctx context.Context) error {
	all, err := p.findings(ctx)
	if err != nil {
		return err
	}
	failed := 0
	for _, f := range all {
		mark := "ok  "
		if !f.ok {
			mark = "FAIL"
			failed++
		}
		if _, err := fmt.Fprintf(p.out, "%s  %-14s %s\n", mark, f.name, f.text); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(all))
	}
	return nil
}

// doctorFacts is what the doctor finds, for the screen.
func (p *program) doctorFacts(ctx context.Context) []tui.Fact {
	all, err := p.findings(ctx)
	if err != nil {
		return []tui.Fact{{Name: "FAIL", Text: err.Error()}}
	}
	facts := make([]tui.Fact, 0, len(all))
	for _, f := range all {
		mark := "ok   "
		if !f.ok {
			mark = "FAIL "
		}
		facts = append(facts, tui.Fact{Name: mark + f.name, Text: f.text})
	}
	return facts
}

// findings looks at everything.
func (p *program) findings(ctx context.Context) ([]finding, error) {
	at, err := p.place("")
	if err != nil {
		return nil, err
	}
	var all []finding
	add := func(ok bool, name, text string) { all = append(all, finding{ok, name, text}) }
	add(true, "version", version+", "+runtime.GOOS+"/"+runtime.GOARCH)
	loaded, err := p.settings(options{}, at, at.dir)
	if err != nil {
		add(false, "settings", err.Error())
	} else {
		add(true, "settings", filepath.Join(at.dirs.Config, "config.yaml"))
		for _, w := range loaded.Warnings {
			add(false, "settings", w)
		}
		all = append(all, p.checkShell(ctx, loaded.Config.ShellPath, at)...)
		all = append(all, checkRules(loaded.Config)...)
		all = append(all, p.checkModels(loaded.Config.Provider, loaded.Config.Model, at)...)
	}
	for name, dir := range map[string]string{"sessions": filepath.Join(at.dirs.Data, "sessions"), "configuration": at.dirs.Config} {
		add(writable(dir) == nil, name, describe(dir, writable(dir)))
	}
	all = append(all, checkSessions(session.OpenStore(filepath.Join(at.dirs.Data, "sessions")), at.dir)...)
	add(term.IsTerminal(int(p.out.Fd())), "terminal", p.getenv("TERM")) //nolint:gosec // a descriptor
	return all, nil
}

// checkRules lists the interceptor's rules that do not work.
func checkRules(c config.Config) []finding {
	if !c.Interceptor.Enabled {
		return []finding{{true, "interceptor", "off"}}
	}
	rules, errs := bash.CompileRules(rulesOf(c))
	out := []finding{{true, "interceptor", fmt.Sprintf("%d rules", len(rules))}}
	for _, err := range errs {
		out = append(out, finding{false, "interceptor", err.Error()})
	}
	known := []string{"bash", "read", "write", "edit", "grep", "find", "ls"}
	for _, r := range rules.Inactive(func(name string) bool { return slices.Contains(known, name) }) {
		out = append(out, finding{false, "interceptor", fmt.Sprintf("the rule %s never fires: there is no tool %q", r.Pattern, r.Tool)})
	}
	return out
}

// checkSessions saves what can be read of damaged sessions into copies. The
// files themselves are left as they are.
func checkSessions(store *session.Store, here string) []finding {
	list, damaged, err := store.Damaged()
	if err != nil {
		return []finding{{false, "sessions", err.Error()}}
	}
	out := []finding{{true, "sessions", fmt.Sprintf("%d of all directories, %d damaged", list, len(damaged))}}
	for _, d := range damaged {
		text := fmt.Sprintf("%s is damaged: %v", d.Path, d.Err)
		switch {
		case d.Copy != "":
			text += "; agent -r " + d.Copy + " is a copy of what can be read"
		default:
			s, err := store.Fork(d.Path, cmp.Or(d.Cwd, here))
			if err != nil {
				text += "; nothing of it can be read"
				break
			}
			text += "; agent -r " + s.ID() + " is a copy of what can be read, made right now"
			if err := s.Close(); err != nil {
				text += ": " + err.Error()
			}
		}
		out = append(out, finding{d.Copy != "", "session", text})
	}
	return out
}

func (p *program) checkShell(ctx context.Context, setting string, at place) []finding {
	path, note, err := exec.FindShell(setting, p.getenv("SHELL"), osexec.LookPath)
	if err != nil {
		return []finding{{false, "shell", err.Error()}}
	}
	out := []finding{{note == "", "shell", strings.TrimSpace(path + " " + note)}}
	x := exec.New(exec.Options{Env: p.environ})
	s := x.Shell(exec.Key{Path: path}, at.dir)
	s.UseRC(at.home)
	sink := exec.NewSink(exec.SinkOptions{})
	res := x.Run(ctx, exec.Request{Shell: s, Command: "echo works", Sink: sink})
	works := res.Outcome == exec.Exited && res.Code == 0 && strings.Contains(sink.View().Text, "works")
	text := fmt.Sprintf("a command took %v", res.Duration.Round(100*1000))
	if res.Err != nil {
		text = res.Err.Error()
	}
	out = append(out, finding{works, "commands", text})
	for _, n := range res.Notes {
		out = append(out, finding{false, "rc file", n})
	}
	if runtime.GOOS != "linux" {
		out = append(out, finding{false, "supervisor", "this system has none: what leaves its session may outlive the agent"})
	}
	if err := x.Close(ctx); err != nil {
		out = append(out, finding{false, "commands", err.Error()})
	}
	return out
}

func (p *program) checkModels(provider, model string, at place) []finding {
	loaded, err := p.settings(options{}, at, at.dir)
	if err != nil {
		return nil
	}
	keys, err := openKeys(at.dirs.Config, p.getenv)
	var out []finding
	if err != nil {
		out = append(out, finding{false, "keys", err.Error()})
	}
	m := newModels(loaded.Config, p.getenv, keys, at.dir)
	for _, s := range m.services {
		if s.KeyEnv != "" && keys.key(s.KeyEnv) != "" {
			out = append(out, finding{true, "key", s.Name + " from " + keys.source(s.KeyEnv)})
		}
	}
	if provider == "" {
		provider = m.withKey()
	}
	if _, chosen, err := m.open(provider, model); err != nil {
		out = append(out, finding{false, "model", err.Error()})
	} else {
		out = append(out, finding{true, "model", chosen.Provider + " " + chosen.ID})
	}
	return out
}

// writable checks a directory without making it: one that is missing is made
// when it is needed, if the one above it is writable.
func writable(dir string) error {
	for {
		info, err := os.Stat(dir)
		if err == nil {
			if !info.IsDir() {
				return fmt.Errorf("%s is not a directory", dir)
			}
			f, err := os.CreateTemp(dir, ".doctor-*")
			if err != nil {
				return err
			}
			_ = f.Close() // empty
			return os.Remove(f.Name())
		}
		if filepath.Dir(dir) == dir {
			return err
		}
		dir = filepath.Dir(dir)
	}
}

func describe(dir string, err error) string {
	if err != nil {
		return err.Error()
	}
	return dir
}
