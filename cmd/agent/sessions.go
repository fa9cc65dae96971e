package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/seed7484d81d/agent/internal/session"
)

// openStore names the directory of the sessions and makes sure that they can be
// kept there.
func openStore(o options, at place) (*session.Store, error) {
	dir := filepath.Join(at.dirs.Data, "sessions")
	if o.sessionDir != "" {
		dir = o.sessionDir
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(at.dir, dir)
		}
	}
	if o.noSession {
		return session.OpenStore(dir), nil
	}
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = unix.Access(dir, unix.R_OK|unix.W_OK|unix.X_OK)
	}
	if err != nil {
		return nil, fmt.Errorf("sessions cannot be kept in %s (%w): name another directory with --session-dir, or work with --no-session", dir, reason(err))
	}
	return session.OpenStore(dir), nil
}

// reason leaves out what a path error says beside the error itself.
func reason(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// chooseSession opens the session that the command line asks for. Where it is
// not quite the one that was meant, a sentence says so.
func chooseSession(o options, store *session.Store, dir string) (*session.Session, string, error) {
	switch {
	case o.noSession:
		return session.NewMemory(dir), "", nil
	case o.fork != "":
		s, err := store.Fork(o.fork, dir)
		return s, "", named(err, o.fork)
	case o.resume != "" && o.resume != pickSession:
		return resume(store, o.resume)
	case o.continues:
		last, err := store.Latest(dir)
		if errors.Is(err, session.ErrNotFound) {
			s, err := store.Create(dir)
			return s, "There is no session of this directory yet; this is a new one.", err
		}
		if err != nil {
			return nil, "", err
		}
		return resume(store, last.ID)
	default:
		s, err := store.Create(dir)
		return s, "", err
	}
}

// resume opens a session, or a copy of it where it cannot be written to.
func resume(store *session.Store, ref string) (*session.Session, string, error) {
	s, err := store.Open(ref)
	var damaged *session.DamagedError
	note := ""
	switch {
	case err == nil:
		return s, "", nil
	case errors.Is(err, session.ErrLocked):
		note = "This session is open in another agent. You work on a copy of it."
	case errors.As(err, &damaged):
		note = "The file of this session is damaged. You work on a copy of what can be read of it."
	default:
		return nil, "", named(err, ref)
	}
	s, err = store.Fork(ref, "")
	return s, note, named(err, ref)
}

// named says which session was not found.
func named(err error, ref string) error {
	if errors.Is(err, session.ErrNotFound) {
		return fmt.Errorf("session %q not found; agent --resume lists those of this directory", ref)
	}
	return err
}
