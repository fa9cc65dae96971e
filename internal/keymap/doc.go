// Package keymap says which key does what: one map for the whole program, from
// which every component reads its keys and every help text is generated. It
// knows names of keys and of actions, never what an action does.
//
// Keys are written as the terminal library spells them: modifiers in the order
// ctrl, alt, shift, meta, hyper, super, then the key ("ctrl+o", "alt+shift+up",
// "enter", "pgdown"); a key that types text is that text ("?", "G").
package keymap
