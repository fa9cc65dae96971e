package vterm

import (
	"unicode/utf8"

	"github.com/hinshun/vt10x"
)

// table numbers values that travel through the grid. Numbers that nothing on
// the grid has any more are given to other values, so that a program that
// changes colours for ever needs no more room than its screen.
type table[T comparable] struct {
	values []T
	number map[T]int
	free   []int
	limit  int // of values before the next look for free ones
	most   int
}

// leastSwept is how many values are kept without a look for free ones.
const leastSwept = 2048

func newTable[T comparable](most int) table[T] {
	return table[T]{number: map[T]int{}, limit: min(leastSwept, most), most: most}
}

// add numbers a value. used calls a function for every number that must stay.
// There is no room if that are too many.
func (t *table[T]) add(v T, used func(keep func(n int))) (n int, ok bool) {
	if n, ok := t.number[v]; ok {
		return n, true
	}
	if len(t.free) == 0 && len(t.values) >= t.limit {
		t.sweep(used)
	}
	switch {
	case len(t.free) > 0:
		n = t.free[len(t.free)-1]
		t.free = t.free[:len(t.free)-1]
		t.values[n] = v
	case len(t.values) < t.limit:
		n = len(t.values)
		t.values = append(t.values, v)
	default:
		return 0, false
	}
	t.number[v] = n
	return n, true
}

// sweep frees the numbers that are not used. If most are, there may be more.
func (t *table[T]) sweep(used func(keep func(n int))) {
	keep, kept := make([]bool, len(t.values)), 0
	used(func(n int) {
		if n >= 0 && n < len(keep) && !keep[n] {
			keep[n] = true
			kept++
		}
	})
	for n, v := range t.values {
		if !keep[n] {
			delete(t.number, v)
			t.free = append(t.free, n)
		}
	}
	if kept > t.limit/2 {
		t.limit = min(2*t.limit, t.most)
	}
}

// intern gives a style its number. If there is none left, a style without its
// direct colours has to do.
func (sc *Screen) intern(s Style) uint32 {
	if s == (Style{}) {
		return 0
	}
	n, ok := sc.styles.add(s, sc.usedStyles)
	if !ok {
		return 0
	}
	return uint32(n) + 1
}

// styleOf is the style with a number.
func (sc *Screen) styleOf(fg vt10x.Color) Style {
	if n := int(fg) - 1; n >= 0 && n < len(sc.styles.values) {
		return sc.styles.values[n]
	}
	return Style{}
}

// visible is what of a style can be seen.
func (s Style) visible() Style {
	s.wraps = false
	return s
}

func (sc *Screen) usedStyles(keep func(int)) {
	sc.eachGlyph(func(g vt10x.Glyph) { keep(int(g.FG) - 1) })
	keep(int(sc.pen) - 1)
	keep(int(sc.penSent) - 1)
}

// clusterRune gives a cluster of several runes its stand-in. When all are
// taken the first rune has to do.
func (sc *Screen) clusterRune(s string) rune {
	n, ok := sc.clusters.add(s, sc.usedClusters)
	if !ok {
		first, _ := utf8.DecodeRuneInString(s)
		return first
	}
	return clusterLow + rune(n)
}

func (sc *Screen) usedClusters(keep func(int)) {
	sc.eachGlyph(func(g vt10x.Glyph) { keep(int(g.Char - clusterLow)) })
}

// eachGlyph visits every cell of both screens, and those on their way.
func (sc *Screen) eachGlyph(visit func(vt10x.Glyph)) {
	sc.sync()
	for y := range sc.rows {
		for x := range sc.cols {
			visit(sc.grid.Cell(x, y))
		}
	}
	visitAll := func(rows ...[]vt10x.Glyph) {
		for _, row := range rows {
			for _, g := range row {
				visit(g)
			}
		}
	}
	visitAll(sc.covered...)
	if f := sc.flow; f != nil {
		visitAll(f.line, f.row)
		visitAll(f.rows...)
	}
}
