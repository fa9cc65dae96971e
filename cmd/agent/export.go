package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed7484d81d/agent/internal/export"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
)

// export writes a session of the store as a page and prints the page's name.
func (p *program) export(o options, at place) error {
	store, err := openStore(o, at)
	if err != nil {
		return err
	}
	s, err := store.Read(o.export)
	if err != nil {
		return named(err, o.export)
	}
	path, err := exportTo(s, o.prompt, at.dir, at.home)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(p.out, path); err != nil {
		return fmt.Errorf("print the file's name: %w", err)
	}
	return nil
}

// exportTo writes a session as a page. Without a name the file is called after
// the session and lies in dir. A file that is there is replaced as a whole.
func exportTo(s *session.Session, file, dir, home string) (string, error) {
	if n := len(file); n > 1 && (file[0] == '"' || file[0] == '\'') && file[n-1] == file[0] {
		file = file[1 : n-1]
	}
	switch {
	case file == "":
		file = filepath.Join(dir, "session-"+s.ID()+".html")
	case strings.HasPrefix(file, "~/"):
		file = filepath.Join(home, file[2:])
	case !filepath.IsAbs(file):
		file = filepath.Join(dir, file)
	}
	var page bytes.Buffer
	if err := export.HTML(&page, export.Of(s)); err != nil {
		return "", err
	}
	if err := tools.Replace(file, page.Bytes()); err != nil {
		return "", fmt.Errorf("export to %s: %w", file, reason(err))
	}
	return file, nil
}
