package session

import (
	"encoding/json"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
)

// EntryType says what an Entry holds.
type EntryType string

// The types of entries that this version writes. Entries of other types are
// kept as they are.
const (
	TypeMessage    EntryType = "message"
	TypeModel      EntryType = "model_change"
	TypeThinking   EntryType = "thinking_change"
	TypeCompaction EntryType = "compaction"
	TypeLabel      EntryType = "label"
	TypeTitle      EntryType = "title"
	TypeDir        EntryType = "dir_change"
)

// Entry is one line of a session's file. Entries form a tree by ParentID; the
// conversation is the path from the root to the leaf. Type says which field is
// set.
type Entry struct {
	Type      EntryType `json:"type"`
	ID        string    `json:"id"`
	ParentID  string    `json:"parentId,omitempty"` // "" at the root
	Timestamp time.Time `json:"timestamp"`

	Message    *chat.Message `json:"message,omitempty"`
	Provider   string        `json:"provider,omitempty"` // model_change
	Model      string        `json:"model,omitempty"`    // model_change
	Thinking   string        `json:"thinking,omitempty"` // thinking_change
	Text       string        `json:"text,omitempty"`     // title, label
	Target     string        `json:"target,omitempty"`   // label: the entry that it names
	Dir        string        `json:"dir,omitempty"`      // dir_change
	Compaction *Compaction   `json:"compaction,omitempty"`

	// Raw is the line as it was read, for types that this version does not
	// know; it is nil otherwise.
	Raw json.RawMessage `json:"-"`
}

// Compaction replaces the older part of a conversation in what the model sees.
type Compaction struct {
	Summary string `json:"summary"`
	// FirstKept is the ID of the first entry that the model still sees whole.
	FirstKept    string `json:"firstKept"`
	TokensBefore int    `json:"tokensBefore,omitempty"`
}
