// Package render turns what is known of a conversation into styled lines for a
// width: a tool call with its result, a command of the person, Markdown, diffs,
// remarks. It is pure: no files, no clock, no terminal, and nothing is kept
// between two calls but what a Stream holds. It does not scroll, select or
// cache; the transcript does.
//
// Every line that leaves this package
//
//   - has no newline and no control character except the sequences of this
//     package: SGR and OSC 8;
//   - is at most Options.Width cells wide as ansi.StringWidth counts (a width
//     below 1 gives no lines at all);
//   - ends with every style and link closed, so that it can stand anywhere.
//
// Text from outside (models, programs, files) is cleaned on its way in:
// programs keep their colours, everything else that a terminal would obey is
// taken out.
//
// A line also says which part of it is content, so that copying gives back
// what was written and not what was drawn: see Split.
package render
