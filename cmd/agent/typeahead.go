package main

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// typeahead takes what was typed before the screen was there. Until a program
// asks for keys one by one, the terminal makes a line feed of Enter, and the
// screen could not tell it from Ctrl+J. So it is told at once to stop that, and
// what was translated before is read here and put right. restore gives the
// terminal back as it was.
func typeahead(in *os.File) (typed string, restore func()) {
	fd := int(in.Fd()) //nolint:gosec // a descriptor
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return "", func() {}
	}
	now := *was
	now.Iflag &^= unix.ICRNL
	if unix.IoctlSetTermios(fd, setTermios, &now) != nil {
		return "", func() {}
	}
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := unix.IoctlGetInt(fd, waiting)
		if err != nil || n <= 0 {
			break
		}
		n, err = unix.Read(fd, buf[:min(n, len(buf))])
		if err != nil || n <= 0 {
			break
		}
		b.Write(buf[:n])
	}
	return b.String(), func() { _ = unix.IoctlSetTermios(fd, setTermios, was) } // the terminal may be gone
}
