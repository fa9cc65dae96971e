// Package prompt builds the system prompt: what the assistant is, where it
// works, and what the context files of the project and of the person say. It
// reads those files and nothing else, and asks no model.
package prompt

import (
	_ "embed" // the text
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

//go:embed system.md
var system string

// Facts are what the prompt says of the surroundings.
type Facts struct {
	Dir   string // the conversation's directory
	Root  string // the project's
	OS    string // "linux"
	Shell string // its path
	Date  string // "2006-01-02"
	Git   bool   // the project is a repository
	// Files are context files, in the order in which they apply: the later one
	// wins.
	Files []File
}

// File is a context file.
type File struct {
	Path string
	Text string
}

// Build writes the system prompt. The same facts give the same text, so that a
// provider's cache stays warm.
func Build(f Facts) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(system))
	b.WriteString("\n\n# Surroundings\n\n")
	fmt.Fprintf(&b, "- Working directory: %s\n", f.Dir)
	if f.Root != "" && f.Root != f.Dir {
		fmt.Fprintf(&b, "- Project: %s\n", f.Root)
	}
	if f.Git {
		b.WriteString("- The project is a git repository.\n")
	}
	fmt.Fprintf(&b, "- System: %s, shell %s\n- Today: %s\n", f.OS, f.Shell, f.Date)
	for _, file := range f.Files {
		fmt.Fprintf(&b, "\n# %s\n\n%s\n", file.Path, strings.TrimSpace(file.Text))
	}
	return b.String()
}

// maxFile bounds what one context file may say.
const maxFile = 64 << 10

// names are what context files are called; the first one of a directory counts.
var names = []string{"AGENTS.md", "CLAUDE.md"} //nolint:gochecknoglobals // never written

// ContextFiles reads the person's own file from their configuration, and then
// those from the project's root down to dir. What cannot be read is an error
// beside those that can; a missing file is none.
func ContextFiles(configDir, root, dir string) ([]File, []error) {
	dirs := []string{configDir}
	for d := dir; ; d = filepath.Dir(d) {
		dirs = append(dirs, d)
		if d == root || d == filepath.Dir(d) {
			break
		}
	}
	slices.Reverse(dirs[1:])
	var files []File
	var errs []error
	for _, d := range dirs {
		if d == "" {
			continue
		}
		file, err := first(d)
		if err != nil {
			errs = append(errs, err)
		}
		if file != nil {
			files = append(files, *file)
		}
	}
	return files, errs
}

func first(dir string) (*File, error) {
	for _, name := range names {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("context file: %w", err)
		}
		text := strings.ToValidUTF8(string(data), "\uFFFD")
		if len(text) > maxFile {
			cut := maxFile
			for !utf8.RuneStart(text[cut]) {
				cut--
			}
			text = text[:cut] + "\n[the rest of this file was left out: it is too long]"
			return &File{path, text}, fmt.Errorf("context file %s: only its first %d KB are used", path, maxFile>>10)
		}
		if strings.TrimSpace(text) == "" {
			return nil, nil //nolint:nilnil // an empty file says nothing
		}
		return &File{path, text}, nil
	}
	return nil, nil //nolint:nilnil // there is none
}
