package session

import (
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
)

// ErrClosed says that the session takes no more entries.
var ErrClosed = errors.New("the session is closed")

// Session is one conversation. All methods are safe for concurrent use. Entries
// and messages that it returns are shared and must not be changed.
type Session struct {
	hub  hub
	head Header
	now  func() time.Time

	// order is held while an entry goes to disk and out to the feeds: that makes
	// the file, the tree and every feed tell one timeline. It is the one lock
	// with I/O under it, and nobody takes it to read.
	order  sync.Mutex
	disk   *disk // nil: memory only
	outage bool  // a Notice said that the disk refuses
	closed bool
	titled int64 // bytes written since the last title

	mu    sync.RWMutex
	tree  tree
	saved bool
}

// NewMemory makes a session that is never saved.
func NewMemory(cwd string) *Session { return newSession(cwd, "") }

func newSession(cwd, parent string) *Session {
	s := &Session{now: time.Now, tree: newTree()}
	s.head = Header{
		Type: typeSession, Version: version, ID: newID(12), Timestamp: s.stamp(), Cwd: cwd, Parent: parent,
	}
	return s
}

func newID(n int) string { return strings.ToLower(rand.Text()[:n]) }

// stamp is the time as it comes back from the file.
func (s *Session) stamp() time.Time { return s.now().UTC().Truncate(time.Millisecond) }

// ID names the session; a unique beginning of it is enough for Store.Open.
func (s *Session) ID() string { return s.head.ID }

// Parent is the ID of the session that this one was forked from, or "".
func (s *Session) Parent() string { return s.head.Parent }

// Created is when the session began.
func (s *Session) Created() time.Time { return s.head.Timestamp }

// Path is the session's file, which need not exist yet. It is "" for a session
// in memory.
func (s *Session) Path() string {
	if s.disk == nil {
		return ""
	}
	return s.disk.path
}

// Dir is the directory for the session's artifacts, which need not exist. It is
// "" for a session in memory.
func (s *Session) Dir() string { return strings.TrimSuffix(s.Path(), extension) }

// Saved says that all of the session is on disk and can be resumed.
func (s *Session) Saved() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.saved
}

// Subscribe opens a feed of all events from here on.
func (s *Session) Subscribe() *Feed { return s.hub.subscribe() }

// Follow returns the branch as it is and a feed of all that comes after it,
// without a gap and without an entry in both. It may wait for the disk.
func (s *Session) Follow() ([]Entry, *Feed) {
	s.order.Lock()
	defer s.order.Unlock()
	return s.Branch(), s.hub.subscribe()
}

// Publish tells an event that is not stored.
func (s *Session) Publish(ev Event) { s.hub.publish(ev) }

// AppendMessage appends a message.
func (s *Session) AppendMessage(m chat.Message) (Entry, error) {
	return s.Append(Entry{Type: TypeMessage, Message: &m})
}

// Append makes e the newest entry of the conversation and returns it with its
// ID, parent and time. When it returns, e is on disk and its Appended is out. A
// disk that refuses is no error: see the rules of the package. An error means
// that e is not part of the conversation.
func (s *Session) Append(e Entry) (Entry, error) {
	s.order.Lock()
	defer s.order.Unlock()
	if s.closed {
		return Entry{}, ErrClosed
	}
	return s.append(e)
}

func (s *Session) append(e Entry) (Entry, error) {
	e = s.place(e)
	line, err := encode(e)
	if err != nil {
		return Entry{}, fmt.Errorf("store an entry: %w", err)
	}
	s.store(e, line)
	s.mu.Lock()
	s.tree.add(e)
	s.mu.Unlock()
	s.hub.publish(Appended{e})
	return e, nil
}

// place gives e its ID, its time and the leaf as its parent.
func (s *Session) place(e Entry) Entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	e.ParentID, e.Timestamp = s.tree.leaf, s.stamp()
	for e.ID = newID(8); s.tree.has(e.ID); {
		e.ID = newID(8)
	}
	return e
}

// store brings a line to the disk and tells once when that begins to fail and
// once when it works again.
func (s *Session) store(e Entry, line []byte) {
	if s.disk == nil {
		return
	}
	s.titled += int64(len(line))
	if e.Type == TypeTitle {
		s.titled = 0
	}
	if s.disk.gone() {
		s.disk.restart(s.everything())
	}
	err := s.disk.write(line)
	switch {
	case err != nil && !s.outage:
		s.hub.publish(Notice{Failure, fmt.Sprintf("The session cannot be saved: %v. It goes on in memory and is saved as soon as that works.", err)})
	case err == nil && s.outage:
		s.hub.publish(Notice{Info, "The session is saved again, with all that was missing."})
	}
	s.outage = err != nil
	s.mu.Lock()
	s.saved = err == nil
	s.mu.Unlock()
}

// everything is the file as it should be.
func (s *Session) everything() []byte {
	all, _ := encode(s.head) // encoded before
	for _, e := range s.Entries() {
		line, _ := encode(e) // encoded before
		all = append(all, line...)
	}
	return all
}

// Branch lists the entries of the conversation, from the root to the leaf.
func (s *Session) Branch() []Entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tree.branch(s.tree.leaf)
}

// Entries lists all entries of all branches in the order of the file.
func (s *Session) Entries() []Entry {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tree.entries[:len(s.tree.entries):len(s.tree.entries)]
}

// Leaf is the ID of the entry that the next one follows; "" before the first.
func (s *Session) Leaf() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tree.leaf
}

// SetLeaf goes back, or to another branch: the next entry follows the one with
// this ID, and "" means that it begins a new root. The move itself is not
// stored; it lasts by the next entry. Move the leaf only while no turn runs.
func (s *Session) SetLeaf(id string) error {
	s.order.Lock()
	defer s.order.Unlock()
	s.mu.Lock()
	if id != "" && !s.tree.has(id) {
		s.mu.Unlock()
		return fmt.Errorf("the session has no entry %q", id)
	}
	s.tree.leaf = id
	s.mu.Unlock()
	s.hub.publish(Switched{Leaf: id})
	return nil
}

// Close writes what is missing, makes it durable, gives the session free for
// others and ends the feeds. Only the first call does anything.
func (s *Session) Close() error {
	s.order.Lock()
	defer s.order.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var err error
	if s.disk != nil {
		s.repeatTitle()
		if err = s.disk.close(); err != nil {
			err = fmt.Errorf("close session %s: %w", s.head.ID, err)
		}
	}
	s.hub.close()
	return err
}
