package session

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

// ErrLocked says that another agent has the session open.
var ErrLocked = errors.New("the session is open in another agent")

// disk is the file of a session: the only place that writes it. It keeps what
// could not be written yet, so a full disk delays the file and never holes it.
// It is not safe for concurrent use.
type disk struct {
	path string
	make bool // the file does not exist yet
	file output
	lock *flock.Flock

	pending []byte
	dirty   bool // pending holds something that was said to be stored
}

// output is the part of an *os.File that a session needs.
type output interface {
	io.WriteCloser
	Sync() error
	Stat() (os.FileInfo, error)
}

// lockFile takes the lock of an existing file without waiting.
func lockFile(path string) (*flock.Flock, error) {
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	ok, err := l.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the session: %w", err)
	}
	if !ok {
		return nil, ErrLocked
	}
	return l, nil
}

// prepare adds bytes that go out with the next write.
func (d *disk) prepare(line []byte) { d.pending = append(d.pending, line...) }

// write appends line and all that is pending by one write.
func (d *disk) write(line []byte) error {
	d.prepare(line)
	d.dirty = true
	return d.flush()
}

func (d *disk) flush() error {
	if err := d.open(); err != nil {
		return err
	}
	if d.replaced() {
		return errors.New("its file was replaced by another one")
	}
	n, err := d.file.Write(d.pending)
	// What went out stays out: the rest continues the very line.
	d.pending = d.pending[n:]
	if err != nil {
		return err
	}
	d.pending, d.dirty = nil, false
	return nil
}

func (d *disk) open() error {
	if d.file != nil {
		return nil
	}
	flag := os.O_WRONLY | os.O_APPEND
	if d.make {
		if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
			return err
		}
		flag |= os.O_CREATE | os.O_EXCL
	}
	f, err := os.OpenFile(d.path, flag, 0o600)
	if err != nil {
		return err
	}
	if d.lock == nil {
		if d.lock, err = lockFile(d.path); err != nil {
			_ = f.Close() // nothing was written
			_ = os.Remove(d.path)
			return err
		}
	}
	d.file, d.make = f, false
	return nil
}

// gone says that the file was removed while the session was open.
func (d *disk) gone() bool {
	if d.file == nil {
		return false
	}
	_, err := os.Stat(d.path)
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// replaced says that another file lies where ours was: what we write to ours
// nobody would find again.
func (d *disk) replaced() bool {
	ours, err := d.file.Stat()
	if err != nil {
		return false
	}
	theirs, err := os.Stat(d.path)
	return err == nil && !os.SameFile(ours, theirs)
}

// restart lets go of a file that is gone; the next write makes a new one from
// all.
func (d *disk) restart(all []byte) {
	_ = d.release() // nothing in the old file can be reached any more
	d.pending, d.make = all, true
}

// close writes what is missing, makes it durable and gives the lock away.
func (d *disk) close() error {
	var err error
	if d.dirty {
		err = d.flush()
	}
	if d.file != nil {
		err = errors.Join(err, d.file.Sync())
	}
	return errors.Join(err, d.release())
}

func (d *disk) release() error {
	var err error
	if d.file != nil {
		err = d.file.Close()
		d.file = nil
	}
	if d.lock != nil {
		err = errors.Join(err, d.lock.Close())
		d.lock = nil
	}
	return err
}
