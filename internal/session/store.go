package session

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

const extension = ".jsonl"

// ErrNotFound says that no session answers to a name.
var ErrNotFound = errors.New("session not found")

// AmbiguousError says that a beginning of an ID fits more than one session.
type AmbiguousError struct {
	Ref   string
	Found []Summary
}

// Error lists the sessions that fit.
func (e *AmbiguousError) Error() string {
	ids := make([]string, len(e.Found))
	for i, info := range e.Found {
		ids[i] = info.ID
	}
	return fmt.Sprintf("session %q is ambiguous: %s", e.Ref, strings.Join(ids, ", "))
}

// Store is a directory of sessions, with one folder for each directory that was
// worked in.
type Store struct{ dir string }

// OpenStore names a store. The directory need not exist.
func OpenStore(dir string) *Store { return &Store{dir: dir} }

// Create makes a session of the directory cwd. Nothing is on disk until it has
// an entry.
func (s *Store) Create(cwd string) (*Session, error) {
	sn, err := s.create(cwd, "")
	if err != nil {
		return nil, fmt.Errorf("create a session: %w", err)
	}
	return sn, nil
}

func (s *Store) create(cwd, parent string) (*Session, error) {
	sn := newSession(cwd, parent)
	head, err := encode(sn.head)
	if err != nil {
		return nil, err
	}
	name := sn.head.Timestamp.Format("2006-01-02T15-04-05") + "_" + sn.head.ID + extension
	sn.disk = &disk{path: filepath.Join(s.dir, folder(cwd), name), make: true}
	sn.disk.prepare(head)
	return sn, nil
}

// Open continues a session, named by its ID, by a beginning of it that fits no
// other, or by the path of its file. Errors are ErrNotFound, *AmbiguousError,
// ErrLocked, ErrVersion, *DamagedError or what the disk says.
func (s *Store) Open(ref string) (*Session, error) {
	path, err := s.resolve(ref)
	if err != nil {
		return nil, err
	}
	sn, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("open session %s: %w", ref, err)
	}
	return sn, nil
}

// Read reads a session without opening it: another agent may have it open, and
// what is done to it is kept nowhere. Of a damaged file it has what can be read.
func (s *Store) Read(ref string) (*Session, error) {
	path, err := s.resolve(ref)
	if err != nil {
		return nil, err
	}
	doc, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", ref, err)
	}
	sn := &Session{now: time.Now, head: doc.head, tree: newTree()}
	sn.take(doc)
	return sn, nil
}

func open(path string) (*Session, error) {
	lock, err := lockFile(path)
	if err != nil {
		return nil, err
	}
	doc, err := load(path)
	if err == nil && doc.damage != nil {
		err = &DamagedError{Path: path, Err: doc.damage}
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s := &Session{now: time.Now, head: doc.head, tree: newTree(), saved: true, disk: &disk{path: path, lock: lock}}
	if doc.unended {
		s.disk.prepare([]byte("\n"))
	}
	s.take(doc)
	return s, nil
}

// take fills the tree of a session that nobody else knows yet.
func (s *Session) take(doc *document) {
	for _, e := range doc.entries {
		s.tree.add(e)
	}
	s.titled = tailBytes // unknown; a title is said again to be safe
	s.repair()
	if doc.skipped > 0 {
		s.hub.publish(Notice{Warning, fmt.Sprintf("%d unreadable line(s) of the session were left out.", doc.skipped)})
	}
}

// Fork copies a session, also one that is open elsewhere or damaged, into a new
// one of the directory cwd ("": the same directory), with its artifacts. All
// branches and entry IDs stay. The new session is on disk.
func (s *Store) Fork(ref, cwd string) (*Session, error) {
	path, err := s.resolve(ref)
	if err != nil {
		return nil, err
	}
	doc, err := load(path)
	if err != nil {
		return nil, fmt.Errorf("fork session %s: %w", ref, err)
	}
	if doc.head.ID == "" {
		doc.head.ID = idOf(path)
	}
	return s.fork(doc, strings.TrimSuffix(path, extension), cwd)
}

// ForkAt copies the path from the root to the entry leaf of an open session
// into a new one, with the artifacts. A "" for cwd takes the same directory.
func (s *Store) ForkAt(from *Session, leaf, cwd string) (*Session, error) {
	doc := &document{head: from.head}
	from.mu.RLock()
	known := leaf == "" || from.tree.has(leaf)
	if known {
		doc.entries = from.tree.branch(leaf)
	}
	from.mu.RUnlock()
	if !known {
		return nil, fmt.Errorf("fork session %s: it has no entry %q", from.ID(), leaf)
	}
	return s.fork(doc, from.Dir(), cwd)
}

func (s *Store) fork(doc *document, artifacts, cwd string) (*Session, error) {
	if cwd == "" {
		cwd = doc.head.Cwd
	}
	sn, err := s.create(cwd, doc.head.ID)
	if err != nil {
		return nil, err
	}
	for _, e := range doc.entries {
		line, err := encode(e)
		if err != nil {
			return nil, fmt.Errorf("fork: %w", err)
		}
		sn.disk.prepare(line)
	}
	sn.take(doc)
	if len(doc.entries) == 0 {
		return sn, nil
	}
	if err := sn.disk.flush(); err != nil {
		return nil, errors.Join(fmt.Errorf("fork: %w", err), sn.disk.release())
	}
	sn.saved = true
	if artifacts != "" {
		if err := linkTree(artifacts, sn.Dir()); err != nil {
			sn.hub.publish(Notice{Warning, fmt.Sprintf("Some saved outputs could not be copied to the fork: %v.", err)})
		}
	}
	return sn, nil
}

// linkTree gives the files of a directory a second name in another one, or
// copies them where the file system cannot. A missing directory has none.
func linkTree(from, to string) error {
	files, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) || len(files) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	for _, f := range files {
		if !f.Type().IsRegular() {
			continue
		}
		if os.Link(filepath.Join(from, f.Name()), filepath.Join(to, f.Name())) != nil {
			return os.CopyFS(to, os.DirFS(from))
		}
	}
	return nil
}

// folder makes one name of a directory's path. Two paths may share one: the
// header of each session says where it belongs.
func folder(dir string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._", r) {
			return r
		}
		return '-'
	}, strings.ToValidUTF8(strings.Trim(dir, "/"), "-"))
	const most = 120
	if len(name) > most {
		sum := sha256.Sum256([]byte(dir))
		name = strings.ToValidUTF8(name[len(name)-most:], "") + "-" + hex.EncodeToString(sum[:4])
	}
	return "-" + name + "-"
}
