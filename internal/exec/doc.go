// Package exec runs shell lines and reports what happened. It is behind every
// way of running a command; it knows no tools, no model and no screen.
//
// A shell session is carried state, not a process: every line runs in a fresh
// shell that is given the directory, variables, functions, aliases and options
// that the line before left behind, and that saves its own when it ends. So
// nothing that a command does to its shell can harm the next one.
//
//   - A run ends when its shell ends. What is in the pipe is read, then late
//     writers get a moment; children that go on are named and left alone.
//   - A cancel, a deadline and the end of the Executor end the whole tree, also
//     children in groups and sessions of their own. Only processes that were
//     identified are signalled, never a number that might be somebody else's by
//     now.
//   - On Linux a supervisor process (this binary, see Main) is the parent of
//     every shell. When the agent dies, however it dies, it ends what is left.
//   - Outcomes are data. Run has no error beside Result.Err, which says why a
//     line could not start.
//
// Four channels to a shell, none shared with output: fd 1 and 2 are one pipe,
// fd 0 is /dev/null, the restore script and the command come by fd 3 and 4 and
// are closed before the command runs, and the state leaves through a FIFO that
// is opened by its name. No text of the command is in any argv.
package exec
