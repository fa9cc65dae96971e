// Package e2e holds only tests: they start the built program in a terminal of
// their own, type as a person would and read the screen through the emulator
// of internal/vterm.
package e2e
