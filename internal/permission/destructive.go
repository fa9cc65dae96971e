package permission

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/cmdline"
)

// destructive says why a command asks even where everything is allowed; "" if
// it does not.
func destructive(c cmdline.Command, home string) string {
	name, _ := c.Name()
	args := c.Words[1:]
	switch base := path.Base(name); {
	case base == "rm" && hasFlag(args, "rR", "--recursive"):
		for _, w := range args {
			if vital(w, home) {
				return "it removes " + w.Text + " with everything in it"
			}
		}
	case strings.HasPrefix(base, "mkfs"), base == "wipefs", base == "fdisk", base == "parted", base == "mkswap":
		return "it changes a disk"
	case base == "dd":
		for _, w := range args {
			if to, ok := strings.CutPrefix(w.Text, "of="); ok && strings.HasPrefix(to, "/dev/") && to != "/dev/null" {
				return "it writes to the device " + to
			}
		}
	case (base == "chmod" || base == "chown") && hasFlag(args, "R", "--recursive"):
		for _, w := range args {
			if vital(w, home) {
				return "it changes the permissions of all of " + w.Text
			}
		}
	case base == "git" && slices.ContainsFunc(args, is("push")) &&
		(slices.ContainsFunc(args, is("--force")) || slices.ContainsFunc(args, is("--mirror")) || hasFlag(args, "f", "") || slices.ContainsFunc(args, func(w cmdline.Word) bool { return strings.HasPrefix(w.Text, "+") })):
		return "it overwrites what others pushed"
	case base == "shutdown", base == "reboot", base == "halt", base == "poweroff":
		return "it stops the machine"
	}
	return ""
}

func is(text string) func(cmdline.Word) bool {
	return func(w cmdline.Word) bool { return w.Text == text }
}

// hasFlag says that one of the letters stands among short options, or the long
// option does.
func hasFlag(args []cmdline.Word, letters, long string) bool {
	return slices.ContainsFunc(args, func(w cmdline.Word) bool {
		if long != "" && w.Text == long {
			return true
		}
		return strings.HasPrefix(w.Text, "-") && !strings.HasPrefix(w.Text, "--") && strings.ContainsAny(w.Text, letters)
	})
}

// vital says that a word means the root, a home directory, a directory of the
// system, or something in place of them that is only known when it runs.
func vital(w cmdline.Word, home string) bool {
	text := strings.TrimSuffix(strings.TrimSuffix(w.Text, "*"), "/.")
	if text == "" {
		text = w.Text
	}
	if w.Tilde && (text == "~" || text == "~/") || text == "~" || strings.HasPrefix(text, "~/") && strings.Trim(text, "~/") == "" {
		return true
	}
	if !w.Literal {
		bare := strings.Trim(w.Text, `"'{}`)
		if strings.HasPrefix(bare, "$HOME") || strings.HasPrefix(bare, "${HOME") {
			return strings.Count(strings.TrimRight(bare, "/*"), "/") == 0
		}
		if strings.HasPrefix(bare, "$") && strings.Trim(bare[strings.LastIndexAny(bare, "}\"")+1:], "/*") == "" && strings.ContainsAny(bare, "/*") {
			return true // "$DIR/*" with nothing in DIR is the root
		}
	}
	clean := filepath.Clean(text)
	return strings.HasPrefix(text, "/") && (clean == "/" || clean == filepath.Clean(home) || strings.Count(clean, "/") == 1 && clean != "/tmp")
}

var bomb = regexp.MustCompile(`(\S+)\s*\(\)\s*\{\s*(\S+)\s*\|\s*(\S+)\s*&\s*\}`)

// forkBomb finds a function that pipes itself into itself.
func forkBomb(command string) bool {
	m := bomb.FindStringSubmatch(command)
	return m != nil && m[1] == m[2] && m[2] == m[3]
}

func isShell(c cmdline.Command) bool {
	name, _ := c.Name()
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "python", "python3", "perl", "ruby", "node", "sudo"}, path.Base(name))
}

func downloads(commands []cmdline.Command) bool {
	return slices.ContainsFunc(commands, func(c cmdline.Command) bool {
		name, _ := c.Name()
		return path.Base(name) == "curl" || path.Base(name) == "wget"
	})
}
