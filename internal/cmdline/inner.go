package cmdline

import (
	"slices"
	"strings"
)

// Inner returns the commands that a command runs because its arguments say so:
// "env", "sudo", "timeout", "xargs", "sh -c", "eval", "find -exec" and their
// like. known is false if the arguments do not tell what will run. A command
// that runs none has none, and that is known.
func (c Command) Inner() (inner []Command, known bool) {
	name, literal := c.Name()
	if !literal {
		return nil, false
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	switch base {
	case "sh", "bash", "dash", "zsh", "ksh", "ash":
		return c.script()
	case "eval":
		return c.parse(c.Words[1:])
	case "trap":
		if len(c.Words) > 2 && !strings.HasPrefix(c.Words[1].Text, "-") {
			return c.parse(c.Words[1:2])
		}
		return nil, true
	case "find":
		return c.findActions()
	}
	if w, ok := wrappers[base]; ok {
		return c.unwrap(w)
	}
	return nil, true
}

// wrapper describes how the arguments of a program that runs another one are to
// be read.
type wrapper struct {
	short    string   // one-letter options that take a value
	long     []string // long options that take a value in the next word
	operands int      // words of its own before the command
	assigns  bool     // "A=1" before the command
	none     string   // one-letter options with which it runs nothing
	digits   bool     // "-10" is an option
}

var wrappers = map[string]wrapper{ //nolint:gochecknoglobals // a table that is never written
	"env":     {short: "uCP", long: []string{"--unset", "--chdir"}, assigns: true},
	"sudo":    {short: "ugpCThRrtU", long: []string{"--user", "--group", "--prompt", "--chdir", "--host", "--other-user"}, assigns: true},
	"doas":    {short: "uC"},
	"command": {none: "vV"},
	"builtin": {},
	"exec":    {short: "a"},
	"nohup":   {},
	"setsid":  {},
	"time":    {short: "fo", long: []string{"--format", "--output"}},
	"nice":    {short: "n", long: []string{"--adjustment"}, digits: true},
	"ionice":  {short: "cn", long: []string{"--class", "--classdata"}},
	"chrt":    {operands: 1},
	"taskset": {operands: 1},
	"timeout": {short: "ks", long: []string{"--kill-after", "--signal"}, operands: 1},
	"stdbuf":  {short: "ioe", long: []string{"--input", "--output", "--error"}},
	"xargs":   {short: "aEILPdns", long: []string{"--arg-file", "--delimiter", "--max-args", "--max-lines", "--max-procs", "--max-chars", "--replace"}},
	"watch":   {short: "nd", long: []string{"--interval"}},
	"strace":  {short: "eopsaIOPSu"},
	"flock":   {short: "wE", operands: 1},
	"chronic": {},
	"busybox": {},
}

// unwrap skips what belongs to the wrapper; the rest is the command.
func (c Command) unwrap(w wrapper) ([]Command, bool) {
	args := c.Words[1:]
	for len(args) > 0 {
		if !args[0].Literal {
			return nil, false
		}
		text := args[0].Text
		switch {
		case text == "--":
			return c.from(args[1:], w)
		case w.assigns && strings.Contains(text, "=") && !strings.HasPrefix(text, "-"):
			args = args[1:]
		case !strings.HasPrefix(text, "-") || text == "-":
			return c.from(args, w)
		case strings.HasPrefix(text, "--"):
			args = args[1:]
			if slices.Contains(w.long, text) {
				args = args[min(1, len(args)):]
			}
		default:
			if strings.ContainsAny(text[1:], w.none) {
				return nil, true
			}
			if text[1] == 'S' && w.assigns && w.short == wrappers["env"].short {
				return nil, false // env splits the text by rules of its own
			}
			args = args[1:]
			if last := text[len(text)-1]; strings.IndexByte(w.short, last) >= 0 {
				args = args[min(1, len(args)):]
			}
		}
	}
	return nil, true
}

// from makes a command of the words that are left.
func (c Command) from(args []Word, w wrapper) ([]Command, bool) {
	for range w.operands {
		if len(args) == 0 {
			return nil, true
		}
		args = args[1:]
	}
	for w.assigns && len(args) > 0 && strings.Contains(args[0].Text, "=") {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil, true
	}
	inner := c
	inner.Words, inner.Assigns, inner.Redirects = args, nil, nil
	return []Command{inner}, true
}

// script is what a shell is told to run. A shell that reads a file or its input
// runs nobody knows what.
func (c Command) script() ([]Command, bool) {
	args := c.Words[1:]
	for len(args) > 0 {
		text := args[0].Text
		if !args[0].Literal || !strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "+") {
			return nil, false
		}
		if strings.HasPrefix(text, "--") {
			if text == "--version" || text == "--help" {
				return nil, true
			}
			args = args[1:]
			continue
		}
		if strings.Contains(text, "c") && len(args) > 1 {
			return c.parse(args[1:2])
		}
		if strings.HasSuffix(text, "o") || strings.HasSuffix(text, "O") {
			args = args[min(1, len(args)):]
		}
		args = args[min(1, len(args)):]
	}
	return nil, false
}

// parse reads words as a command line.
func (c Command) parse(words []Word) ([]Command, bool) {
	var texts []string
	for _, w := range words {
		if !w.Literal {
			return nil, false
		}
		texts = append(texts, w.Text)
	}
	line, err := Parse(strings.Join(texts, " "))
	if err != nil {
		return nil, false
	}
	inner := line.Commands()
	for i := range inner {
		inner[i].Pos, inner[i].End = c.Pos, c.End
	}
	return inner, true
}

// findActions are the commands behind -exec and its like.
func (c Command) findActions() (inner []Command, known bool) {
	args := c.Words[1:]
	for i := 0; i < len(args); i++ {
		switch args[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
		default:
			continue
		}
		from := i + 1
		for i = from; i < len(args) && args[i].Text != ";" && args[i].Text != "+"; i++ {
		}
		if from == i {
			return nil, false
		}
		one := c
		one.Words, one.Assigns, one.Redirects = args[from:i], nil, nil
		inner = append(inner, one)
	}
	return inner, true
}
