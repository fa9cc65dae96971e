// Package editor is the prompt: a text field of many rows with a cursor that
// moves by what a person sees as one character, undo, a kill ring, history,
// pasted text folded into chips, and a list of completions. It does not send,
// read files, or know what a command is: it says what the person wants done
// (Action) and asks a Completer and a History that the program supplies.
//
// Rules of the room:
//   - The cursor always stands on a border between grapheme clusters.
//   - A key costs what its line and the visible rows cost, never what the
//     whole text costs: lines are laid out when they are looked at, and a long
//     line is laid out again only where it changed.
//   - A chip is one character of the text. Nothing can stand inside it, and
//     whatever leaves the editor has the pasted text in its place.
//   - Every change goes through replace, so that undo knows all of them.
package editor
