package render

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/clipperhouse/displaywidth"
)

// Wrap breaks one line of styled text into lines of at most width cells: at
// spaces where it can, between graphemes where it must. Each line is closed at
// its end, and Split knows where the breaks were.
func Wrap(text string, width int) []string {
	if width < 1 {
		return nil
	}
	var pen sgrPen
	var rows []row
	for line := range strings.SplitSeq(text, "\n") {
		rows = append(rows, wrapWords(pen.spans(line, ""), width)...)
	}
	return lines(rows)
}

// textWidth is the width of text without escape sequences.
func textWidth(s string) int {
	if isASCII(s) {
		return len(s)
	}
	return displaywidth.String(s)
}

// isASCII says that s is printable ASCII: as wide as it is long.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func spansWidth(spans []span) int {
	w := 0
	for _, s := range spans {
		w += textWidth(s.text)
	}
	return w
}

// piece is a stretch of one span: what a row is collected from without copying.
type piece struct{ span, from, to int }

// wrapper collects pieces of a paragraph into rows.
type wrapper struct {
	in    []span
	width int

	rows  []row
	line  []piece // placed on the row that is being filled
	lineW int
	joint Joint // of that row

	word   []piece // not placed yet
	wordW  int
	space  []piece // between line and word
	spaceW int
}

// wrapWords breaks at spaces and beside wide characters, as prose wants it.
// Spaces at a break go; spaces at the start of the paragraph stay.
func wrapWords(in []span, width int) []row {
	if len(in) == 0 {
		return []row{{}}
	}
	if fits(in, width) {
		return []row{{text: trimRight(in)}}
	}
	w := wrapper{in: in, width: width}
	for i, s := range in {
		w.feedWords(i, s.text)
	}
	w.place()
	w.flush(Separate)
	return w.rows
}

func (w *wrapper) feedWords(i int, text string) {
	g := displaywidth.StringGraphemes(text)
	for at := 0; g.Next(); {
		v, gw := g.Value(), g.Width()
		p := piece{i, at, at + len(v)}
		at = p.to
		switch {
		case v == " ":
			w.place()
			w.space, w.spaceW = join(w.space, p), w.spaceW+1
		case gw > 1 && !closes(v):
			w.place()
			fallthrough
		default:
			w.word, w.wordW = join(w.word, p), w.wordW+gw
		}
	}
}

// closes says that a wide character may not stand first in a line.
func closes(v string) bool {
	return strings.ContainsAny(v, "、。，．：；！？）】」』〉》〕］｝・ー…”’")
}

// place moves the word that is complete to the row, or to the next one.
func (w *wrapper) place() {
	if len(w.word) == 0 {
		return
	}
	if w.lineW+w.spaceW+w.wordW > w.width && w.lineW > 0 {
		joint := Joined
		if w.spaceW > 0 {
			joint = Spaced
		}
		w.space, w.spaceW = w.space[:0], 0
		w.flush(joint)
	}
	if w.spaceW >= w.width { // an indentation that leaves no room
		w.space, w.spaceW = w.space[:0], 0
	}
	for _, p := range w.space {
		w.line = join(w.line, p)
	}
	w.lineW += w.spaceW
	w.space, w.spaceW = w.space[:0], 0
	if w.lineW+w.wordW <= w.width {
		for _, p := range w.word {
			w.line = join(w.line, p)
		}
		w.lineW += w.wordW
	} else {
		w.split()
	}
	w.word, w.wordW = w.word[:0], 0
}

// split breaks a word that is wider than a row between its graphemes.
func (w *wrapper) split() {
	for _, p := range w.word {
		w.feedCells(p.span, p.from, p.to)
	}
}

// feedCells fills rows to their brim.
func (w *wrapper) feedCells(i, from, to int) {
	text := w.in[i].text[from:to]
	if isASCII(text) {
		for len(text) > 0 {
			if w.lineW >= w.width {
				w.flush(Joined)
			}
			n := min(w.width-w.lineW, len(text))
			w.line, w.lineW = join(w.line, piece{i, from, from + n}), w.lineW+n
			from, text = from+n, text[n:]
		}
		return
	}
	g := displaywidth.StringGraphemes(text)
	for g.Next() {
		n, gw := len(g.Value()), g.Width()
		if gw > w.width { // no row can hold it
			from += n
			continue
		}
		if w.lineW+gw > w.width {
			w.flush(Joined)
		}
		w.line, w.lineW = join(w.line, piece{i, from, from + n}), w.lineW+gw
		from += n
	}
}

// flush ends the row; the next one hangs on it by next.
func (w *wrapper) flush(next Joint) {
	r := row{joint: w.joint, text: make([]span, 0, len(w.line))}
	for _, p := range w.line {
		s := w.in[p.span]
		s.text = s.text[p.from:p.to]
		r.text = append(r.text, s)
	}
	w.rows = append(w.rows, r)
	w.line, w.lineW, w.joint = w.line[:0], 0, next
}

// join appends a piece, melting it with the one that it follows.
func join(ps []piece, p piece) []piece {
	if n := len(ps); n > 0 && ps[n-1].span == p.span && ps[n-1].to == p.from {
		ps[n-1].to = p.to
		return ps
	}
	return append(ps, p)
}

// wrapCells breaks wherever the row is full and keeps every space, as a
// terminal does. It is for code and for what programs print.
func wrapCells(in []span, width int) []row {
	if len(in) == 0 {
		return []row{{}}
	}
	if fits(in, width) {
		return []row{{text: in}}
	}
	w := wrapper{in: in, width: width}
	for i, s := range in {
		w.feedCells(i, 0, len(s.text))
	}
	w.flush(Separate)
	return w.rows
}

// countCells is how many rows wrapCells makes of plain text.
func countCells(text string, width int) int {
	switch {
	case isASCII(text):
		return max(1, (len(text)+width-1)/width)
	case len(text) <= width: // no rune is wider than its bytes are many
		return 1
	}
	n, at := 1, 0
	g := displaywidth.StringGraphemes(text)
	for g.Next() {
		gw := g.Width()
		if gw > width {
			continue
		}
		if at+gw > width {
			n, at = n+1, 0
		}
		at += gw
	}
	return n
}

func fits(in []span, width int) bool {
	w := 0
	for _, s := range in {
		w += textWidth(s.text)
		if w > width {
			return false
		}
	}
	return true
}

func trimRight(in []span) []span {
	n := len(in)
	for n > 0 && strings.TrimRight(in[n-1].text, " ") == "" {
		n--
	}
	if n == 0 {
		return nil
	}
	last := in[n-1]
	last.text = strings.TrimRight(last.text, " ")
	if n == len(in) && last.text == in[n-1].text {
		return in
	}
	return append(append(make([]span, 0, n), in[:n-1]...), last)
}

// truncate cuts spans to width cells and marks the cut with tail.
func truncate(in []span, width int, tail string) []span {
	if width < 1 {
		return nil
	}
	if fits(in, width) {
		return in
	}
	room := width - textWidth(tail)
	if room < 0 {
		room, tail = width, ""
	}
	var out []span
	for _, s := range in {
		w := textWidth(s.text)
		if w <= room {
			out, room = append(out, s), room-w
			continue
		}
		s.text = displaywidth.TruncateString(s.text, room, "")
		return append(out, s, span{open: s.open, text: tail})
	}
	return out
}

// VisualTail gives the last n rows that lines (styled, one each) take at the
// width, oldest first, and how many rows there are in all. Only what is given
// back is wrapped.
func VisualTail(in []string, width, n int) (tail []string, total int) {
	if width < 1 {
		return nil, 0
	}
	rows, total := tailRows(len(in), func(i int) string { return in[i] }, width, n)
	return lines(rows), total
}

// tailRows is VisualTail for lines that are made when they are needed.
func tailRows(count int, line func(int) string, width, n int) (rows []row, total int) {
	for i := count - 1; i >= 0; i-- {
		text := line(i)
		if len(rows) >= n {
			total += countRows(text, width)
			continue
		}
		var pen sgrPen
		wrapped := wrapCells(pen.spans(text, ""), width)
		total += len(wrapped)
		rows = append(wrapped[max(0, len(wrapped)-(n-len(rows))):len(wrapped):len(wrapped)], rows...)
	}
	return rows, total
}

// countRows is how many rows wrapCells makes of a line with styles and tabs.
func countRows(line string, width int) int {
	if strings.IndexByte(line, 0x1b) >= 0 {
		line = ansi.Strip(line)
	}
	if strings.IndexByte(line, '\t') >= 0 {
		line = expandTabs(line)
	}
	return countCells(line, width)
}

const tabStop = 8

// expandTabs replaces each tab of a line without escape sequences by the
// spaces up to its stop.
func expandTabs(line string) string {
	var b strings.Builder
	col := 0
	for i, part := range strings.Split(line, "\t") {
		if i > 0 {
			n := tabStop - col%tabStop
			b.WriteString(strings.Repeat(" ", n))
			col += n
		}
		b.WriteString(part)
		col += textWidth(part)
	}
	return b.String()
}

func runeCount(s string) int { return utf8.RuneCountInString(s) }
