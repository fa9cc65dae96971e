package bash

import (
	"path"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/cmdline"
)

// interactive says that a person's line starts a program that is interactive by
// nature, with the terminal as its output. An empty list of programs says that
// nothing is.
func interactive(command string, programs []string) bool {
	if len(programs) == 0 {
		return false
	}
	line, err := cmdline.Parse(command)
	if err != nil {
		return false
	}
	all := line.Commands()
	// A loop or group that reads a file feeds every "read" in it.
	fed := slices.ContainsFunc(all, func(c cmdline.Command) bool { return len(c.Words) == 0 && readsElsewhere(c) })
	return slices.ContainsFunc(all, func(c cmdline.Command) bool {
		c.ReadsPipe = c.ReadsPipe || fed
		return talks(c, programs)
	})
}

// ownTerminal are programs that open the terminal themselves, wherever their
// output goes.
var ownTerminal = []string{"fzf", "sudo", "su", "ssh", "passwd", "dialog", "whiptail"} //nolint:gochecknoglobals // a table that is never written

// talks says that one command wants a terminal.
func talks(c cmdline.Command, programs []string) bool {
	first, known := c.Name()
	if !known || first == "" {
		return false
	}
	name, args := path.Base(first), words(c.Words[1:])
	if (c.FeedsPipe || writesElsewhere(c)) && !slices.Contains(ownTerminal, name) {
		return false
	}
	if asks, special := byArguments[name]; special {
		return asks(c, args)
	}
	if slices.Contains(programs, name) {
		return !slices.ContainsFunc(args, func(a string) bool { return a == "--version" || a == "--help" })
	}
	inner, known := c.Inner()
	return known && slices.ContainsFunc(inner, func(in cmdline.Command) bool { return talks(in, programs) })
}

// byArguments are programs whose arguments decide.
var byArguments = map[string]func(c cmdline.Command, args []string) bool{ //nolint:gochecknoglobals // a table that is never written
	"git": func(_ cmdline.Command, args []string) bool { return gitTalks(args) },

	"python": repl, "python3": repl, "node": repl, "irb": repl, "lua": repl, "ghci": repl, "R": repl, "julia": repl, "php": phpTalks,
	"bash": repl, "sh": repl, "zsh": repl, "fish": repl, "dash": repl,

	"docker": containerTalks, "podman": containerTalks, "kubectl": containerTalks,

	"read": readsPerson, "select": readsPerson,
}

func words(list []cmdline.Word) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = w.Text
	}
	return out
}

func writesElsewhere(c cmdline.Command) bool {
	return slices.ContainsFunc(c.Redirects, func(r cmdline.Redirect) bool {
		return (r.FD == "" || r.FD == "1") && strings.HasPrefix(r.Op, ">") || strings.HasPrefix(r.Op, "&>")
	})
}

func readsElsewhere(c cmdline.Command) bool {
	return c.ReadsPipe || slices.ContainsFunc(c.Redirects, func(r cmdline.Redirect) bool { return strings.HasPrefix(r.Op, "<") })
}

// repl is an interpreter without a script or a text to run.
func repl(c cmdline.Command, args []string) bool {
	if readsElsewhere(c) {
		return false
	}
	for _, a := range args {
		switch {
		case a == "-i":
			return true
		case a == "-" || !strings.HasPrefix(a, "-"), a == "-c", a == "-e", a == "-p", a == "-m", a == "-V",
			strings.HasPrefix(a, "--") && a != "--login" && a != "--norc" && a != "--noprofile":
			return false
		}
	}
	return true
}

func phpTalks(_ cmdline.Command, args []string) bool { return slices.Contains(args, "-a") }

// containerTalks is "run -it" and its like.
func containerTalks(_ cmdline.Command, args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == "-it" || a == "-ti" || a == "-t" || a == "--tty" })
}

// readsPerson is a shell's own question.
func readsPerson(c cmdline.Command, _ []string) bool { return !readsElsewhere(c) }

// gitTalks says that git would open an editor or a pager, or ask.
func gitTalks(args []string) bool {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		switch args[0] {
		case "--no-pager", "--version", "--help":
			return false
		case "-C", "-c":
			args = args[1:]
		}
		if len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return false
	}
	has := func(any ...string) bool {
		return slices.ContainsFunc(args[1:], func(a string) bool {
			name, _, _ := strings.Cut(a, "=")
			return slices.Contains(any, name)
		})
	}
	short := func(flag rune) bool { // -am holds -m
		return slices.ContainsFunc(args[1:], func(a string) bool {
			return strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.ContainsRune(a, flag)
		})
	}
	switch args[0] {
	case "log", "diff", "show", "blame", "reflog", "difftool", "mergetool":
		return true
	case "commit":
		return !has("--message", "--file", "--no-edit", "--fixup", "--reuse-message", "--dry-run") && !short('m') && !short('F') && !short('C')
	case "rebase":
		return has("--interactive", "--edit-todo") || short('i')
	case "add", "checkout", "reset", "restore", "stash":
		return has("--patch", "--interactive", "--edit") || short('p') || args[0] == "add" && (short('i') || short('e'))
	case "clean":
		return has("--interactive") || short('i')
	case "merge", "revert":
		return !has("--no-edit", "--ff-only", "--abort", "--continue", "--quit", "--no-commit") && !short('m')
	case "config":
		return has("--edit") || short('e')
	default:
		return false
	}
}
