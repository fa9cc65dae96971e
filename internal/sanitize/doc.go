// Package sanitize makes bytes that came from outside safe to store, to send to
// a model, to draw on a screen and to show before a decision. It knows text and
// control sequences (ECMA-48 and xterm's), and no screen or model.
//
// A Cleaner reads a stream as a terminal of one endless line would: what a
// progress bar overwrites is gone, and nothing that moves, colours, asks or
// hides is left. The rules:
//
//   - Escape sequences are removed, wherever the stream is cut into pieces. A
//     line feed ends every sequence, so that a broken one cannot swallow what
//     follows; so do CAN, SUB and a length no real sequence has.
//   - CR returns to the start of the line and what follows overwrites it;
//     CR LF is a line feed. BS goes one character back. CSI K erases.
//   - LF and TAB stay, every other C0, DEL and C1 control is dropped. NUL and
//     bytes that are no UTF-8 become U+FFFD.
//   - The number of line feeds never changes.
package sanitize
