// Package cmdline reads a shell command line: its simple commands wherever they
// hide, their words, redirections and pipes. It reads bash's syntax tree, never
// text by patterns, and it runs, expands and judges nothing. It is the only
// room that knows mvdan.cc/sh.
//
// A word is known (Literal) when the shell would make exactly one argument of
// it, the same on every machine: no variable, substitution, glob or brace.
package cmdline
