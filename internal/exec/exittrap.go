package exec

import "regexp"

// A command that sets an EXIT trap replaces the one that saves the state, so
// leaving the shell by "exit" would lose what the command changed. For such a
// command "trap" is a function that puts the saving in front of what the trap
// does, as it is when a command runs to its end. What it costs is seen only by
// commands that ask for it: "type trap" says function.
var (
	setsExitTrap = regexp.MustCompile(`(?s)\btrap\b.*(\bEXIT\b|\bexit\b|\b0\b)`)
	// tracesFunctions are traps that would notice the function.
	tracesFunctions = regexp.MustCompile(`\b(RETURN|DEBUG)\b`)
)

// exitTrap defines the function. The status that the trap sees is that of the
// command, and errexit, nounset, noglob and noclobber are as they were.
const exitTrap = `function trap { __a_r=0;\builtin trap "$@"||__a_r=$?
case $BASHPID in $$);;*)\return $__a_r;;esac
__a_e=$(\builtin trap -p EXIT)
case $__a_e in *__a_u*)\return $__a_r;;'')__a_u=;;*)\builtin eval "\\builtin set -${__a_e#trap -}";__a_u=$1;;esac
\builtin trap "$__a_h" EXIT;\return $__a_r;}`

// exitHandler is the EXIT trap with that of the command in it. Only as the
// condition of an if does a status reach the trap without ending an errexit
// shell.
const exitHandler = `__a_q=$? __a_o=$-
[[ ${__a_d-} ]]||{ { POSIXLY_CORRECT=y;\eval "$__a_s";} >/dev/null 2>&1;\unset POSIXLY_CORRECT;\builtin set +o posix
for __a_i in f C u e;do [[ $__a_o != *$__a_i* ]]||\builtin set -$__a_i;done;}
if (\exit $__a_q);then \builtin eval "$__a_u";else \builtin eval "$__a_u";fi`

// keepSaving is the part of a command's script that lets it set an EXIT trap
// without losing its state, "" if it sets none.
func keepSaving(command string) string {
	if !setsExitTrap.MatchString(command) || tracesFunctions.MatchString(command) {
		return ""
	}
	return "__a_w=" + quote(exitTrap) + "\n__a_h=" + quote(exitHandler) + "\n"
}
