package vterm

import (
	"strings"
	"unicode/utf8"
)

// state is where the parser stands between two bytes; the names follow the
// states of ECMA-48 sequences.
type state uint8

const (
	ground      state = iota
	escape            // after ESC
	escapeInter       // after ESC and intermediate bytes
	csiParams         // after CSI
	csiIgnore         // in a CSI that cannot be one of ours
	textBody          // in OSC, DCS, SOS, PM or APC
	textEscape        // after ESC in one of these
)

// parser is what is left of a sequence that the last write did not end.
type parser struct {
	state    state
	args     []byte // parameter bytes of a CSI
	inter    []byte // intermediate bytes
	private  byte   // '<', '=', '>' or '?', 0 if none
	text     []byte // body of a string sequence
	textKind byte   // the byte after ESC that began it
	runeBuf  [utf8.UTFMax]byte
	runeLen  int
}

// Write shows what a program printed. It never fails and keeps nothing of p;
// chunks may end anywhere, in the middle of a character or of a sequence too.
func (sc *Screen) Write(p []byte) (int, error) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	n := len(p)
	for len(p) > 0 {
		if plain := sc.plainRun(p); plain > 0 {
			sc.printPlain(p[:plain])
			p = p[plain:]
			continue
		}
		sc.parse(p[0])
		p = p[1:]
	}
	sc.selectText()
	sc.sync()
	return n, nil
}

// plainRun is how many bytes at the start of p are characters and nothing else.
func (sc *Screen) plainRun(p []byte) int {
	if sc.state != ground || sc.runeLen > 0 {
		return 0
	}
	i := 0
	for i < len(p) && p[i] >= 0x20 && p[i] < 0x7f {
		i++
	}
	return i
}

func (sc *Screen) printPlain(p []byte) {
	if sc.single == 0 && sc.charsets[sc.shift] == 'B' {
		sc.printASCII(p)
		return
	}
	for _, c := range p {
		sc.printMapped(rune(c))
	}
}

// parse takes one byte that is not plain text.
func (sc *Screen) parse(c byte) {
	inText := sc.state == textBody || sc.state == textEscape
	switch {
	case sc.runeLen == 0 && (c < 0x80 || inText):
		sc.step(c)
	case c < 0x80 || sc.state == ground:
		sc.runeByte(c)
	case sc.state == escape || sc.state == escapeInter:
		sc.state = ground
		sc.runeByte(c)
	default: // a byte above ASCII inside a CSI is ignored
	}
}

// runeByte collects a character of several bytes. Broken ones are dropped.
func (sc *Screen) runeByte(c byte) {
	if sc.runeLen > 0 && (c < 0x80 || c >= 0xc0) {
		sc.runeLen = 0
		if c < 0x80 {
			sc.step(c)
			return
		}
	}
	sc.runeBuf[sc.runeLen] = c
	sc.runeLen++
	if !utf8.FullRune(sc.runeBuf[:sc.runeLen]) {
		return
	}
	r, _ := utf8.DecodeRune(sc.runeBuf[:sc.runeLen])
	sc.runeLen = 0
	switch {
	case r == utf8.RuneError:
	case r < 0xa0:
		sc.c1(r)
	default:
		sc.printRune(r)
	}
}

func (sc *Screen) startCSI() {
	sc.state, sc.args, sc.inter, sc.private = csiParams, sc.args[:0], sc.inter[:0], 0
}

func (sc *Screen) startText(kind byte) {
	sc.state, sc.text, sc.textKind = textBody, sc.text[:0], kind
}

// step moves the state machine by one byte.
func (sc *Screen) step(c byte) {
	switch {
	case sc.state == textBody:
		sc.textByte(c)
	case sc.state == textEscape && c == '\\':
		sc.state = ground
		sc.endText()
	case sc.state == textEscape: // the string is dropped; ESC begins a new sequence
		sc.state = escape
		sc.escape(c)
	case c < 0x20 || c == 0x7f:
		sc.c0(c)
	case sc.state == ground:
		sc.printMapped(rune(c))
	case sc.state == escape:
		sc.escape(c)
	case sc.state == escapeInter:
		sc.interByte(c)
	case sc.state == csiParams:
		sc.csiByte(c)
	case sc.state == csiIgnore && c >= 0x40:
		sc.state = ground
	}
}

// textByte takes the body of a string sequence, which ends with BEL (OSC
// only), ST in either form, CAN or SUB.
func (sc *Screen) textByte(c byte) {
	const bel, can, sub, esc = 0x07, 0x18, 0x1a, 0x1b
	switch n := len(sc.text); {
	case c == esc:
		sc.state = textEscape
	case c == bel && sc.textKind == ']':
		sc.state = ground
		sc.endText()
	case c == can || c == sub:
		sc.state = ground
	case c == 0x9c && n > 0 && sc.text[n-1] == 0xc2: // ST as U+009C
		sc.text = sc.text[:n-1]
		sc.state = ground
		sc.endText()
	case n < maxText:
		sc.text = append(sc.text, c)
	}
}

func (sc *Screen) interByte(c byte) {
	if c < 0x30 {
		sc.addInter(c)
		return
	}
	sc.state = ground
	sc.escapeWithInter(c)
}

func (sc *Screen) addInter(c byte) {
	if len(sc.inter) < 4 { // no sequence has more than two
		sc.inter = append(sc.inter, c)
	}
}

func (sc *Screen) csiByte(c byte) {
	const maxArgs = 512
	switch {
	case c >= '0' && c <= ';':
		if len(sc.args) < maxArgs {
			sc.args = append(sc.args, c)
		}
	case c >= '<' && c <= '?':
		if len(sc.args) > 0 || sc.private != 0 {
			sc.state = csiIgnore
			return
		}
		sc.private = c
	case c < 0x30:
		sc.addInter(c)
	default:
		sc.state = ground
		sc.csi(c)
	}
}

// params are the parameters of a control sequence, each with its
// sub-parameters; −1 stands for one that was left out.
type params [][]int

func parseParams(args []byte) params {
	var out params
	for field := range strings.SplitSeq(string(args), ";") {
		var sub []int
		for text := range strings.SplitSeq(field, ":") {
			sub = append(sub, parseParam(text))
		}
		out = append(out, sub)
	}
	return out
}

func parseParam(text string) int {
	v := -1
	for i := range len(text) {
		v = min(max(v, 0)*10+int(text[i]-'0'), maxParam)
	}
	return v
}

// or is parameter i, or def if it is 0 or was left out.
func (p params) or(i, def int) int {
	if i < len(p) && p[i][0] > 0 {
		return p[i][0]
	}
	return def
}
