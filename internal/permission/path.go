package permission

import (
	"path/filepath"
	"slices"
	"strings"
)

// inside says that a path lies in the project, also when symlinks are followed
// as far as they exist.
func (p *Policy) inside(path string) bool {
	return within(p.root, path) && within(real(p.root), real(path))
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// real follows the symlinks of the longest part of a path that exists.
func real(path string) string {
	rest := ""
	for dir := path; ; {
		if target, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(target, rest)
		}
		up := filepath.Dir(dir)
		if up == dir {
			return path
		}
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = up
	}
}

// show names a path as a rule does: from the project's directory, or whole.
func (p *Policy) show(path string) string {
	if rel, err := filepath.Rel(p.root, path); err == nil && within(p.root, path) {
		return rel
	}
	return path
}

// guarded are places in a project whose change would change what runs next.
func (p *Policy) guarded(path string) bool {
	rel, err := filepath.Rel(real(p.root), real(path))
	if err != nil {
		return true
	}
	parts := strings.Split(rel, string(filepath.Separator))
	return slices.Contains(parts, ".git") || parts[0] == ".agent"
}

func (j *judge) read(path string) {
	switch {
	case j.match(j.Policy.deny, "Read", path):
		j.deny("a rule forbids reading %s", j.show(path))
	case j.mode == All, j.inside(path), j.match(j.allow, "Read", path):
	default:
		j.object(objection{
			part: path, reason: "it reads outside the project: " + path, rule: "Read(" + path + ")",
		})
	}
}

// write judges the change of a file. part is what to show of it.
func (j *judge) write(path, part string) {
	rule := "Edit(" + j.show(path) + ")"
	switch {
	case j.match(j.Policy.deny, "Edit", path):
		j.deny("a rule forbids changing %s", j.show(path))
	case j.mode == All, j.match(j.allow, "Edit", path):
	case !j.inside(path):
		j.object(objection{part: part, reason: "it writes outside the project: " + path, rule: rule})
	case j.mode == Edits && !j.guarded(path):
	default:
		j.object(objection{part: part, reason: "it changes " + j.show(path), rule: rule})
	}
}

func (j *judge) match(rules []rule, kind, path string) bool {
	return slices.ContainsFunc(rules, func(r rule) bool { return r.kind == kind && r.matchPath(path, j.root, j.home) })
}
