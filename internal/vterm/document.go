package vterm

import "iter"

// maxJoined bounds the cells of one line of a Document.
const maxJoined = 1 << 16

// Document is what a program leaves behind: the scrollback and the main screen,
// also while the alternate screen covers it, without blank lines at the end.
// Rows that flowed into one another are one line again. A line is only valid
// until the next one, and the Screen must not be used meanwhile.
func (sc *Screen) Document() iter.Seq[[]Cell] {
	return func(yield func([]Cell) bool) {
		sc.mu.Lock()
		defer sc.mu.Unlock()
		sc.sync()
		line, row := []Cell{}, []Cell{}
		blank := 0 // lines that are only told if another one follows
		rows := len(sc.history) + sc.mainRows()
		for i := range rows {
			var on wraps
			row, on = sc.documentRow(i, row)
			line = append(line, row...)
			if on == wrapsShort {
				line = line[:len(line)-1]
			}
			if on != wrapsNot && i+1 < rows && len(line) < maxJoined {
				continue
			}
			text := TrimLine(line)
			line = line[:0]
			if LineText(text) == "" { // coloured or not
				blank++
				continue
			}
			for ; blank > 0; blank-- {
				if !yield(nil) {
					return
				}
			}
			if !yield(text) {
				return
			}
		}
	}
}

func (sc *Screen) mainRows() int {
	if sc.modes.Alt {
		return len(sc.covered)
	}
	return sc.rows
}

// documentRow is row i of the scrollback and then of the main screen.
func (sc *Screen) documentRow(i int, dst []Cell) ([]Cell, wraps) {
	if i < len(sc.history) {
		l := sc.history[i]
		return l.unpack(dst), l.wraps
	}
	i -= len(sc.history)
	glyphs := sc.glyphs[:0]
	if sc.modes.Alt {
		glyphs = append(glyphs, sc.covered[i]...)
	} else {
		glyphs = sc.readRow(i, glyphs)
	}
	sc.glyphs = glyphs
	return sc.decode(glyphs, dst), sc.wraps(glyphs)
}
