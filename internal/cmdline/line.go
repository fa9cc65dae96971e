package cmdline

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Line is a command line that parses, of one or more lines of text.
type Line struct {
	src  string
	file *syntax.File
}

// Command is a simple command. A compound command with redirections, such as
// "{ …; } >file", counts as a Command without words beside the commands in it.
type Command struct {
	Words     []Word
	Assigns   []Assign // "A=1" before the words, or alone
	Redirects []Redirect
	Text      string // as it stands in the line
	Pos, End  int    // where, in bytes
	// ReadsPipe says that its input comes from a pipe.
	ReadsPipe bool
	// FeedsPipe says that its output goes into a pipe.
	FeedsPipe bool
}

// Word is one word of a command. Text is its value if Literal, else the word as
// it stands in the line.
type Word struct {
	Text    string
	Literal bool
	// Tilde says that Text begins with a "~" that the shell replaces by a home
	// directory.
	Tilde bool
}

// Assign is the assignment of a variable.
type Assign struct {
	Name  string
	Value Word
}

// Redirect is a redirection. Op is as in the shell: ">", ">>", "<", "&>", ">|",
// "<>", ">&", "<&", "<<" or "<<<".
type Redirect struct {
	Op     string
	FD     string // "2" in "2>file"; "" if none stands there
	Target Word   // of a here-document: its end word
	Text   string
}

// Parse reads a command line as bash does. An error is one line that says where
// it cannot be read.
func Parse(src string) (*Line, error) {
	if strings.ContainsRune(src, 0) {
		return nil, errors.New("the command holds a NUL byte")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(src), "")
	if err != nil {
		return nil, fmt.Errorf("the command cannot be read: %w", err)
	}
	return &Line{src: src, file: file}, nil
}

// Name is the first word of a command and whether it is known. It is "" for a
// command without words.
func (c Command) Name() (string, bool) {
	if len(c.Words) == 0 {
		return "", true
	}
	return c.Words[0].Text, c.Words[0].Literal && !c.Words[0].Tilde
}

// Literal says that every word of the command is known.
func (c Command) Literal() bool {
	for _, w := range c.Words {
		if !w.Literal {
			return false
		}
	}
	return true
}

// Single returns the command if the line is nothing but one simple command:
// nothing before, behind or inside it, and not in the background.
func (l *Line) Single() (Command, bool) {
	all := l.Commands()
	if len(all) != 1 || len(l.file.Stmts) != 1 {
		return Command{}, false
	}
	s := l.file.Stmts[0]
	if s.Background || s.Negated || s.Coprocess {
		return Command{}, false
	}
	switch s.Cmd.(type) {
	case *syntax.CallExpr, *syntax.DeclClause:
		return all[0], true
	default:
		return Command{}, false
	}
}

// Empty says that the line holds no command, such as a comment.
func (l *Line) Empty() bool { return len(l.file.Stmts) == 0 }
