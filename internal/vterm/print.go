package vterm

import (
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// printASCII prints characters from 0x20 to 0x7e, a row's worth at a time.
func (sc *Screen) printASCII(p []byte) {
	for len(p) > 0 {
		sc.wrap()
		x, y, _ := sc.cursor()
		n := min(sc.cols-x, len(p))
		if sc.modes.NoWrap && n < len(p) { // the last column keeps the last character
			if n > 1 {
				sc.selectText()
				sc.pending = append(sc.pending, p[:n-1]...)
			}
			x, p, n = sc.cols-1, p[len(p)-1:], 1
		}
		if sc.modes.Insert {
			sc.selectErase()
			sc.command(n, '@')
		}
		sc.selectText()
		sc.pending = append(sc.pending, p[:n]...)
		c := int(p[n-1])
		sc.last = last{text: ascii[c : c+1], x: x + n - 1, y: y, width: 1, ok: true, repeat: ascii[c : c+1]}
		p = p[n:]
	}
}

// wrap does the line feed that the last column left pending, and marks the row
// as one whose text goes on.
func (sc *Screen) wrap() {
	x, y, pending := sc.cursor()
	if !pending {
		return
	}
	g := sc.grid.Cell(x, y)
	if s := sc.styleOf(g.FG); !s.wraps && g.Char != 0 {
		s.wraps = true
		id := sc.intern(s)
		sc.goTo(x, y)
		sc.selectPen(id)
		sc.pending = utf8.AppendRune(sc.pending, g.Char)
	}
	sc.emit("\r")
	sc.lineFeed()
}

// printRune prints any other character, or joins it to the one before.
func (sc *Screen) printRune(r rune) {
	w := runeWidth(r)
	if w == 0 {
		sc.combine(r)
		return
	}
	s := string(r)
	if r >= clusterLow { // a program's own plane 16 is kept apart from our numbers
		r = sc.clusterRune(s)
	}
	sc.put(r, s, w)
	sc.last.repeat = s
}

// put prints one cell or two.
func (sc *Screen) put(r rune, text string, width int) {
	sc.wrap()
	x, y, _ := sc.cursor()
	if width == 2 && x == sc.cols-1 { // no room for both halves: it goes to the next row
		if sc.modes.NoWrap || sc.cols < 2 {
			return
		}
		sc.selectPen(sc.intern(Style{BG: sc.style.BG, wraps: true}))
		sc.pending = utf8.AppendRune(sc.pending, gap)
		sc.emit("\r")
		sc.lineFeed()
		x, y, _ = sc.cursor()
	}
	if sc.modes.Insert {
		sc.selectErase()
		sc.command(width, '@')
	}
	sc.selectText()
	sc.pending = utf8.AppendRune(sc.pending, r)
	if width == 2 {
		sc.pending = utf8.AppendRune(sc.pending, filler)
	}
	sc.last.text, sc.last.x, sc.last.y, sc.last.width, sc.last.ok = text, x, y, width, true
}

// putRun prints the same cell n times, as many at once as a row has room for.
func (sc *Screen) putRun(r rune, text string, width, n int) {
	for n > 0 {
		sc.put(r, text, width)
		n--
		x, y, pending := sc.cursor()
		more := min(n, (sc.cols-x)/width)
		if more < 1 || pending || sc.modes.NoWrap {
			continue
		}
		if sc.modes.Insert {
			sc.selectErase()
			sc.command(more*width, '@')
			sc.selectText()
		}
		for range more {
			sc.pending = utf8.AppendRune(sc.pending, r)
			if width == 2 {
				sc.pending = utf8.AppendRune(sc.pending, filler)
			}
		}
		sc.last.x, sc.last.y = x+(more-1)*width, y
		n -= more
	}
}

// combine joins a character without width to the one printed before it.
func (sc *Screen) combine(r rune) {
	const byteOrderMark, wordJoiner = 0xfeff, 0x2060
	if !sc.last.ok || len(sc.last.text) > maxCluster || r == byteOrderMark || r == wordJoiner {
		return
	}
	text := sc.last.text + string(r)
	id := sc.clusterRune(text)
	sc.goTo(sc.last.x, sc.last.y)
	sc.selectText()
	sc.pending = utf8.AppendRune(sc.pending, id)
	if sc.last.width == 2 {
		sc.pending = utf8.AppendRune(sc.pending, filler)
	}
	sc.last.text, sc.last.repeat = text, text
}

// printMapped prints a character through the character set in use.
func (sc *Screen) printMapped(r rune) {
	switch sc.charset() {
	case '0':
		if g, ok := graphics(r); ok {
			r = g
		}
	case 'A':
		if r == '#' {
			r = '£'
		}
	}
	if r < 0x80 {
		sc.printASCII([]byte{byte(r)})
		return
	}
	sc.printRune(r)
}

func (sc *Screen) charset() byte {
	if sc.single != 0 {
		c := sc.charsets[sc.single]
		sc.single = 0
		return c
	}
	return sc.charsets[sc.shift]
}

// graphics is the DEC special graphics set, from '`' to '~'.
func graphics(r rune) (rune, bool) {
	const set = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"
	if r < '`' || r > '~' {
		return 0, false
	}
	return []rune(set)[r-'`'], true
}

// textWidth is the width of a cluster: that of its first rune, as programs
// that use wcwidth expect.
func textWidth(s string) int {
	r, _ := utf8.DecodeRuneInString(s)
	return runeWidth(r)
}

// runeWidth follows glibc's wcwidth: Hangul vowels and final consonants and
// the invisible joiners have no width, ambiguous characters one.
func runeWidth(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r >= 0x1100 && r <= 0x115f:
		return 2
	case r >= 0x1160 && r <= 0x11ff, r >= 0x200b && r <= 0x200d, r == 0x2060, r == 0xfeff:
		return 0
	}
	c := runewidth.Condition{StrictEmojiNeutral: true}
	return c.RuneWidth(r)
}
