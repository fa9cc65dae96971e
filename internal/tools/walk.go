package tools

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	ignore "github.com/sabhiram/go-gitignore"
)

// WalkOptions says what Walk leaves out.
type WalkOptions struct {
	Hidden  bool // names with a leading dot are visited too; .git never is
	Ignored bool // what .gitignore files leave out is visited too
}

// Walk visits everything below root in the order of the names, directories
// before what is in them, with slashes in rel. It does not follow symlinks and
// goes on where something cannot be read. visit may return fs.SkipDir, or
// fs.SkipAll to end. The error is that of ctx or of visit.
func Walk(ctx context.Context, root string, o WalkOptions, visit func(rel string, d fs.DirEntry) error) error {
	w := walker{ctx: ctx, root: root, o: o, visit: visit}
	if !o.Ignored {
		w.rules = outerRules(root)
	}
	err := w.dir("")
	if err == fs.SkipAll { //nolint:errorlint // never wrapped, as in io/fs
		return nil
	}
	return err
}

// rules are the patterns of one .gitignore file. base is its directory, seen
// from the root of the walk: "" or "a/b", or "../.." above it.
type rules struct {
	prefix string // what to put before a path of the walk to see it from the file
	base   string // what to take from it
	match  *ignore.GitIgnore
}

type walker struct {
	ctx   context.Context //nolint:containedctx // lives for one Walk
	root  string
	o     WalkOptions
	visit func(rel string, d fs.DirEntry) error
	rules []rules
}

func (w *walker) dir(rel string) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	abs := filepath.Join(w.root, filepath.FromSlash(rel))
	entries, err := os.ReadDir(abs)
	if err != nil {
		return nil // the rest of the tree can be read
	}
	depth := len(w.rules)
	if !w.o.Ignored {
		w.load(abs, rel)
	}
	defer func() { w.rules = w.rules[:depth] }()
	for _, e := range entries {
		name := path.Join(rel, e.Name())
		if e.Name() == ".git" || !w.o.Hidden && strings.HasPrefix(e.Name(), ".") || w.ignored(name, e.IsDir()) {
			continue
		}
		err := w.visit(name, e)
		if err == fs.SkipDir { //nolint:errorlint // never wrapped, as in io/fs
			continue
		}
		if err == nil && e.IsDir() {
			err = w.dir(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// load adds the rules of a directory.
func (w *walker) load(abs, rel string) {
	if m, err := ignore.CompileIgnoreFile(filepath.Join(abs, ".gitignore")); err == nil {
		w.rules = append(w.rules, rules{base: rel, match: m})
	}
}

func (w *walker) ignored(rel string, dir bool) bool {
	for _, r := range w.rules {
		p := rel
		if r.base != "" {
			p = strings.TrimPrefix(strings.TrimPrefix(p, r.base), "/")
		}
		p = path.Join(r.prefix, p)
		if dir {
			p += "/"
		}
		if r.match.MatchesPath(p) {
			return true
		}
	}
	return false
}

// outerRules are those of the repository that root is in: of the directories
// above it and of .git/info/exclude.
func outerRules(root string) []rules {
	var list []rules
	prefix := ""
	for dir := root; ; dir = filepath.Dir(dir) {
		if dir != root {
			if m, err := ignore.CompileIgnoreFile(filepath.Join(dir, ".gitignore")); err == nil {
				list = append(list, rules{prefix: prefix, match: m})
			}
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			if m, err := ignore.CompileIgnoreFile(filepath.Join(dir, ".git", "info", "exclude")); err == nil {
				list = append(list, rules{prefix: prefix, match: m})
			}
			return list
		}
		if filepath.Dir(dir) == dir {
			return nil // no repository: nothing above counts
		}
		prefix = path.Join(filepath.Base(dir), prefix)
	}
}
