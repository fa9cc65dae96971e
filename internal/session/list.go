package session

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A listing reads the beginning of a file up to the first words, at most
// headBytes, and the end of it for a title.
const (
	headBytes = 4 << 20
	tailBytes = 64 << 10
)

// Summary is what a listing says of a session.
type Summary struct {
	ID       string
	Path     string
	Cwd      string // where it began
	Parent   string // the ID of the session that it was forked from, or ""
	Created  time.Time
	Modified time.Time
	Title    string
	Size     int64
}

// List lists the sessions that began in cwd, or all for "", the last used
// first. A file that cannot be read is left out. A store that does not exist
// yet is empty.
func (s *Store) List(cwd string) ([]Summary, error) {
	pattern := "*"
	if cwd != "" {
		pattern = folder(cwd)
	}
	dirs, err := s.folders(pattern)
	if err != nil {
		return nil, fmt.Errorf("list sessions: %w", err)
	}
	var infos []Summary
	for _, dir := range dirs {
		files, err := os.ReadDir(dir)
		if err != nil {
			continue // one folder that cannot be read hides no other
		}
		for _, f := range files {
			if !f.Type().IsRegular() || filepath.Ext(f.Name()) != extension {
				continue
			}
			info, err := inspect(filepath.Join(dir, f.Name()))
			if err == nil && (cwd == "" || info.Cwd == cwd) {
				infos = append(infos, info)
			}
		}
	}
	slices.SortFunc(infos, func(a, b Summary) int {
		return cmp.Or(b.Modified.Compare(a.Modified), cmp.Compare(b.ID, a.ID))
	})
	return infos, nil
}

func (s *Store) folders(name string) ([]string, error) {
	if name != "*" {
		return []string{filepath.Join(s.dir, name)}, nil
	}
	all, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var dirs []string
	for _, d := range all {
		if d.IsDir() {
			dirs = append(dirs, filepath.Join(s.dir, d.Name()))
		}
	}
	return dirs, err
}

// Latest is the session of cwd that was used last, or ErrNotFound.
func (s *Store) Latest(cwd string) (Summary, error) {
	infos, err := s.List(cwd)
	if err == nil && len(infos) == 0 {
		err = fmt.Errorf("no session of %s: %w", cwd, ErrNotFound)
	}
	if err != nil {
		return Summary{}, err
	}
	return infos[0], nil
}

// Find lists the sessions whose ID begins with prefix, the last used first.
func (s *Store) Find(prefix string) ([]Summary, error) {
	infos, err := s.List("")
	return slices.DeleteFunc(infos, func(i Summary) bool { return !strings.HasPrefix(i.ID, prefix) }), err
}

// resolve finds the file behind an ID, a beginning of one, or a path.
func (s *Store) resolve(ref string) (string, error) {
	if strings.ContainsRune(ref, filepath.Separator) || filepath.Ext(ref) == extension {
		info, err := os.Stat(ref)
		if err != nil || !info.Mode().IsRegular() {
			return "", fmt.Errorf("%w: %s", ErrNotFound, ref)
		}
		return filepath.Abs(ref)
	}
	if path, ok := s.named(ref); ok {
		return path, nil
	}
	found, err := s.Find(ref)
	switch {
	case err != nil:
		return "", err
	case ref == "" || len(found) == 0:
		return "", fmt.Errorf("%w: %q", ErrNotFound, ref)
	case len(found) > 1:
		return "", &AmbiguousError{Ref: ref, Found: found}
	}
	return found[0].Path, nil
}

// named finds a file by the whole ID in its name, also one whose header is
// damaged, which a listing leaves out.
func (s *Store) named(id string) (string, bool) {
	dirs, _ := s.folders("*") // none is "not found"
	for _, dir := range dirs {
		files, _ := os.ReadDir(dir) // none is "not found"
		for _, f := range files {
			if id != "" && strings.HasSuffix(f.Name(), "_"+id+extension) {
				return filepath.Join(dir, f.Name()), true
			}
		}
	}
	return "", false
}

func inspect(path string) (Summary, error) {
	f, err := os.Open(path)
	if err != nil {
		return Summary{}, err
	}
	defer f.Close() //nolint:errcheck // read only
	stat, err := f.Stat()
	if err != nil {
		return Summary{}, err
	}
	head, first, err := inspectHead(f)
	if err != nil {
		return Summary{}, err
	}
	if t := lastTitle(f, stat.Size()); t != "" {
		first.given = t
	}
	return Summary{
		ID: head.ID, Path: path, Cwd: head.Cwd, Parent: head.Parent, Created: head.Timestamp,
		Modified: stat.ModTime(), Title: first.title(), Size: stat.Size(),
	}, nil
}

// inspectHead reads until the person said something.
func inspectHead(r io.Reader) (Header, titleFinder, error) {
	var t titleFinder
	in := bufio.NewReader(io.LimitReader(r, headBytes))
	line, err := in.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return Header{}, t, err
	}
	head, err := decodeHeader(line)
	if err != nil {
		return Header{}, t, err
	}
	for more := true; more && t.said == ""; {
		line, err := in.ReadBytes('\n')
		more = err == nil
		if e, bad := decodeEntry(line); bad == nil {
			t.see(e)
		}
	}
	return head, t, nil
}

// lastTitle finds the newest title near the end of a file. Titles are found by
// how their lines begin, which no text inside another line can imitate, because
// it holds no newline.
func lastTitle(r io.ReaderAt, size int64) string {
	from := max(0, size-tailBytes)
	tail := make([]byte, size-from)
	n, err := r.ReadAt(tail, from)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	for tail = tail[:n]; ; {
		i := bytes.LastIndex(tail, []byte("\n{\"type\":\"title\""))
		if i < 0 {
			return ""
		}
		line, _, _ := bytes.Cut(tail[i+1:], []byte("\n"))
		if e, err := decodeEntry(line); err == nil && e.Text != "" {
			return e.Text
		}
		tail = tail[:i]
	}
}
