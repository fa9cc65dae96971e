package exec

import (
	"path/filepath"
	"sort"
	"strings"
)

// dialect is how a shell is given its state and how it tells it: bash whole,
// other shells the directory and exported variables.
type dialect struct {
	args    []string
	driver  string
	saver   string
	restore func(st *state, later, saver, nonce string) string
	parse   func(raw []byte, c parseContext) (*saved, error)
}

func dialectOf(path string) dialect {
	if strings.HasPrefix(filepath.Base(path), "bash") {
		return dialect{
			args: []string{"--norc", "--noprofile"}, driver: bashDriver, saver: bashSaver,
			restore: restoreBash, parse: parseBash,
		}
	}
	args := []string{}
	if filepath.Base(path) == "zsh" {
		args = []string{"-f"}
	}
	return dialect{args: args, driver: plainDriver, saver: plainSaver, restore: restorePlain, parse: parsePlain}
}

// bashDriver is all that stands in argv; no word of a command is ever in it.
// It reads the restore script, which blocks until the command is there, runs
// the command at line 1 of -c, so that messages read "bash: line N:" as ever,
// notes the status and saves the state. ${_:$((__a_c=0)):0} is empty and frees
// the text of the command before it runs.
const bashDriver = `\builtin . /dev/fd/3;\builtin eval "$__a_c${_:$((__a_c=0)):0}";{ __a_rc=$? POSIXLY_CORRECT=y;\eval "$__a_s";} >/dev/null 2>&1;\exit "${__a_rc-125}"`

// bashSaver runs after the command and again as EXIT trap, for commands that
// leave the shell. Assigning POSIXLY_CORRECT needs no command, and in posix
// mode special builtins win over functions of the same name. Only the main
// shell saves: a child that gets SIGTERM between its fork and its exec runs the
// inherited trap as well, and would save the state of a subshell.
const bashSaver = `case ${__a_d-}${BASHPID-$$} in $$)__a_d=1 __a_so=$SHELLOPTS __a_bo=$BASHOPTS POSIXLY_CORRECT=y
\trap - DEBUG ERR RETURN;\unset -f builtin ${__a_w+trap};\set +euxvnfC;\unset POSIXLY_CORRECT;\builtin set +o posix
{ \builtin printf 'B1\0%s\0%s\0%s\0%s\0' "$PWD" "$__a_so" "$__a_bo" "$__a_ok"
\builtin umask -p;\builtin printf '\0';\builtin declare -p;\builtin printf '\0';\builtin declare -f
\builtin printf '\0';\builtin declare -F;\builtin printf '\0';\builtin alias -p;\builtin printf '\0';\builtin jobs -l
\builtin printf '\0END %s' NONCE;} >|STATE;POSIXLY_CORRECT=y;;esac`

// restoreBash is one group, so that all of it is parsed, the slow part, while
// the shell still waits. Functions come only after the command was read, so
// that nothing before it can be shadowed by one.
func restoreBash(st *state, later, saver, nonce string) string {
	var b strings.Builder
	vars, functions := later, ""
	if st != nil {
		vars, functions = st.vars, st.functions
		if st.extglob {
			b.WriteString("shopt -s extglob\n") // decides how what follows is parsed
		}
	}
	b.WriteString("{ \\exec 3<&-\n")
	b.WriteString(vars)
	b.WriteString("__a_s=" + quote(saver) + "\n")
	b.WriteString(`\trap '{ POSIXLY_CORRECT=y;\eval "$__a_s";} >/dev/null 2>&1' EXIT` + "\n")
	b.WriteString(`\shopt -s expand_aliases` + "\n")
	b.WriteString(`\. /dev/fd/4` + "\n")
	b.WriteString(`[[ ${__a_go-} ]]||{ \trap - EXIT;\exit 125;}` + "\n")
	b.WriteString(functions)
	b.WriteString("\n" + `[[ ${__a_w-} ]]&&\builtin eval "$__a_w"`)
	b.WriteString("\n__a_ok=" + nonce + "\n}\n")
	return b.String()
}

// plainDriver is bashDriver for shells that only have what POSIX says.
const plainDriver = `. /dev/fd/3;eval "$__a_c";{ __a_rc=$?;eval "$__a_s";} >/dev/null 2>&1;exit "${__a_rc-125}"`

const plainSaver = `if [ -z "${__a_d-}" ];then __a_d=1
{ printf 'P1\0%s\0' "$PWD";command env -0;printf 'END %s' NONCE;} >|STATE;fi`

// restorePlain sets traps for the signals too: other shells than bash end by
// them without running the EXIT trap.
func restorePlain(st *state, later, saver, _ string) string {
	vars := later
	if st != nil {
		vars = st.vars
	}
	return "exec 3<&-\n" + vars +
		"__a_s=" + quote(saver) + "\n" +
		`trap '{ eval "$__a_s";} >/dev/null 2>&1' EXIT` + "\n" +
		"trap 'exit 143' TERM\ntrap 'exit 130' INT\ntrap 'exit 129' HUP\n" +
		". /dev/fd/4\n" +
		`[ -n "${__a_go-}" ]||{ trap - EXIT;exit 125;}` + "\n"
}

// commandScript is what is written to fd 4 when the command is there.
func commandScript(command, dir, lastDir string, env map[string]string) string {
	var b strings.Builder
	b.WriteString("\\exec 4<&-\n\\cd -- " + quote(dir) + "\n")
	if lastDir != "" {
		b.WriteString("OLDPWD=" + quote(lastDir) + "\n")
	}
	names := make([]string, 0, len(env))
	for n := range env {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		b.WriteString("export " + n + "=" + quote(env[n]) + "\n")
	}
	b.WriteString(keepSaving(command))
	b.WriteString("__a_c=" + quote(command) + "\n__a_go=1\n")
	return b.String()
}

// saverFor fills in where the state goes and what it has to be signed with.
func (d dialect) saverFor(nonce, fifo string) string {
	return strings.NewReplacer("NONCE", nonce, "STATE", quote(fifo)).Replace(d.saver)
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// startEnv splits an environment into what a shell starts with and what is set
// later, because it would change how bash itself starts.
func startEnv(base []string) (env []string, later string) {
	for _, e := range base {
		n, v, _ := strings.Cut(e, "=")
		switch {
		case n == "BASH_ENV" || n == "ENV":
			later += "export " + n + "=" + quote(v) + "\n"
		case n == "SHELLOPTS", n == "BASHOPTS", n == "POSIXLY_CORRECT", n == "PS4", n == "BASH_XTRACEFD", n == "BASH_COMPAT",
			strings.HasPrefix(n, "BASH_FUNC_builtin"):
		case n == "PWD", n == "OLDPWD", n == "_", n == "SHLVL":
		default:
			env = append(env, e)
		}
	}
	return env, later
}
