//go:build !linux

package exec

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

func pipe(oursReads bool) (ours, theirs *os.File, err error) {
	var p [2]int
	if err := unix.Pipe(p[:]); err != nil {
		return nil, nil, fmt.Errorf("pipe: %w", err)
	}
	unix.CloseOnExec(p[0])
	unix.CloseOnExec(p[1])
	return ends(p, oursReads)
}

func widen(*os.File, int) {}
