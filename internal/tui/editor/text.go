package editor

import (
	"slices"
	"strings"
)

// pos is a place in the text: a line, and a byte offset in it.
type pos struct{ line, col int }

func (p pos) less(q pos) bool { return p.line < q.line || p.line == q.line && p.col < q.col }

// text is a list of lines, never empty, with the rows that they take on the
// screen. Rows are found when somebody asks, from the start of a line as far
// as needed, and stay valid up to the place of the next change.
type text struct {
	lines []line
	width int // cells in a row, at least 1
	cells func(cluster string, col int) int
}

type line struct {
	text  string
	rows  []int // where the known rows start; the first at 0
	whole bool  // all rows are known
	width int   // what rows were made for
}

func newText(cells func(string, int) int) text {
	return text{lines: []line{{}}, width: 1, cells: cells}
}

func (t *text) at(i int) string { return t.lines[i].text }

func (t *text) end() pos {
	last := len(t.lines) - 1
	return pos{last, len(t.lines[last].text)}
}

func (t *text) empty() bool { return len(t.lines) == 1 && t.lines[0].text == "" }

// replace puts s where the text from from to to was and returns where s ends.
// s holds no carriage return. Offsets are taken as they are: whoever calls
// snaps the result to a border.
func (t *text) replace(from, to pos, s string) pos {
	if from.line == to.line && !strings.Contains(s, "\n") {
		l := &t.lines[from.line]
		l.text = l.text[:from.col] + s + l.text[to.col:]
		l.forget(from.col)
		return pos{from.line, from.col + len(s)}
	}
	head, tail := t.at(from.line)[:from.col], t.at(to.line)[to.col:]
	fresh := make([]line, 0, strings.Count(s, "\n")+1)
	for part := range strings.SplitSeq(s, "\n") {
		fresh = append(fresh, line{text: part})
	}
	last := len(fresh) - 1
	end := pos{from.line + last, len(fresh[last].text)}
	if last == 0 {
		end.col += len(head)
	}
	fresh[0].text = head + fresh[0].text
	fresh[last].text += tail
	t.lines = slices.Replace(t.lines, from.line, to.line+1, fresh...)
	return end
}

// slice is the text between two places.
func (t *text) slice(from, to pos) string {
	if from.line == to.line {
		return t.at(from.line)[from.col:to.col]
	}
	var b strings.Builder
	b.WriteString(t.at(from.line)[from.col:])
	for i := from.line + 1; i < to.line; i++ {
		b.WriteByte('\n')
		b.WriteString(t.at(i))
	}
	b.WriteByte('\n')
	b.WriteString(t.at(to.line)[:to.col])
	return b.String()
}

func (t *text) string() string { return t.slice(pos{}, t.end()) }
