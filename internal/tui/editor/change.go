package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a change was, as far as undo joins it with the next one.
type changeKind int

const (
	single   changeKind = iota // stands alone
	typing                     // joins with typing right behind it
	erasing                    // joins with erasing right before it
	browsing                   // the whole text, by history: joins with the next
)

// change is one step of undo: at a place, old was replaced by fresh.
type change struct {
	kind          changeKind
	at            pos
	old, fresh    string
	before, after pos // of the cursor
}

// undoDepth is how many steps are kept.
const undoDepth = 1000

// journal holds the changes that can be undone and, after an undo, those that
// can be done again.
type journal struct {
	done, undone []change
	closed       bool // the next change starts a step of its own
}

// record adds a change, as part of the last step if the two belong together.
func (j *journal) record(c change) {
	j.undone = nil
	if n := len(j.done) - 1; n >= 0 && !j.closed && j.done[n].join(c) {
		return
	}
	j.closed = false
	j.done = append(j.done, c)
	if len(j.done) > undoDepth {
		j.done = append(j.done[:0], j.done[len(j.done)-undoDepth:]...)
	}
}

// join makes next a part of c, if a person would see them as one.
func (c *change) join(next change) bool {
	if c.kind != next.kind || c.after != next.before {
		return false
	}
	switch c.kind {
	case typing:
		if next.old != "" || next.at != endOf(c.at, c.fresh) || newWord(c.fresh, next.fresh) || strings.Contains(next.fresh, "\n") {
			return false
		}
		c.fresh += next.fresh
	case erasing:
		if next.fresh != "" || endOf(next.at, next.old) != c.at {
			return false
		}
		c.at, c.old = next.at, next.old+c.old
	case browsing:
		c.fresh = next.fresh
	default:
		return false
	}
	c.after = next.after
	return true
}

// newWord says that what is typed after a space starts another step.
func newWord(typed, more string) bool {
	last, _ := utf8.DecodeLastRuneInString(typed)
	first, _ := utf8.DecodeRuneInString(more)
	return unicode.IsSpace(last) && !unicode.IsSpace(first)
}

// endOf is where a text ends that starts at p.
func endOf(p pos, s string) pos {
	if i := strings.LastIndexByte(s, '\n'); i >= 0 {
		return pos{p.line + strings.Count(s, "\n"), len(s) - i - 1}
	}
	return pos{p.line, p.col + len(s)}
}

// replace is the only way in which the text changes: s comes where from to to
// was, and the cursor stands behind it.
func (m *Model) replace(kind changeKind, from, to pos, s string) {
	if from == to && s == "" {
		return
	}
	c := change{kind: kind, at: from, old: m.text.slice(from, to), fresh: s, before: m.cursor}
	end := m.text.replace(from, to, s)
	m.moveTo(pos{end.line, snap(m.text.at(end.line), end.col)})
	c.after = m.cursor
	m.journal.record(c)
	m.did, m.ring.yanked = didOther, -1 // where the last yank stood is not known any more
	if kind != browsing {
		m.edits++
	}
}

func (m *Model) undo() {
	n := len(m.journal.done) - 1
	if n < 0 {
		return
	}
	c := m.journal.done[n]
	m.journal.done = m.journal.done[:n]
	m.journal.undone = append(m.journal.undone, c)
	m.text.replace(c.at, endOf(c.at, c.fresh), c.old)
	m.moveTo(c.before)
	m.journal.closed = true
}

func (m *Model) redo() {
	n := len(m.journal.undone) - 1
	if n < 0 {
		return
	}
	c := m.journal.undone[n]
	m.journal.undone = m.journal.undone[:n]
	m.journal.done = append(m.journal.done, c)
	m.text.replace(c.at, endOf(c.at, c.old), c.fresh)
	m.moveTo(c.after)
	m.journal.closed = true
}
