// Package vterm is a terminal screen: bytes go in; cells, cursor, modes,
// scrollback and replies come out. It starts no program and knows no keys.
//
// A parser of our own (ECMA-48 and xterm's ctlseqs) stands in front of
// github.com/hinshun/vt10x, which stays the grid, cursor, wrap, scroll-region
// and alternate-screen engine. The rules that make that sound:
//
//   - The engine only ever receives a small canonical subset of sequences with
//     clamped counts: printable runes, CR, LF, CUP, ICH, DCH, ECH, IL, DL, SU,
//     SD, ED, EL, DECSTBM, RI, DECAWM, the alternate screen on real changes,
//     DECALN, and one pen colour.
//   - Styles travel through it as numbers: a Style is interned and its number
//     sent as the 24-bit foreground, so nothing is lost on the way.
//   - A wide character is its rune followed by a filler, a cluster of several
//     runes is one rune of plane 16. A lead without filler, or a filler without
//     lead, reads as blank: half-overwritten characters vanish as in xterm.
//   - When the size changes, the main screen is laid out again by us and written
//     anew. A row whose text goes on in the next one is marked in the style of
//     its last cell, so the mark travels with the row.
//   - Answers to a program's questions go to a callback that must not block.
//
// A Screen is safe for concurrent use.
package vterm
