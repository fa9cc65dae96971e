package bash

import (
	"path"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/cmdline"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/tools"
)

// fullScreen are programs that only work in a terminal, unless one of these
// arguments makes them work without.
var fullScreen = map[string][]string{ //nolint:gochecknoglobals // a table that is never written
	"vim": {"-e", "-es", "-E", "-Es", "--version", "--help", "-h"}, "vi": {"-e", "-es", "--version"}, "nvim": {"--headless", "-es", "-l", "--version", "--help"},
	"nano": {"--version", "--help"}, "emacs": {"--batch", "-batch", "--script", "--version", "--daemon"},
	"htop": {"--version"}, "btop": {"--version"}, "top": {"-b", "-bn1", "-bn", "-h", "-v"}, "tig": {"--version"}, "lazygit": {"--version"},
	"mc": {"--version"}, "dialog": {"--version"}, "whiptail": {"--version"}, "fzf": {"-f", "--filter", "--version"},
}

// needsTerminal names the first program of a line that would wait for a
// terminal for ever.
func needsTerminal(command string) (name string, needs bool) {
	line, err := cmdline.Parse(command)
	if err != nil {
		return "", false
	}
	for _, c := range line.Commands() {
		first, literal := c.Name()
		escape, known := fullScreen[path.Base(first)]
		if !literal || !known || path.Base(first) == "fzf" && c.ReadsPipe {
			continue
		}
		works := slices.ContainsFunc(c.Words[1:], func(w cmdline.Word) bool {
			return slices.ContainsFunc(escape, func(e string) bool { return w.Text == e || strings.HasPrefix(w.Text, e+"=") })
		})
		if !works {
			return path.Base(first), true
		}
	}
	return "", false
}

// givesTerminal says that a call runs in the console's terminal.
func (t *Tool) givesTerminal(c *call) bool {
	if t.o.Console == nil || t.o.Terminal == "off" {
		return false
	}
	return c.pty || t.o.Terminal == "on"
}

// whyNoTerminal says why there is none.
func (t *Tool) whyNoTerminal() string {
	if t.o.Console != nil {
		return "Terminals are switched off here (bash.virtualTerminal)"
	}
	return "A terminal was asked for and there is nobody in front of one"
}

// noTerminal refuses a program that would wait for a terminal for ever.
func (t *Tool) noTerminal(name string) error {
	if t.o.Console != nil && t.o.Terminal != "off" {
		return tools.Errorf("%s needs a terminal, so it was not started. Pass pty: true to run it in one that the user sees and types into, or do it in another way", name)
	}
	return tools.Errorf("%s needs a terminal with a person in front of it, so it was not started. Do it in another way, or ask the user to run it with !%s", name, name)
}

// wantedInput says that a command asked for input, which is empty. Otherwise a
// prompt that got nothing looks like a person who answered nothing.
func wantedInput(command string, res exec.Result) string {
	if res.Outcome != exec.Exited {
		return ""
	}
	line, err := cmdline.Parse(command)
	if err != nil {
		return ""
	}
	for _, c := range line.Commands() {
		name, _ := c.Name()
		if c.ReadsPipe || slices.ContainsFunc(c.Redirects, func(r cmdline.Redirect) bool { return strings.HasPrefix(r.Op, "<") }) {
			continue
		}
		if name == "read" || name == "select" {
			return "Standard input is empty here: " + name + " got nothing, nobody was asked"
		}
	}
	return ""
}
