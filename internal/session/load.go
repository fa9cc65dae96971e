package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// document is what a session's file holds.
type document struct {
	head    Header
	entries []Entry
	// unended says that the last line has no newline.
	unended bool
	// skipped counts the lines that no entry could be read from. A crash leaves
	// one; nothing refers to it, because an entry is announced when it is whole.
	skipped int
	// damage is the first thing that no crash of ours can have done, or nil.
	damage error
}

// DamagedError says that a session's file cannot be continued. Store.Fork saves
// what can be read of it; the file itself is never written to.
type DamagedError struct {
	Path string
	Err  error
}

// Error says what is wrong with which file.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("the session %s is damaged: %v; a fork keeps what can be read", e.Path, e.Err)
}

// Unwrap returns what is wrong.
func (e *DamagedError) Unwrap() error { return e.Err }

// ErrVersion says that a session was written by a newer version.
var ErrVersion = errors.New("the session was written by a newer version of agent")

func load(path string) (*document, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	doc, err := read(f)
	if err != nil {
		return nil, err
	}
	if doc.head.Version > version {
		return nil, ErrVersion
	}
	return doc, nil
}

// read takes all that can be read from r. Its error is r's.
func read(r io.Reader) (*document, error) {
	doc := &document{}
	seen := map[string]bool{}
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return nil, err
		}
		if n == 1 {
			doc.readHeader(line)
		} else if len(bytes.TrimSpace(line)) > 0 {
			doc.readEntry(n, line, seen)
		}
		if last {
			doc.unended = len(line) > 0
			return doc, nil
		}
	}
}

func (d *document) readHeader(line []byte) {
	head, err := decodeHeader(line)
	if err != nil {
		d.damaged(1, err)
		return
	}
	d.head = head
}

func (d *document) readEntry(n int, line []byte, seen map[string]bool) {
	e, err := decodeEntry(line)
	if err != nil {
		d.skipped++
		return
	}
	if seen[e.ID] {
		d.skipped++
		d.damaged(n, fmt.Errorf("a second entry %s", e.ID))
		return
	}
	if e.ParentID != "" && !seen[e.ParentID] {
		d.damaged(n, fmt.Errorf("the entry %s follows %s, which is missing", e.ID, e.ParentID))
		e = d.adopt(e)
	}
	seen[e.ID] = true
	d.entries = append(d.entries, e)
}

// adopt puts an entry whose parent is lost behind the entry before it.
func (d *document) adopt(e Entry) Entry {
	e.ParentID = ""
	if n := len(d.entries); n > 0 {
		e.ParentID = d.entries[n-1].ID
	}
	if e.Raw != nil {
		e.Raw = reparent(e.Raw, e.ParentID)
	}
	return e
}

func (d *document) damaged(line int, err error) {
	if d.damage == nil {
		d.damage = fmt.Errorf("line %d: %w", line, err)
	}
}
