package exec

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
)

// state is what one command leaves to the next. It never changes once made.
type state struct {
	vars      string // a script: variables, umask, options, aliases
	functions string // a script
	extglob   bool
	raw       map[string]string // the declaration of each variable
}

// equal says that two states are the same for a command. nil is the state of a
// shell that ran nothing yet, which is like no other.
func (s *state) equal(o *state) bool {
	if s == nil || o == nil {
		return s == o
	}
	return s == o || s.vars == o.vars && s.functions == o.functions
}

// parseContext is what a saved state is read against.
type parseContext struct {
	nonce  string
	base   []string          // the environment that shells start with
	old    *state            // what the run started from
	scoped map[string]string // variables of this call only
	hidden map[string]bool   // names that are never kept
}

// saved is a state with what belongs to the run that saved it.
type saved struct {
	state        *state
	dir, lastDir string
	jobs         []string // commands still running, as the shell lists them
	notes        []string
}

const (
	maxState  = 64 << 20 // what is read at all
	maxVar    = 1 << 20  // one variable
	maxExport = 64 << 10 // one exported value; Linux allows 128 KiB
	maxEnv    = 1 << 20  // all exported values; Linux allows 2 MiB
)

// callVariable marks the processes of one run.
const callVariable = "AGENT_CALL"

// dropped are variables that belong to the shell itself.
var dropped = set("BASHOPTS SHELLOPTS EUID UID PPID DIRSTACK FUNCNAME GROUPS LINENO RANDOM SRANDOM SECONDS " + //nolint:gochecknoglobals // a table that is never written
	"EPOCHSECONDS EPOCHREALTIME PIPESTATUS SHLVL _ PWD OPTIND OPTERR PS4 HOSTTYPE MACHTYPE OSTYPE HISTCMD " +
	"POSIXLY_CORRECT OLDPWD COLUMNS LINES BASH BASHPID " + callVariable)

// notCarried are options that would end or silence the next command.
var notCarried = set("errexit nounset xtrace verbose noexec monitor history histexpand emacs vi posix privileged onecmd errtrace functrace") //nolint:gochecknoglobals // a table that is never written

// defaultOptions and defaultShopt are on in a fresh bash.
var (
	defaultOptions = set("braceexpand hashall interactive-comments")                                                                                                                                                       //nolint:gochecknoglobals // a table that is never written
	defaultShopt   = strings.Split("checkwinsize:cmdhist:complete_fullquote:extquote:force_fignore:globasciiranges:globskipdots:hostcomplete:interactive_comments:patsub_replacement:progcomp:promptvars:sourcepath", ":") //nolint:gochecknoglobals // a table that is never written
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// bashFields are the parts of what bashSaver writes.
const bashFields = 12

// parseBash reads what bashSaver wrote. Anything that is not whole and signed
// is refused, so that a command that writes to the FIFO changes nothing.
func parseBash(raw []byte, c parseContext) (*saved, error) {
	if !bytes.HasPrefix(raw, []byte("B1\x00")) || !bytes.HasSuffix(raw, []byte("\x00END "+c.nonce)) {
		return nil, errors.New("it was not saved whole")
	}
	f := strings.Split(string(raw), "\x00")
	if len(f) != bashFields || f[4] != c.nonce {
		return nil, errors.New("it was not saved whole")
	}
	r := bashReader{parseContext: c, out: &saved{state: &state{raw: map[string]string{}}, dir: f[1]}, seen: map[string]bool{}}
	for _, d := range declarations(f[6]) {
		r.declaration(d)
	}
	var b strings.Builder
	b.WriteString(r.unsetMissing())
	b.WriteString(r.vars.String())
	b.WriteString(f[5]) // umask
	st := r.out.state
	options(&b, st, f[2], f[3])
	b.WriteString(f[9]) // aliases
	st.vars = b.String()
	st.functions = functions(f[7], f[8])
	for j := range strings.Lines(f[10]) {
		r.out.jobs = append(r.out.jobs, strings.TrimSpace(j))
	}
	return r.out, nil
}

// declarations splits the output of "declare -p": a newline outside of quotes
// ends a record.
func declarations(s string) []string {
	var out []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			i = closing(s, i+1, '"', true)
		case '\'':
			i = closing(s, i+1, '\'', i > 0 && s[i-1] == '$')
		case '\n':
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return out
}

// closing finds the quote that ends what began before i.
func closing(s string, i int, quote byte, escapes bool) int {
	for ; i < len(s) && s[i] != quote; i++ {
		if escapes && s[i] == '\\' {
			i++
		}
	}
	return i
}

// bashReader turns declarations into the script that makes them again.
type bashReader struct {
	parseContext
	out   *saved
	vars  strings.Builder
	seen  map[string]bool
	total int // bytes of exported values
}

func (r *bashReader) declaration(d string) {
	p := strings.SplitN(d, " ", 3)
	if len(p) != 3 || p[0] != "declare" {
		return
	}
	flags := strings.ReplaceAll(p[1], "r", "") // readonly would stay for ever
	name, value, assigned := strings.Cut(p[2], "=")
	r.seen[name] = true
	if name == "OLDPWD" && assigned {
		r.out.lastDir = strings.Trim(value, `"`)
	}
	if r.skip(name) {
		return
	}
	if _, scoped := r.scoped[name]; scoped {
		r.keep(name, r.before(name))
		return
	}
	if len(p[2]) > maxVar {
		r.note("The variable %s (%d bytes) is too large to be kept for the next command", name, len(value))
		return
	}
	if strings.Contains(flags, "x") {
		flags = r.exported(flags, name, len(p[2]))
	}
	if flags == "-" {
		flags = "--"
	}
	if assigned || flags != "--" {
		r.keep(name, "declare "+flags+" "+p[2])
	}
}

func (r *bashReader) skip(name string) bool {
	return dropped[name] || r.hidden[name] || strings.HasPrefix(name, "__a_") || strings.HasPrefix(name, "COMP_") ||
		strings.HasPrefix(name, "BASH_") && name != "BASH_ENV"
}

// before is how the session knows a variable that this call set for itself.
func (r *bashReader) before(name string) string {
	if r.old != nil {
		return r.old.raw[name]
	}
	for _, e := range r.base {
		if n, v, _ := strings.Cut(e, "="); n == name {
			return "declare -x " + n + "=" + quote(v)
		}
	}
	return ""
}

func (r *bashReader) keep(name, declaration string) {
	if declaration == "" {
		return
	}
	r.out.state.raw[name] = declaration
	r.vars.WriteString(declaration + "\n")
}

// exported takes the export flag from values that would make every program fail
// to start.
func (r *bashReader) exported(flags, name string, size int) string {
	r.total += size + 1
	if size <= maxExport && r.total <= maxEnv {
		return flags
	}
	r.total -= size + 1
	r.note(`%s (%d bytes) is no longer exported: it would make every program fail with "Argument list too long"`, name, size)
	return strings.ReplaceAll(flags, "x", "")
}

func (r *bashReader) note(format string, args ...any) {
	r.out.notes = append(r.out.notes, fmt.Sprintf(format, args...))
}

// unsetMissing removes what the environment has and the command unset.
func (r *bashReader) unsetMissing() string {
	var gone []string
	for _, e := range r.base {
		n, _, _ := strings.Cut(e, "=")
		if _, scoped := r.scoped[n]; !scoped && !r.seen[n] && !dropped[n] && !strings.HasPrefix(n, "BASH_FUNC_") {
			gone = append(gone, n)
		}
	}
	if len(gone) == 0 {
		return ""
	}
	return "unset -v " + strings.Join(gone, " ") + "\n"
}

// options writes what differs from a fresh bash.
func options(b *strings.Builder, st *state, set0, shopt string) {
	have := set(strings.ReplaceAll(shopt, ":", " "))
	var on, off []string
	for _, o := range defaultShopt {
		if shopt != "" && !have[o] {
			off = append(off, o)
		}
		delete(have, o)
	}
	st.extglob = have["extglob"]
	for o := range have {
		if o != "expand_aliases" && o != "extglob" && o != "login_shell" && o != "restricted_shell" {
			on = append(on, o)
		}
	}
	sort.Strings(on)
	for _, x := range []struct {
		flag  string
		names []string
	}{{"-s", on}, {"-u", off}} {
		if len(x.names) > 0 {
			// An older bash does not know every name.
			b.WriteString("shopt " + x.flag + " " + strings.Join(x.names, " ") + " 2>/dev/null\n")
		}
	}
	var more []string
	for o := range set(strings.ReplaceAll(set0, ":", " ")) {
		if !defaultOptions[o] && !notCarried[o] {
			more = append(more, o)
		}
	}
	sort.Strings(more)
	for _, o := range more {
		b.WriteString("set -o " + o + "\n")
	}
}

// functions is the script that defines them again and exports those that were.
func functions(definitions, names string) string {
	var b strings.Builder
	b.WriteString(definitions)
	for l := range strings.Lines(names) {
		if n, ok := strings.CutPrefix(strings.TrimSuffix(l, "\n"), "declare -fx "); ok {
			b.WriteString("\\builtin export -f " + n + "\n")
		}
	}
	return b.String()
}

// parsePlain reads what plainSaver wrote: the directory and the environment.
func parsePlain(raw []byte, c parseContext) (*saved, error) {
	f := strings.Split(string(raw), "\x00")
	if len(f) < 3 || f[0] != "P1" || f[len(f)-1] != "END "+c.nonce {
		return nil, errors.New("it was not saved whole")
	}
	r := bashReader{parseContext: c, out: &saved{state: &state{raw: map[string]string{}}, dir: f[1]}, seen: map[string]bool{}}
	for _, e := range f[2 : len(f)-1] {
		name, value, ok := strings.Cut(e, "=")
		r.seen[name] = true
		switch {
		case !ok || r.skip(name) || !isName(name):
		case name == "OLDPWD":
			r.out.lastDir = value
		default:
			if _, scoped := r.scoped[name]; scoped {
				if was := r.before(name); was != "" {
					r.keep(name, strings.Replace(was, "declare -x", "export", 1))
				}
				continue
			}
			r.keep(name, "export "+name+"="+quote(value))
		}
	}
	// Sorted, because the order of the environment means nothing.
	names := make([]string, 0, len(r.out.state.raw))
	for n := range r.out.state.raw {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	b.WriteString(strings.Replace(r.unsetMissing(), "unset -v", "unset", 1))
	for _, n := range names {
		b.WriteString(r.out.state.raw[n] + "\n")
	}
	r.out.state.vars = b.String()
	return r.out, nil
}

func isName(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
