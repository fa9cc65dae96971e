package permission

import (
	"path"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/cmdline"
)

// readers are programs that only read what their arguments name, with the
// options with which they do more.
var readers = map[string][]string{ //nolint:gochecknoglobals // a table that is never written
	"ls": nil, "cat": nil, "head": nil, "tail": nil, "wc": nil, "stat": nil, "file": {"-C", "--compile"}, "du": nil, "df": nil,
	"basename": nil, "dirname": nil, "realpath": nil, "readlink": nil, "cut": nil, "tr": nil, "nl": nil, "diff": nil, "cmp": nil, "comm": nil,
	"uniq": nil, "sort": {"-o", "--output", "--compress-program", "-T", "--temporary-directory"}, "grep": nil, "egrep": nil, "fgrep": nil,
	"rg": {"--pre", "--hostname-bin", "-z", "--search-zip"}, "tree": {"-o"}, "md5sum": nil, "sha256sum": nil, "jq": nil, "column": nil,
	"find": {"-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"}, "cd": nil,
}

// printers take no files at all, so whatever their arguments are, they only
// print.
var printers = []string{"echo", "printf", "pwd", "true", "false", ":", "date", "uname", "whoami", "id", "hostname", "test", "[", "type", "which", "sleep", "seq", "nproc", "uptime", "exit", "return", "break", "continue"} //nolint:gochecknoglobals // a table that is never written

// gitReaders are the subcommands of git that change nothing.
var gitReaders = []string{"status", "log", "diff", "show", "rev-parse", "ls-files", "blame", "shortlog", "describe", "cat-file", "ls-tree", "merge-base", "grep", "rev-list"} //nolint:gochecknoglobals // a table that is never written

// onlyPrints says that no argument can make the command do anything else.
func onlyPrints(c cmdline.Command) bool {
	name, literal := c.Name()
	if !literal || !slices.Contains(printers, name) {
		return false
	}
	if name == "date" { // which can set the clock
		return !slices.ContainsFunc(c.Words[1:], func(w cmdline.Word) bool {
			return !w.Literal || strings.HasPrefix(w.Text, "-s") || strings.HasPrefix(w.Text, "--s") || !strings.HasPrefix(w.Text, "+") && !strings.HasPrefix(w.Text, "-")
		})
	}
	if name == "hostname" {
		return len(c.Words) == 1
	}
	return true
}

// harmless says that a command only reads, and only inside the project.
func (j *judge) harmless(c cmdline.Command, at location) bool {
	if at.outside {
		return onlyPrints(c) && j.mode != Plan
	}
	if onlyPrints(c) {
		return true
	}
	name, literal := c.Name()
	if !literal {
		return false
	}
	if standardDir(path.Dir(name)) {
		name = path.Base(name)
	}
	if name == "git" {
		return len(c.Words) > 1 && slices.Contains(gitReaders, c.Words[1].Text) && !escapes(c) && j.readsInside(c.Words[2:], at)
	}
	more, ok := readers[name]
	if !ok {
		return false
	}
	for _, w := range c.Words[1:] {
		if slices.ContainsFunc(more, func(o string) bool { return isOption(w.Text, o) }) {
			return false
		}
	}
	return j.readsInside(c.Words[1:], at)
}

// isOption says that a word is an option, also with its value attached or
// shortened, as programs allow.
func isOption(word, option string) bool {
	if strings.HasPrefix(option, "--") {
		name, _, _ := strings.Cut(word, "=")
		return len(name) > 3 && strings.HasPrefix(option, name)
	}
	if len(option) == 2 { // may stand among others: -ro
		return strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") && strings.Contains(word, option[1:])
	}
	return word == option
}

// readsInside says that every argument that may be a path leads into the
// project. What is only known when it runs may lead anywhere, but a glob without
// ".." stays below.
func (j *judge) readsInside(words []cmdline.Word, at location) bool {
	for _, w := range words {
		text := w.Text
		if !w.Literal {
			if !isGlob(text) {
				return false
			}
			w = cmdline.Word{Text: strings.TrimRight(text[:strings.IndexAny(text, "*?[{")], "/") + "/.", Literal: true}
			if strings.HasPrefix(text, "*") || strings.HasPrefix(text, "?") || strings.HasPrefix(text, "[") || strings.HasPrefix(text, "{") {
				w.Text = "."
			}
		}
		if _, value, ok := strings.Cut(text, "="); ok && strings.HasPrefix(text, "-") {
			w.Text = value
		} else if strings.HasPrefix(text, "-") {
			if strings.Contains(text, "/") {
				return false
			}
			continue
		}
		abs, known := j.resolve(w, at)
		if !known || !j.inside(abs) {
			return false
		}
	}
	return true
}

// isGlob says that a word is not known only because of stars and braces.
func isGlob(s string) bool {
	return strings.ContainsAny(s, "*?[{") && !strings.ContainsAny(s, "$`\"'\\<>()~") && !strings.Contains(s, "..")
}

// escapes says that an argument makes a program that reads run or write
// something else.
func escapes(c cmdline.Command) bool {
	name, _ := c.Name()
	switch path.Base(name) {
	case "git":
		return gitEscapes(c.Words[1:])
	case "find":
		return findWrites(c)
	case "sort", "tree", "rg", "file":
		for _, w := range c.Words[1:] {
			if slices.ContainsFunc(readers[path.Base(name)], func(o string) bool { return isOption(w.Text, o) }) {
				return true
			}
		}
	}
	return false
}

func findWrites(c cmdline.Command) bool {
	return slices.ContainsFunc(c.Words[1:], func(w cmdline.Word) bool {
		return !w.Literal && strings.HasPrefix(w.Text, "-") ||
			slices.Contains([]string{"-delete", "-fprint", "-fprint0", "-fprintf", "-fls"}, w.Text)
	})
}

// gitEscapes knows the options of git that run a program or write a file.
// Options before the subcommand change what it is.
func gitEscapes(words []cmdline.Word) bool {
	if len(words) == 0 {
		return false
	}
	if strings.HasPrefix(words[0].Text, "-") && words[0].Text != "--no-pager" && words[0].Text != "--version" {
		return true
	}
	for _, w := range words[1:] {
		for _, o := range []string{"--output", "--open-files-in-pager", "--ext-diff", "--textconv", "--upload-pack", "--receive-pack", "--exec"} {
			if isOption(w.Text, o) {
				return true
			}
		}
		if words[0].Text == "grep" && strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.Contains(w.Text, "O") {
			return true
		}
	}
	return false
}
