package editor

import (
	"unicode"
	"unicode/utf8"
)

// moveTo puts the cursor somewhere else and forgets the column that up and
// down aim at.
func (m *Model) moveTo(p pos) {
	m.cursor = p
	m.goal = -1
}

// leftOf is one cluster back; the start of a line joins the line above.
func (m *Model) leftOf(p pos) pos {
	switch {
	case p.col > 0:
		return pos{p.line, before(m.text.at(p.line), p.col)}
	case p.line > 0:
		return pos{p.line - 1, len(m.text.at(p.line - 1))}
	default:
		return p
	}
}

func (m *Model) rightOf(p pos) pos {
	s := m.text.at(p.line)
	switch {
	case p.col < len(s):
		return pos{p.line, p.col + clusterAt(s, p.col)}
	case p.line+1 < len(m.text.lines):
		return pos{p.line + 1, 0}
	default:
		return p
	}
}

// vertical moves a row up or down and says whether there was one. The column
// that the cursor came from is kept over shorter rows.
func (m *Model) vertical(step func(row) (row, bool)) bool {
	to, ok := step(m.text.rowOf(m.cursor))
	if !ok {
		return false
	}
	goal := m.goal
	if goal < 0 {
		goal = m.text.column(m.cursor)
	}
	m.cursor, m.goal = m.text.placeAt(to, goal), goal
	return true
}

// class sorts characters into what a word is made of. Underscores belong to
// words, so that a snake_case name is one.
type class int

const (
	blank class = iota
	word
	symbol
	pasted // a chip
	han
	kana
)

func classOf(r rune) class {
	switch {
	case isChip(r):
		return pasted
	case unicode.IsSpace(r):
		return blank
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return kana
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return word
	default:
		return symbol
	}
}

// wordLeft is the start of the word before p: over white space, lines
// included, then over characters of one class.
func (m *Model) wordLeft(p pos) pos {
	for p.col == 0 || m.classBefore(p) == blank {
		q := m.leftOf(p)
		if q == p {
			return p
		}
		p = q
	}
	kind := m.classBefore(p)
	for p.col > 0 && m.classBefore(p) == kind {
		p = m.leftOf(p)
		if kind == pasted {
			break
		}
	}
	return p
}

func (m *Model) wordRight(p pos) pos {
	for p.col == len(m.text.at(p.line)) || m.classAfter(p) == blank {
		q := m.rightOf(p)
		if q == p {
			return p
		}
		p = q
	}
	kind := m.classAfter(p)
	for p.col < len(m.text.at(p.line)) && m.classAfter(p) == kind {
		p = m.rightOf(p)
		if kind == pasted {
			break
		}
	}
	return p
}

func (m *Model) classBefore(p pos) class {
	s := m.text.at(p.line)
	r, _ := utf8.DecodeRuneInString(s[before(s, p.col):])
	return classOf(r)
}

func (m *Model) classAfter(p pos) class {
	r, _ := utf8.DecodeRuneInString(m.text.at(p.line)[p.col:])
	return classOf(r)
}

// A word is deleted within its line; at the edge of a line, the edge is.
func (m *Model) wordBackIn(p pos) pos {
	if p.col == 0 {
		return m.leftOf(p)
	}
	q := m.wordLeft(p)
	if q.line < p.line {
		return pos{p.line, 0}
	}
	return q
}

func (m *Model) wordForwardIn(p pos) pos {
	if p.col == len(m.text.at(p.line)) {
		return m.rightOf(p)
	}
	q := m.wordRight(p)
	if q.line > p.line {
		return pos{p.line, len(m.text.at(p.line))}
	}
	return q
}
