package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// version is the version of the file format that this package writes, and the
// newest that it reads.
const version = 1

// Header is the first line of a session's file.
type Header struct {
	Type      string    `json:"type"` // "session"
	Version   int       `json:"version"`
	ID        string    `json:"id"`
	Timestamp time.Time `json:"timestamp"`
	Cwd       string    `json:"cwd"`
	// Parent is the ID of the session that this one was forked from, or "".
	Parent string `json:"parent,omitempty"`
}

const typeSession = "session"

// encode makes one line with its newline. encoding/json writes no newline of
// its own inside a value, whatever a string holds.
func encode(v any) ([]byte, error) {
	if e, ok := v.(Entry); ok && e.Raw != nil {
		return append(slices.Clone(e.Raw), '\n'), nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func decodeHeader(line []byte) (Header, error) {
	var h Header
	if err := json.Unmarshal(line, &h); err != nil {
		return h, err
	}
	if h.Type != typeSession || h.ID == "" || h.Version < 1 {
		return h, errors.New("the first line is not the header of a session")
	}
	return h, nil
}

// decodeEntry reads a line. A type that this version does not know, or a known
// one in a shape that it does not know, is kept as it is in Raw.
func decodeEntry(line []byte) (Entry, error) {
	var e Entry
	err := json.Unmarshal(line, &e)
	if err != nil || !e.known() {
		var envelope struct {
			Type      EntryType `json:"type"`
			ID        string    `json:"id"`
			ParentID  string    `json:"parentId"`
			Timestamp time.Time `json:"timestamp"`
		}
		if err := json.Unmarshal(line, &envelope); err != nil {
			return Entry{}, err
		}
		e = Entry{
			Type: envelope.Type, ID: envelope.ID, ParentID: envelope.ParentID, Timestamp: envelope.Timestamp,
			Raw: slices.Clone(bytes.TrimSpace(line)),
		}
	}
	if e.ID == "" || e.Type == "" {
		return Entry{}, errors.New("an entry without id or type")
	}
	return e, nil
}

func (e Entry) known() bool {
	switch e.Type {
	case TypeMessage:
		return e.Message != nil
	case TypeCompaction:
		return e.Compaction != nil
	case TypeModel, TypeThinking, TypeLabel, TypeTitle, TypeDir:
		return true
	default:
		return false
	}
}

// reparent changes the parent in a line of an unknown type and nothing else.
func reparent(raw json.RawMessage, parent string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return raw
	}
	fields["parentId"], _ = json.Marshal(parent) // a string
	line, err := json.Marshal(fields)
	if err != nil {
		return raw
	}
	return line
}
