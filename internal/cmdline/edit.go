package cmdline

import (
	"regexp"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limit is a limit on the lines of an output.
type Limit struct {
	Kind string // "head" or "tail"
	N    int
}

// TrailingLimit finds "| head -n N" or "| tail -n N" at the end of a line that
// is one single pipeline, and returns the line without it, byte for byte.
// Anything that means more than that is left alone: other options, a list, a
// here-document, a redirection.
func (l *Line) TrailingLimit() (limit Limit, rest string, ok bool) {
	if len(l.file.Stmts) != 1 || len(l.file.Last) > 0 {
		return Limit{}, "", false
	}
	s := l.file.Stmts[0]
	pipe, isPipe := s.Cmd.(*syntax.BinaryCmd)
	if !isPipe || pipe.Op != syntax.Pipe || !plain(s) || hasHeredoc(pipe.X) {
		return Limit{}, "", false
	}
	limit, ok = l.limitOf(pipe.Y)
	if !ok {
		return Limit{}, "", false
	}
	return limit, l.slice(offset(s.Pos()), offset(pipe.X.End())), true
}

// plain says that nothing but its command belongs to a statement.
func plain(s *syntax.Stmt) bool {
	return !s.Negated && !s.Background && !s.Coprocess && len(s.Redirs) == 0 && len(s.Comments) == 0
}

func hasHeredoc(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Redirect); ok && r.Hdoc != nil {
			found = true
		}
		return !found
	})
	return found
}

var joinedLimit = regexp.MustCompile(`^-n?([0-9]+)$`)

func (l *Line) limitOf(s *syntax.Stmt) (Limit, bool) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || !plain(s) || len(call.Assigns) > 0 || len(call.Args) < 2 || len(call.Args) > 3 {
		return Limit{}, false
	}
	args := make([]string, len(call.Args))
	for i, a := range call.Args {
		w := l.word(a)
		if !w.Literal {
			return Limit{}, false
		}
		args[i] = w.Text
	}
	if args[0] != "head" && args[0] != "tail" {
		return Limit{}, false
	}
	number := ""
	if m := joinedLimit.FindStringSubmatch(args[1]); m != nil && len(args) == 2 {
		number = m[1]
	} else if args[1] == "-n" && len(args) == 3 && joinedLimit.MatchString("-"+args[2]) {
		number = args[2]
	}
	n, err := strconv.Atoi(strings.TrimPrefix(number, "n"))
	if err != nil || strings.HasPrefix(number, "n") {
		return Limit{}, false
	}
	return Limit{Kind: args[0], N: n}, true
}

// LeadingCd finds "cd DIR &&" with a known DIR before everything else and
// returns what follows, byte for byte.
func (l *Line) LeadingCd() (dir Word, rest string, ok bool) {
	if len(l.file.Stmts) == 0 {
		return Word{}, "", false
	}
	s := l.file.Stmts[0]
	for {
		list, isList := s.Cmd.(*syntax.BinaryCmd)
		if !isList || list.Op != syntax.AndStmt && list.Op != syntax.OrStmt || !plain(s) {
			return Word{}, "", false
		}
		if dir, ok = l.cdTo(list.X); ok {
			return dir, l.src[offset(list.Y.Pos()):], list.Op == syntax.AndStmt
		}
		s = list.X
	}
}

func (l *Line) cdTo(s *syntax.Stmt) (Word, bool) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || !plain(s) || len(call.Assigns) > 0 || len(call.Args) != 2 {
		return Word{}, false
	}
	if name := l.word(call.Args[0]); !name.Literal || name.Text != "cd" {
		return Word{}, false
	}
	dir := l.word(call.Args[1])
	if !dir.Literal || dir.Text == "" || strings.HasPrefix(dir.Text, "-") {
		return Word{}, false
	}
	if dir.Tilde && dir.Text != "~" && !strings.HasPrefix(dir.Text, "~/") {
		return Word{}, false // somebody else's home
	}
	return dir, true
}
