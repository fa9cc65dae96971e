// Package permission decides whether a tool call runs, asks first or is
// refused. It looks at what the call would touch, not at which tool it is: the
// files that it reads and writes, and every simple command of a shell line,
// found on the syntax tree. It asks nobody and runs nothing.
//
// The rules of a shell line:
//
//   - All of its parts have to be allowed: the commands in lists, pipes,
//     substitutions and loops, those behind env, sudo, xargs, sh -c and
//     find -exec, and the files that redirections write.
//   - What cannot be read, or depends on something that is only known when it
//     runs, asks.
//   - Deny rules win over everything. A short list of destructive commands asks
//     in every mode and under every allow rule.
package permission
