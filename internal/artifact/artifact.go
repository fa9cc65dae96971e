// Package artifact keeps whole outputs on disk, each under a number that a
// model can name as artifact://N, within a budget. It reads them back by lines
// and searches them, whatever their size. It does not know what made them.
package artifact

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options bounds a store in bytes; 0 is no limit.
type Options struct {
	MaxBytes int64 // of one file
	MaxTotal int64 // of all files of the store
}

// Store is a directory of artifacts. The zero directory "" can save nothing,
// and says so. Methods are safe for concurrent use, also by several processes.
type Store struct {
	dir string
	o   Options

	mu    sync.Mutex
	total int64 // bytes of all files, −1 before it was counted
}

// Open names a store. The directory is made with the first file.
func Open(dir string, o Options) *Store { return &Store{dir: dir, o: o, total: -1} }

// Errors of a file that is not whole.
var (
	ErrFull      = errors.New("the size limit of an artifact was reached")
	ErrTotalFull = errors.New("the size limit of the session's artifacts was reached")
	ErrNowhere   = errors.New("the session is not kept on disk")
)

const suffix = ".log"

var fileName = regexp.MustCompile(`^([1-9][0-9]*)\.([a-z]+)\.log$`)

// File is an artifact that is being written. It takes writes from one
// goroutine.
type File struct {
	store   *Store
	f       *os.File
	id      int
	written int64
	err     error
}

// Create makes a file with a number of its own. kind is a lower-case word for
// what it holds, such as "bash".
func (s *Store) Create(kind string) (*File, error) {
	if s.dir == "" {
		return nil, ErrNowhere
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("artifact: %w", err)
	}
	list, err := s.List()
	if err != nil {
		return nil, err
	}
	id := 1
	if len(list) > 0 {
		id = list[len(list)-1].ID + 1
	}
	s.count(list)
	const tries = 1000
	for range tries {
		// Another kind may have taken the number, so the number alone is
		// claimed first.
		claim := filepath.Join(s.dir, "."+strconv.Itoa(id)+".id")
		c, err := os.OpenFile(claim, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			id++
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("artifact: %w", err)
		}
		_ = c.Close() // empty
		f, err := os.OpenFile(filepath.Join(s.dir, strconv.Itoa(id)+"."+kind+suffix), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("artifact: %w", err)
		}
		return &File{store: s, f: f, id: id}, nil
	}
	return nil, errors.New("artifact: no number is free")
}

// count adds up the files, once.
func (s *Store) count(list []Info) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total >= 0 {
		return
	}
	s.total = 0
	for _, i := range list {
		s.total += i.Size
	}
}

// room takes n bytes from the budgets, or as many as there are.
func (s *Store) room(n, written int64) (int64, error) {
	var full error
	if m := s.o.MaxBytes; m > 0 && written+n > m {
		n, full = max(0, m-written), ErrFull
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.o.MaxTotal; m > 0 && s.total+n > m {
		n, full = max(0, m-s.total), ErrTotalFull
	}
	s.total += n
	return n, full
}

// ID is the number behind artifact://.
func (f *File) ID() int { return f.id }

// Path is where the file is.
func (f *File) Path() string { return f.f.Name() }

// Err is why the file is not whole, or nil.
func (f *File) Err() error { return f.err }

// Write adds to the file. After the first error, a full budget included, it
// writes nothing more, and every further Write returns the same error.
func (f *File) Write(p []byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	n, full := f.store.room(int64(len(p)), f.written)
	done, err := f.f.Write(p[:n])
	f.written += int64(done)
	switch {
	case err != nil:
		f.err = fmt.Errorf("artifact: %w", err)
	case full != nil:
		f.err = full
	}
	return done, f.err
}

// Close ends the file.
func (f *File) Close() error {
	if err := f.f.Close(); err != nil {
		return fmt.Errorf("artifact: %w", err)
	}
	return nil
}

// Info describes an artifact.
type Info struct {
	ID      int
	Kind    string
	Size    int64
	ModTime time.Time
	Path    string
}

// List lists the artifacts by number. A missing directory has none.
func (s *Store) List() ([]Info, error) {
	if s.dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("artifacts: %w", err)
	}
	var list []Info
	for _, e := range entries {
		m := fileName.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		id, err := strconv.Atoi(m[1])
		info, infoErr := e.Info()
		if err != nil || infoErr != nil || !info.Mode().IsRegular() {
			continue // not ours, or gone by now
		}
		list = append(list, Info{ID: id, Kind: m[2], Size: info.Size(), ModTime: info.ModTime(), Path: filepath.Join(s.dir, e.Name())})
	}
	slices.SortFunc(list, func(a, b Info) int { return a.ID - b.ID })
	return list, nil
}

// Lookup finds an artifact by its number. The error lists the ones there are.
func (s *Store) Lookup(id int) (Info, error) {
	list, err := s.List()
	if err != nil {
		return Info{}, err
	}
	known := make([]string, 0, len(list))
	for _, i := range list {
		if i.ID == id {
			return i, nil
		}
		known = append(known, Ref(i.ID))
	}
	if len(known) == 0 {
		return Info{}, fmt.Errorf("there is no %s; this session has no artifacts", Ref(id))
	}
	return Info{}, fmt.Errorf("there is no %s; available: %s", Ref(id), strings.Join(known, ", "))
}

const scheme = "artifact://"

// Ref is how a model names an artifact.
func Ref(id int) string { return scheme + strconv.Itoa(id) }

// ParseRef reads what Ref writes.
func ParseRef(s string) (id int, ok bool) {
	number, ok := strings.CutPrefix(s, scheme)
	if !ok {
		return 0, false
	}
	id, err := strconv.Atoi(strings.TrimSuffix(number, "/"))
	return id, err == nil && id > 0
}

// IsRef says that a text means an artifact, well written or not.
func IsRef(s string) bool { return strings.HasPrefix(s, scheme) }
