// Package session is the append-only log of a conversation and the only source
// of its events. It stores, replays and announces; it runs nothing and calls
// no model.
//
// A session is one file of JSON lines: a Header, then entries. Entries form a
// tree; the conversation is the path from the root to the leaf, and going back
// is moving the leaf. The rules of the file:
//
//   - It is made with the first entry, so an unused session leaves no trace.
//   - An entry is written whole, by one write to the end of the file, before
//     its Appended goes out. It is then with the kernel: the death of the agent
//     loses nothing, a power cut can lose the last seconds. The file is synced
//     when the session closes, not for each entry, which would cost a disk
//     access for every tool result.
//   - A last line that a crash cut is left out, and the next entry begins a new
//     line. A file that is damaged in any other way is never written to: Open
//     says so with a DamagedError and Fork saves what can be read.
//   - One process has a session open at a time, by a lock on the file. The
//     second gets ErrLocked and can open a fork.
//   - When the disk refuses, the conversation goes on in memory, one Notice says
//     so, and each further entry tries to write all that is missing.
//   - What a crash left open is closed on load: a call without a result gets
//     one, a command without an end counts as interrupted. These entries are in
//     memory at once and on disk with the next entry.
package session
