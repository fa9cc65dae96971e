package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Damaged is a session whose file cannot be continued.
type Damaged struct {
	ID   string
	Path string
	Cwd  string // "" if that cannot be read any more
	Err  error
	// Copy is the ID of a session that was forked from it, "" if there is none.
	Copy string
}

// Damaged reads all sessions of the store, says how many there are, and lists
// those that are damaged.
func (s *Store) Damaged() (total int, damaged []Damaged, err error) {
	dirs, err := s.folders("*")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, nil, fmt.Errorf("look at the sessions: %w", err)
	}
	copies := map[string]string{} // by parent
	for _, dir := range dirs {
		files, _ := os.ReadDir(dir) // one folder that cannot be read hides no other
		for _, f := range files {
			path := filepath.Join(dir, f.Name())
			if !f.Type().IsRegular() || filepath.Ext(path) != extension {
				continue
			}
			total++
			doc, err := load(path)
			if err == nil {
				copies[doc.head.Parent] = doc.head.ID
				err = doc.damage
			}
			if err == nil || errors.Is(err, ErrVersion) {
				continue
			}
			d := Damaged{ID: idOf(path), Path: path, Err: err}
			if doc != nil {
				d.Cwd = doc.head.Cwd
			}
			damaged = append(damaged, d)
		}
	}
	for i := range damaged {
		damaged[i].Copy = copies[damaged[i].ID]
	}
	return total, damaged, nil
}

// idOf is the ID in the name of a session's file.
func idOf(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), extension)
	return name[strings.LastIndexByte(name, '_')+1:]
}
