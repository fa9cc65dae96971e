// Package transcript is the conversation on the screen: it folds a session's
// events into items, draws the ones that are seen, and scrolls. It reads no
// files, starts nothing and has no clock but the one it is given.
//
// The rules that keep it fast, however long the conversation is:
//
//   - An item is drawn when it is seen, and again only if it, the width or the
//     look changed. A finished item never changes by itself.
//   - The view is a place (an item and a line of it), or the end. Nothing adds
//     up the heights of what is not seen.
//   - Output of a running command is read when it is drawn, never when it
//     arrives.
package transcript
