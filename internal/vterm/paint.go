package vterm

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A painter writes rows as styled text that has their width wherever it is
// shown. A program counts columns as wcwidth does, the terminal around it may
// count grapheme clusters: what the two disagree on is drawn simpler, and what
// would flow together across cells is kept apart by an empty sequence.
type painter struct {
	known map[string]glyph
}

// glyph is how a cell's text is drawn.
type glyph struct {
	text  string
	apart bool // it may join what stands beside it
}

// maxKnown bounds what a painter remembers.
const maxKnown = 1024

func (p *painter) appendLine(b []byte, row []Cell) []byte {
	var now Style
	apart := false // the cell before must not touch this one
	for _, c := range row {
		if c.Width == 0 {
			continue
		}
		g := glyph{text: c.Text}
		if len(c.Text) > 1 {
			g = p.glyph(c.Text, int(c.Width))
		}
		s := c.Style
		s.Link = 0
		if s != now || apart || g.apart {
			b, now = appendStyle(b, s), s
		}
		b = append(b, g.text...)
		apart = g.apart
	}
	if now != (Style{}) {
		b = append(b, "\x1b[m"...)
	}
	return b
}

func (p *painter) glyph(text string, width int) glyph {
	if r, size := utf8.DecodeRuneInString(text); size == len(text) && simple(r) {
		return glyph{text: text}
	}
	if g, ok := p.known[text]; ok {
		return g
	}
	if p.known == nil || len(p.known) >= maxKnown {
		p.known = map[string]glyph{}
	}
	g := glyph{text: drawn(text, width), apart: true}
	p.known[text] = g
	return g
}

// simple says that everybody counts a character alike and that it joins none:
// letters of Latin, Greek and Cyrillic, punctuation, lines and boxes, kana, Han
// and Hangul syllables.
func simple(r rune) bool {
	switch {
	case r >= 0xa0 && r < 0x300:
		return r != 0xad && r != 0xa9 && r != 0xae
	case r >= 0x370 && r < 0x483, r >= 0x48a && r < 0x530:
		return true
	case r >= 0x2010 && r < 0x2028, r >= 0x2500 && r < 0x2580, r >= 0x2580 && r < 0x25a0:
		return true
	case r >= 0x3041 && r < 0x3097, r >= 0x30a0 && r < 0x3100, r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7a4:
		return true
	case r >= 0xff01 && r < 0xff5f && r != 0xff0d:
		return true
	}
	return false
}

// drawn is a text that takes width columns by every count and reorders nothing.
func drawn(text string, width int) string {
	text = strings.TrimRight(strings.Map(visible, text), "\u200d")
	if fits(text, width) {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	if fits(text[:size], width) {
		return text[:size]
	}
	const firstFlag, lastFlag = 0x1f1e6, 0x1f1ff // the letters that make a flag in pairs
	if first >= firstFlag && first <= lastFlag && width == 1 {
		return string('A' + first - firstFlag)
	}
	return strings.Repeat("?", width)
}

// visible drops marks that choose a presentation or reorder text.
func visible(r rune) rune {
	const textStyle, emojiStyle, joiner = 0xfe0e, 0xfe0f, 0x200d
	if r == textStyle || r == emojiStyle || r != joiner && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
		return -1
	}
	return r
}

func fits(text string, width int) bool {
	return ansi.StringWidth(text) == width && ansi.StringWidthWc(text) == width
}
