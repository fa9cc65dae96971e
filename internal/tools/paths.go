package tools

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed7484d81d/agent/internal/nearest"
)

// Place is where the paths of a call are understood.
type Place struct {
	Dir  func() string // the conversation's directory
	Home string
}

// Resolve makes a path absolute: relative to the conversation's directory, "~"
// is the home directory, "" the directory itself. Symlinks stay.
func (p Place) Resolve(path string) string {
	switch {
	case path == "":
		return filepath.Clean(p.Dir())
	case path == "~" || strings.HasPrefix(path, "~/"):
		return filepath.Join(p.Home, path[1:])
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	default:
		return filepath.Join(p.Dir(), path)
	}
}

// Show writes an absolute path as short as it can be named from the
// conversation's directory.
func (p Place) Show(abs string) string {
	if rel, err := filepath.Rel(p.Dir(), abs); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return abs
}

// PathError tells a model why a path cannot be used, and what might be meant.
func (p Place) PathError(path string, err error) error {
	abs := p.Resolve(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Errorf("%s does not exist%s", p.Show(abs), p.similar(abs))
	case errors.Is(err, fs.ErrPermission):
		return Errorf("%s: permission denied", p.Show(abs))
	default:
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return Errorf("%s: %v", p.Show(abs), err)
	}
}

// similar names an entry of the same directory that a wrong name may mean.
func (p Place) similar(abs string) string {
	dir := filepath.Dir(abs)
	entries, err := os.ReadDir(dir)
	if err != nil {
		for dir != "/" {
			dir = filepath.Dir(dir)
			if _, err := os.Stat(dir); err == nil {
				return "; the nearest directory above it is " + p.Show(dir)
			}
		}
		return ""
	}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if n := nearest.Of(filepath.Base(abs), names); n != "" {
		return "; did you mean " + p.Show(filepath.Join(dir, n)) + "?"
	}
	return ""
}
