package bash

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/seed7484d81d/agent/internal/cmdline"
)

// Rule points a model from a shell command to a tool that does it better.
type Rule struct {
	Pattern string // regular expression for one simple command
	Flags   string // of the expression, such as "i"
	Tool    string // the rule counts only if this tool is there
	Message string
}

// Rules are rules that compile.
type Rules []rule

type rule struct {
	Rule
	index int
	re    *regexp.Regexp
}

// CompileRules compiles rules and reports those that do not, with their index;
// they are left out.
func CompileRules(list []Rule) (Rules, []error) {
	var rules Rules
	var errs []error
	for i, r := range list {
		expr := r.Pattern
		if r.Flags != "" {
			expr = "(?" + r.Flags + ")" + expr
		}
		re, err := regexp.Compile(expr)
		if err != nil {
			errs = append(errs, fmt.Errorf("bashInterceptor.patterns[%d] is left out: %w", i, err))
			continue
		}
		rules = append(rules, rule{Rule: r, index: i, re: re})
	}
	return rules, errs
}

// Inactive lists the rules that cannot fire, because their tool is not there.
func (rs Rules) Inactive(has func(tool string) bool) []Rule {
	var list []Rule
	for _, r := range rs {
		if !has(r.Tool) {
			list = append(list, r.Rule)
		}
	}
	return list
}

// match finds the first rule that a line breaks. Every simple command is
// tested, without what hides it, as plain words with their redirections to
// files. What reads a pipe is no file reader and is left alone.
func (rs Rules) match(command string, has func(tool string) bool) (rule, bool) {
	if len(rs) == 0 {
		return rule{}, false
	}
	line, err := cmdline.Parse(command)
	if err != nil {
		return rule{}, false
	}
	for _, c := range line.Commands() {
		if c.ReadsPipe {
			continue
		}
		for _, text := range subjects(c) {
			for _, r := range rs {
				if r.re.MatchString(text) && has(r.Tool) {
					return r, true
				}
			}
		}
	}
	return rule{}, false
}

// subjects are the texts of a command, and of the one that it wraps.
func subjects(c cmdline.Command) []string {
	texts := []string{subject(c)}
	for range 4 { // deeper than anybody writes
		inner, known := c.Inner()
		if !known || len(inner) != 1 {
			break
		}
		inner[0].Redirects = append(inner[0].Redirects, c.Redirects...)
		c = inner[0]
		texts = append(texts, subject(c))
	}
	return texts
}

func subject(c cmdline.Command) string {
	var words []string
	for i, w := range c.Words {
		text := w.Text
		if i == 0 {
			text = path.Base(text)
		}
		words = append(words, text)
	}
	for _, r := range c.Redirects {
		if writesFile(r) {
			words = append(words, "> "+r.Target.Text)
		}
	}
	return strings.Join(words, " ")
}

// writesFile says that a redirection makes or changes a file, not a device or
// another descriptor.
func writesFile(r cmdline.Redirect) bool {
	switch r.Op {
	case ">", ">>", ">|", "&>", "&>>":
		return !strings.HasPrefix(r.Target.Text, "/dev/")
	default:
		return false
	}
}
