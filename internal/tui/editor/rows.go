package editor

import "sort"

// row is one row of the screen: a line and which of its rows.
type row struct{ line, n int }

// forget drops the rows that a change at col may have moved. The row before
// the changed one goes too: a shorter word may fit there.
func (l *line) forget(col int) {
	keep := sort.SearchInts(l.rows, col+1) - 2 // rows before the one that holds col
	l.rows = l.rows[:max(0, min(keep+1, len(l.rows)))]
	l.whole = false
}

// grow finds the next row of a line and says whether there was one.
func (t *text) grow(l *line) bool {
	if l.width != t.width {
		l.rows, l.whole, l.width = l.rows[:0], false, t.width
	}
	if l.whole {
		return false
	}
	if len(l.rows) == 0 {
		l.rows = append(l.rows, 0)
		return true
	}
	next := t.wrap(l.text, l.rows[len(l.rows)-1])
	if next >= len(l.text) {
		l.whole = true
		return false
	}
	l.rows = append(l.rows, next)
	return true
}

// rowStart is where row n of a line starts; ok is false if it has no such row.
func (t *text) rowStart(i, n int) (start int, ok bool) {
	l := &t.lines[i]
	for l.width != t.width || len(l.rows) <= n {
		if !t.grow(l) {
			return 0, false
		}
	}
	return l.rows[n], true
}

// rowEnd is where row n of a line ends, and whether it is the line's last.
func (t *text) rowEnd(i, n int) (end int, last bool) {
	if next, ok := t.rowStart(i, n+1); ok {
		return next, false
	}
	return len(t.at(i)), true
}

// rowOf is the row that shows a place. A place between two rows is at the
// start of the lower one.
func (t *text) rowOf(p pos) row {
	l := &t.lines[p.line]
	for l.width != t.width || len(l.rows) == 0 || l.rows[len(l.rows)-1] <= p.col {
		if !t.grow(l) {
			break
		}
	}
	return row{p.line, sort.SearchInts(l.rows, p.col+1) - 1}
}

// lastRow is the number of the last row of a line.
func (t *text) lastRow(i int) int {
	for t.grow(&t.lines[i]) { // growing is the whole work
	}
	return len(t.lines[i].rows) - 1
}

// below and above step to the neighbouring row; ok is false at the end.
func (t *text) below(r row) (next row, ok bool) {
	if _, ok := t.rowStart(r.line, r.n+1); ok {
		return row{r.line, r.n + 1}, true
	}
	if r.line+1 < len(t.lines) {
		return row{r.line + 1, 0}, true
	}
	return r, false
}

func (t *text) above(r row) (prev row, ok bool) {
	switch {
	case r.n > 0:
		return row{r.line, r.n - 1}, true
	case r.line > 0:
		return row{r.line - 1, t.lastRow(r.line - 1)}, true
	default:
		return r, false
	}
}

// height counts rows, but not past limit.
func (t *text) height(limit int) int {
	r, n := row{}, 1
	for n < limit {
		next, ok := t.below(r)
		if !ok {
			break
		}
		r, n = next, n+1
	}
	return n
}

// wrap returns where the row after the one at start begins, or the length of s
// if that row is the last. Rows break after white space, and on either side of
// a wide character; one space may hang over the edge.
func (t *text) wrap(s string, start int) int {
	col, breakAt := 0, start
	for i := start; i < len(s); {
		n := clusterAt(s, i)
		w := t.cells(s[i:i+n], col)
		blank := n == 1 && (s[i] == ' ' || s[i] == '\t')
		if blank {
			w = min(w, t.width+1-col)
		} else if n > 1 && w > 1 {
			breakAt = i
		}
		if full := col+w > t.width; full && (!blank || w == 0 || col > t.width) {
			switch {
			case i == start: // wider than a row: it gets one of its own
				return i + n
			case breakAt > start:
				return breakAt
			default:
				return i
			}
		}
		col += w
		i += n
		if blank || n > 1 && w > 1 {
			breakAt = i
		}
	}
	return len(s)
}

// column is the cell in which a place stands, counted from the start of its
// row; a space that hangs over the edge does not count.
func (t *text) column(p pos) int {
	r := t.rowOf(p)
	start, _ := t.rowStart(r.line, r.n)
	s, col := t.at(p.line), 0
	for i := start; i < p.col; {
		n := clusterAt(s, i)
		col += t.cells(s[i:i+n], col)
		i += n
	}
	return min(col, t.width)
}

// placeAt is the last place in a row whose column is not past want.
func (t *text) placeAt(r row, want int) pos {
	start, _ := t.rowStart(r.line, r.n)
	end, last := t.rowEnd(r.line, r.n)
	s, col, at := t.at(r.line), 0, start
	for at < end {
		n := clusterAt(s, at)
		col += t.cells(s[at:at+n], col)
		if col > want || !last && at+n >= end {
			break
		}
		at += n
	}
	return pos{r.line, at}
}
