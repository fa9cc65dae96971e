package permission

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// rule allows or denies a kind of access: Bash(pattern), Edit(glob), Read(glob).
type rule struct {
	kind, pattern string
	command       *regexp.Regexp // of Bash
	wild          bool           // the pattern holds a star
}

var form = regexp.MustCompile(`(?s)^(Bash|Edit|Read)\((.+)\)$`)

func parseRules(where string, list []string) ([]rule, error) {
	var out []rule
	for i, text := range list {
		m := form.FindStringSubmatch(strings.TrimSpace(text))
		if m == nil {
			return nil, fmt.Errorf("%s[%d]: %q is no rule; write Bash(git status), Bash(npm test *), Edit(src/**) or Read(/etc/hosts)", where, i, text)
		}
		r := rule{kind: m[1], pattern: m[2], wild: strings.Contains(m[2], "*")}
		switch {
		case r.kind == "Bash":
			r.command = commandPattern(r.pattern)
		case !doublestar.ValidatePattern(r.pattern):
			return nil, fmt.Errorf("%s[%d]: %q is no glob", where, i, r.pattern)
		}
		out = append(out, r)
	}
	return out, nil
}

// commandPattern makes an expression of a pattern: "*" is anything, and " *" at
// the end is any further arguments, or none.
func commandPattern(p string) *regexp.Regexp {
	tail := ""
	if rest, ok := strings.CutSuffix(p, " *"); ok {
		p, tail = rest, `( .*)?`
	}
	parts := strings.Split(p, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(`(?s)^` + strings.Join(parts, `.*`) + tail + `$`)
}

// matchPath matches an absolute path. A pattern is relative to the project,
// absolute, or begins with "~/".
func (r rule) matchPath(path, root, home string) bool {
	pattern := r.pattern
	switch {
	case strings.HasPrefix(pattern, "~/"):
		pattern = filepath.Join(home, pattern[2:])
	case !filepath.IsAbs(pattern):
		pattern = filepath.Join(root, pattern)
	}
	if ok, _ := doublestar.Match(pattern, path); !ok {
		return false
	}
	// A symlink must not lead to where the rule does not.
	followed := real(path)
	if followed == path {
		return true
	}
	ok, _ := doublestar.Match(pattern, followed)
	if ok {
		return true
	}
	if rel, err := filepath.Rel(real(root), followed); err == nil {
		ok, _ = doublestar.Match(pattern, filepath.Join(root, rel))
	}
	return ok
}
