package tools

import (
	"crypto/sha256"
	"os"
	"sync"
)

// Seen remembers how files were when the model read or wrote them, so that it
// does not overwrite what somebody else changed meanwhile. The zero value is
// ready; it is safe for concurrent use.
type Seen struct {
	mu    sync.Mutex
	files map[string][sha256.Size]byte
}

// Note remembers the content that the model knows of a file.
func (s *Seen) Note(abs string, content []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		s.files = map[string][sha256.Size]byte{}
	}
	s.files[real(abs)] = sha256.Sum256(content)
}

// Changed says that the model knows another content of a file. A file that it
// never saw is not changed; known says whether it did.
func (s *Seen) Changed(abs string, content []byte) (changed, known bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, known := s.files[real(abs)]
	return known && sum != sha256.Sum256(content), known
}

// real is the file behind symlinks, as far as there is one.
func real(abs string) string {
	if target, err := evalSymlinks(abs); err == nil {
		return target
	}
	return abs
}

// Replace writes a file so that it is either the old or the new one, through
// symlinks, with the mode that it had. A new file gets mode 0666 less the umask,
// and the directories that it needs.
func Replace(abs string, content []byte) error {
	target := real(abs)
	info, err := os.Stat(target)
	if err != nil {
		return create(target, content)
	}
	return swap(target, content, info)
}
