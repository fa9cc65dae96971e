package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/fuzzy"
	"github.com/seed7484d81d/agent/internal/tools"
	"github.com/seed7484d81d/agent/internal/tui/editor"
)

// completer finds files, paths and programs for the editor. Everything takes
// time, so everything is a Cmd.
type completer struct {
	ctx context.Context //nolint:containedctx // Bubble Tea gives its commands none
	h   *house

	mu    sync.Mutex
	dir   string
	files []string
	read  time.Time
}

func newCompleter(ctx context.Context, h *house) *completer { return &completer{ctx: ctx, h: h} }

const (
	maxFiles   = 50000 // of a project that are offered
	maxOffered = 200
	fresh      = 5 * time.Second // how long a list of files is used
)

// Complete answers later.
func (c *completer) Complete(q editor.Query) ([]editor.Candidate, tea.Cmd) {
	return nil, func() tea.Msg {
		var found []editor.Candidate
		switch q.Subject {
		case editor.Files:
			found = c.projectFiles(q.Prefix)
		case editor.Paths:
			found = c.paths(q.Prefix)
		case editor.Programs:
			found = c.programs(q.Prefix)
		default:
		}
		return editor.Completed{Generation: q.Generation, Candidates: found}
	}
}

func (c *completer) projectFiles(prefix string) []editor.Candidate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if dir := c.h.here(); dir != c.dir || time.Since(c.read) > fresh {
		c.dir, c.files, c.read = dir, nil, time.Now()
		_ = tools.Walk(c.ctx, dir, tools.WalkOptions{}, func(rel string, d fs.DirEntry) error { // the end of the program
			if len(c.files) >= maxFiles {
				return fs.SkipAll
			}
			if d.IsDir() {
				rel += "/"
			}
			c.files = append(c.files, rel)
			return nil
		})
	}
	ranked := fuzzy.Rank(prefix, len(c.files), func(i int) string { return c.files[i] }, maxOffered)
	out := make([]editor.Candidate, 0, len(ranked))
	for _, m := range ranked {
		f := c.files[m.Index]
		out = append(out, editor.Candidate{Text: f, Partial: strings.HasSuffix(f, "/")})
	}
	return out
}

// paths completes a path as a shell does.
func (c *completer) paths(prefix string) []editor.Candidate {
	dir, base := filepath.Split(prefix)
	where := tools.Place{Dir: c.h.here, Home: c.h.at.home}
	entries, err := os.ReadDir(where.Resolve(dir))
	if err != nil {
		return nil
	}
	var out []editor.Candidate
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), base) || strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		cand := editor.Candidate{Text: dir + e.Name()}
		if e.IsDir() {
			cand.Text, cand.Partial = cand.Text+"/", true
		}
		out = append(out, cand)
	}
	return out
}

func (c *completer) programs(prefix string) []editor.Candidate {
	if strings.Contains(prefix, "/") {
		return c.paths(prefix)
	}
	var names []string
	for _, dir := range filepath.SplitList(c.h.getenv("PATH")) {
		entries, _ := os.ReadDir(dir) // a directory of PATH need not exist
		for _, e := range entries {
			if info, err := e.Info(); strings.HasPrefix(e.Name(), prefix) && err == nil && info.Mode()&0o111 != 0 {
				names = append(names, e.Name())
			}
		}
	}
	slices.Sort(names)
	var out []editor.Candidate
	for _, n := range slices.Compact(names) {
		out = append(out, editor.Candidate{Text: n})
	}
	return out[:min(len(out), maxOffered)]
}
