// Package session is the append-only log of a conversation and the only source
// of its events. It stores, replays and announces; it runs nothing and calls
// no model.
package session
