package cmdline

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Commands lists every simple command of the line in the order in which they
// stand there: in lists, pipes, loops, functions, substitutions, here-documents
// and arithmetic alike.
func (l *Line) Commands() []Command {
	w := walker{line: l, pipes: map[*syntax.Stmt]ends{}}
	syntax.Walk(l.file, w.visit)
	return w.found
}

// ends says which ends of a statement are pipes.
type ends struct{ in, out bool }

// walker collects commands. The ends of a pipe hold for everything inside a
// stage, so they are kept on a stack.
type walker struct {
	line  *Line
	pipes map[*syntax.Stmt]ends
	stack []ends
	found []Command
}

func (w *walker) visit(n syntax.Node) bool {
	if n == nil {
		w.stack = w.stack[:len(w.stack)-1]
		return true
	}
	at := ends{}
	if len(w.stack) > 0 {
		at = w.stack[len(w.stack)-1]
	}
	switch n := n.(type) {
	case *syntax.Stmt:
		own := w.pipes[n]
		at = ends{at.in || own.in, at.out || own.out}
		w.statement(n, at)
	case *syntax.BinaryCmd:
		if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
			w.pipes[n.X] = ends{out: true}
			w.pipes[n.Y] = ends{in: true}
		}
	case *syntax.CmdSubst:
		at.out = true
	case *syntax.ProcSubst:
		at = ends{in: n.Op == syntax.CmdOut, out: n.Op == syntax.CmdIn}
	}
	w.stack = append(w.stack, at)
	return true
}

// statement adds what a statement runs by itself: the commands inside of it
// come later.
func (w *walker) statement(s *syntax.Stmt, at ends) {
	c := Command{
		Pos: offset(s.Pos()), End: offset(s.End()), ReadsPipe: at.in, FeedsPipe: at.out,
	}
	for _, r := range s.Redirs {
		c.Redirects = append(c.Redirects, w.line.redirect(r))
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		for _, a := range cmd.Args {
			c.Words = append(c.Words, w.line.word(a))
		}
		c.Assigns = w.line.assigns(cmd.Assigns)
	case *syntax.DeclClause:
		c.Words = w.line.declaration(cmd)
	default:
		if len(c.Redirects) == 0 {
			return
		}
		// Only the redirections count: the commands inside come by themselves.
	}
	if semi := offset(s.Semicolon); s.Semicolon.IsValid() && semi < c.End {
		c.End = semi
	}
	c.Text = strings.TrimRight(w.line.slice(c.Pos, c.End), " \t\n")
	c.End = c.Pos + len(c.Text)
	w.found = append(w.found, c)
}

// declaration makes words of "export A=1", which the tree does not see as a
// call.
func (l *Line) declaration(d *syntax.DeclClause) []Word {
	words := []Word{{Text: d.Variant.Value, Literal: true}}
	for _, a := range d.Args {
		switch {
		case a.Naked && a.Value != nil:
			words = append(words, l.word(a.Value))
		case a.Naked && a.Name != nil:
			words = append(words, Word{Text: a.Name.Value, Literal: true})
		default:
			text := l.slice(offset(a.Pos()), offset(a.End()))
			words = append(words, Word{Text: text, Literal: a.Value != nil && l.word(a.Value).Literal})
		}
	}
	return words
}

func (l *Line) assigns(list []*syntax.Assign) []Assign {
	out := make([]Assign, 0, len(list))
	for _, a := range list {
		one := Assign{Value: Word{Literal: a.Array == nil}}
		if a.Name != nil {
			one.Name = a.Name.Value
		}
		if a.Value != nil {
			one.Value = l.word(a.Value)
		}
		out = append(out, one)
	}
	return out
}

func (l *Line) redirect(r *syntax.Redirect) Redirect {
	out := Redirect{Op: r.Op.String(), Text: l.slice(offset(r.Pos()), offset(r.End()))}
	if r.N != nil {
		out.FD = r.N.Value
	}
	if r.Word != nil {
		out.Target = l.word(r.Word)
	}
	return out
}

func (l *Line) slice(from, to int) string {
	if from < 0 || to > len(l.src) || from > to {
		return ""
	}
	return l.src[from:to]
}

func offset(p syntax.Pos) int { return int(p.Offset()) }
