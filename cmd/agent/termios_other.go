//go:build !linux

package main

import "golang.org/x/sys/unix"

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
	waiting    = unix.TIOCOUTQ // what is typed ahead cannot be counted here
)
