package permission

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/cmdline"
)

// maxDepth bounds how many programs may run one another.
const maxDepth = 6

// run judges a shell line by all of its parts.
func (j *judge) run(a chat.Access) {
	line, err := cmdline.Parse(a.Command)
	if err != nil {
		if j.mode != All || len(j.Policy.deny) > 0 {
			j.object(objection{part: a.Command, reason: err.Error()})
		}
		return
	}
	for name := range a.Env {
		j.assign(name, name+"=…")
	}
	commands := line.Commands()
	where := location{dir: a.Dir, moves: slices.ContainsFunc(commands, changesDir)}
	if !j.inside(a.Dir) && j.mode != All {
		where.outside = true
	}
	if forkBomb(a.Command) {
		j.object(objection{part: a.Command, reason: "it looks like a fork bomb", destructive: true})
	}
	for i, c := range commands {
		if i > 0 && c.ReadsPipe && isShell(c) && downloads(commands[:i]) {
			j.object(objection{part: c.Text, reason: "it runs what it downloads", destructive: true})
		}
		j.command(c, where, 0)
	}
}

// location is where the commands of a line run.
type location struct {
	dir     string
	moves   bool // a command of the line changes the directory
	outside bool // the directory is not in the project
}

func changesDir(c cmdline.Command) bool {
	name, _ := c.Name()
	return name == "cd" || name == "pushd" || name == "popd"
}

// command judges one simple command and those that it runs.
func (j *judge) command(c cmdline.Command, at location, depth int) {
	for _, r := range c.Redirects {
		j.redirect(r, at)
	}
	for _, a := range c.Assigns {
		j.assign(a.Name, c.Text)
	}
	if len(c.Words) == 0 {
		return
	}
	text, literal := canonical(c)
	if j.deniedBy(c, text) {
		return
	}
	if why := destructive(c, j.home); why != "" {
		j.object(objection{part: c.Text, reason: why, destructive: true})
		return
	}
	inner, known := c.Inner()
	if depth > maxDepth {
		known = false
	}
	if known && len(inner) > 0 {
		for _, in := range inner {
			j.command(unknownArguments(c, in), at, depth+1)
		}
		if transparent(c) {
			return // it does nothing but run them
		}
	}
	if j.mode == All || j.allowedBy(c, text, literal) {
		return
	}
	if known && len(inner) == 0 && j.harmless(c, at) {
		return
	}
	j.objectTo(c, text, literal, known)
}

func (j *judge) objectTo(c cmdline.Command, text string, literal, known bool) {
	o := objection{part: c.Text, reason: "it runs " + firstWord(c)}
	switch {
	case !known:
		o.reason = "what it runs cannot be told before it runs"
	case literal:
		o.rule = "Bash(" + text + ")"
	}
	j.object(o)
}

func firstWord(c cmdline.Command) string {
	name, literal := c.Name()
	if !literal {
		return "a command that is only known when it runs"
	}
	return path.Base(name)
}

// canonical writes a command as its words with single spaces, as rules name it.
func canonical(c cmdline.Command) (text string, literal bool) {
	words := make([]string, len(c.Words))
	literal = true
	for i, w := range c.Words {
		words[i] = w.Text
		literal = literal && w.Literal
		if strings.ContainsAny(w.Text, "*") {
			literal = false // it would be a pattern
		}
	}
	if len(words) > 0 && standardDir(path.Dir(words[0])) {
		words[0] = path.Base(words[0])
	}
	return strings.Join(words, " "), literal
}

// standardDir says that the programs of a directory are those of the system.
func standardDir(dir string) bool {
	return slices.Contains([]string{"/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin"}, dir)
}

func (j *judge) deniedBy(c cmdline.Command, text string) bool {
	for _, r := range j.Policy.deny {
		if r.kind == "Bash" && r.command.MatchString(text) {
			j.deny("a rule forbids it: %s", c.Text)
			return true
		}
	}
	return false
}

// allowedBy says that an allow rule covers the command. A star covers no
// argument that is only known when it runs, and none that makes the program run
// or write something else.
func (j *judge) allowedBy(c cmdline.Command, text string, literal bool) bool {
	for _, r := range j.allow {
		if r.kind != "Bash" || !r.command.MatchString(text) {
			continue
		}
		if !r.wild && literal || r.wild && (literal || onlyPrints(c)) && !escapes(c) {
			return true
		}
	}
	return false
}

// unknownArguments marks the commands of xargs: what else they get comes from
// its input.
func unknownArguments(outer, inner cmdline.Command) cmdline.Command {
	if name, _ := outer.Name(); path.Base(name) == "xargs" {
		inner.Words = append(slices.Clone(inner.Words), cmdline.Word{Text: "…"})
	}
	return inner
}

// transparent says that a command is nothing beside what it runs.
func transparent(c cmdline.Command) bool {
	name, _ := c.Name()
	switch path.Base(name) {
	case "env", "command", "builtin", "exec", "nohup", "setsid", "time", "nice", "ionice", "timeout", "stdbuf", "xargs",
		"sh", "bash", "dash", "zsh", "eval", "trap", "chronic":
		return true
	case "find":
		return !findWrites(c)
	default:
		return false
	}
}

// redirect judges a redirection to or from a file.
func (j *judge) redirect(r cmdline.Redirect, at location) {
	switch r.Op {
	case "<<", "<<-", "<<<", "<&", ">&":
		if r.Op != ">&" || isDescriptor(r.Target.Text) {
			return
		}
	}
	target := r.Target
	if target.Literal && slices.Contains([]string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero", "/dev/urandom"}, target.Text) {
		return
	}
	reads := r.Op == "<"
	abs, known := j.resolve(target, at)
	switch {
	case !known && j.mode == All:
	case !known:
		j.object(objection{part: r.Text, reason: "which file it uses is only known when it runs"})
	case reads:
		j.read(abs)
	case strings.HasPrefix(abs, "/dev/"):
		j.object(objection{part: r.Text, reason: "it writes to a device", destructive: true})
	default:
		j.write(abs, r.Text)
	}
}

func isDescriptor(s string) bool {
	s = strings.TrimSuffix(s, "-")
	return strings.Trim(s, "0123456789") == ""
}

// resolve makes a path of a word absolute. Behind a "cd" only what stays below
// is known to be inside.
func (j *judge) resolve(w cmdline.Word, at location) (abs string, known bool) {
	switch {
	case !w.Literal:
		return "", false
	case w.Tilde && (w.Text == "~" || strings.HasPrefix(w.Text, "~/")):
		return filepath.Join(j.home, w.Text[1:]), true
	case w.Tilde:
		return "", false
	case filepath.IsAbs(w.Text):
		return filepath.Clean(w.Text), true
	case at.moves && slices.Contains(strings.Split(w.Text, "/"), ".."):
		return "", false
	default:
		return filepath.Join(at.dir, w.Text), true
	}
}

// assign judges the assignment of a variable: some change which program runs.
func (j *judge) assign(name, part string) {
	if j.mode == All || !changesPrograms(name) {
		return
	}
	j.object(objection{part: part, reason: "the variable " + name + " changes what programs run"})
}

func changesPrograms(name string) bool {
	for _, prefix := range []string{"LD_", "DYLD_", "GIT_", "BASH_", "PYTHON", "PERL", "RUBY", "NODE_", "JAVA_", "GO", "CARGO_", "RUST", "npm_config_"} {
		if strings.HasPrefix(name, prefix) {
			return name != "GOOS" && name != "GOARCH" && name != "NODE_ENV"
		}
	}
	return slices.Contains([]string{"PATH", "ENV", "IFS", "SHELL", "PAGER", "MANPAGER", "LESSOPEN", "EDITOR", "VISUAL", "PROMPT_COMMAND", "PS4", "SSH_ASKPASS", "CC", "CXX", "MAKEFLAGS"}, name)
}
