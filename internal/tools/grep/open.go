package grep

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// firstRead is enough for most files to be read by one system call.
const firstRead = 64 << 10

// readInto reads a whole file, mostly with three system calls: a search opens
// a hundred thousand files, and what os.ReadFile asks beside that takes more
// time than the search. It returns nothing for a file that is larger than
// maxFile, or that is no file with a content.
func readInto(buf []byte, name string) ([]byte, error) {
	// A FIFO must not make it wait.
	fd, err := retry(func() (int, error) { return unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0) })
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	defer func() { _ = unix.Close(fd) }() // read only
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			if len(buf) >= maxFile {
				return nil, nil
			}
			buf = append(make([]byte, 0, min(4*cap(buf), maxFile+1)), buf...)
		}
		n, err := retry(func() (int, error) { return unix.Read(fd, buf[len(buf):cap(buf)]) })
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: name, Err: err}
		}
		short := len(buf)+n < cap(buf) // which is the end of a file
		if buf = buf[:len(buf)+n]; n == 0 || short {
			return buf, nil
		}
	}
}

func retry(do func() (int, error)) (int, error) {
	for {
		if n, err := do(); !errors.Is(err, unix.EINTR) {
			return n, err
		}
	}
}
