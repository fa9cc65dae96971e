// Package theme names every style of the screen by what it means. A theme is
// read-only once it is made: components take the one they are given and never
// pick a colour of their own. It draws nothing and does not ask the terminal
// which theme suits it.
//
// The look is calm: text has the terminal's own colour, what is less important
// is dim, one accent shows where the person is, and red, amber and green are
// kept for outcomes.
package theme
