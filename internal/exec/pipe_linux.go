package exec

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// pipe makes a pipe whose end for us is not blocking and whose end for the
// child is: the flag belongs to the open file, which the child shares.
func pipe(oursReads bool) (ours, theirs *os.File, err error) {
	var p [2]int
	if err := unix.Pipe2(p[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	return ends(p, oursReads)
}

// widen makes a pipe hold so many bytes, or leaves it as it is.
func widen(f *os.File, size int) {
	raw, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, size) // it works with less
	})
}
