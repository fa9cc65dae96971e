package sanitize

import (
	"bytes"
	"unicode/utf8"
)

// maxLine bounds the memory of one line. What is beyond it is dropped and
// counted.
const maxLine = 1 << 20

// A sequence that is longer than these is none, and what follows is text.
const (
	maxCSI    = 256
	maxString = 4096
)

// Cleaner cleans a stream that comes in pieces. The zero value is ready. It is
// not safe for concurrent use.
type Cleaner struct {
	out    []byte // whole lines
	left   []byte // the open line, before the cursor
	right  []byte // the open line from the cursor on, the next rune last
	blanks int    // bytes at the start of left that were erased already
	erase  bool   // erased cells may stand at the end of the line
	lost   int    // runes that did not fit into the open line

	state  state
	length int    // of the sequence so far
	params []byte // of a CSI
	part   [utf8.UTFMax]byte
	parts  int // bytes of an unfinished rune in part
}

type state uint8

const (
	ground    state = iota
	escape          // ESC
	charset         // ESC and an intermediate byte
	csi             // ESC [
	str             // OSC, DCS, SOS, PM, APC
	strEscape       // ESC inside a string: ST if a backslash follows
)

// Clean cleans a whole text.
func Clean(p []byte) []byte {
	var c Cleaner
	c.out = make([]byte, 0, len(p))
	_, _ = c.Write(p) // never fails
	return c.finish()
}

// Write takes the next piece. It never fails.
func (c *Cleaner) Write(p []byte) (int, error) {
	n := len(p)
	p = c.complete(p)
	for len(p) > 0 {
		if c.state == ground && c.parts == 0 {
			if k := plain(p); k > 0 {
				c.text(p[:k])
				p = p[k:]
				continue
			}
		}
		if p[0] < utf8.RuneSelf {
			c.rune(rune(p[0]), p[:1])
			p = p[1:]
			continue
		}
		if !utf8.FullRune(p) {
			c.parts = copy(c.part[:], p)
			break
		}
		r, size := utf8.DecodeRune(p)
		c.rune(r, p[:size])
		p = p[size:]
	}
	return n, nil
}

// complete finishes a rune that the last piece cut, and returns the rest.
func (c *Cleaner) complete(p []byte) []byte {
	for c.parts > 0 && len(p) > 0 {
		c.part[c.parts] = p[0]
		p = p[1:]
		c.parts++
		for c.parts > 0 && utf8.FullRune(c.part[:c.parts]) {
			r, size := utf8.DecodeRune(c.part[:c.parts])
			c.rune(r, c.part[:size])
			c.parts = copy(c.part[:], c.part[size:c.parts])
		}
	}
	return p
}

// Take returns the lines that are whole and forgets them.
func (c *Cleaner) Take() string {
	s := string(c.out)
	c.out = c.out[:0]
	return s
}

// Open is the line that is not whole yet, as it looks by now.
func (c *Cleaner) Open() string { return string(c.line()) }

// String is all that was not taken: the whole lines and the open one.
func (c *Cleaner) String() string { return string(c.out) + c.Open() }

// finish treats the end of the stream as the end of everything.
func (c *Cleaner) finish() []byte {
	for i := range c.parts {
		c.rune(utf8.RuneError, c.part[i:i+1])
	}
	c.parts = 0
	return append(c.out, c.line()...)
}

const replacement = "\uFFFD"

// plain counts the bytes that are printable ASCII or TAB.
func plain(p []byte) int {
	for i, b := range p {
		if (b < 0x20 && b != '\t') || b >= 0x7f {
			return i
		}
	}
	return len(p)
}

// text writes bytes that are one rune each.
func (c *Cleaner) text(p []byte) {
	for len(c.right) > 0 && len(p) > 0 {
		c.put(p[:1])
		p = p[1:]
	}
	room := max(0, maxLine-len(c.left))
	if len(p) > room {
		c.lost += len(p) - room
		p = p[:room]
	}
	c.left = append(c.left, p...)
}

// rune takes one character of the stream. raw is how it was written.
func (c *Cleaner) rune(r rune, raw []byte) {
	if r == '\n' {
		c.state = ground
		c.endLine()
		return
	}
	if c.state != ground && (r == 0x18 || r == 0x1a) { // CAN and SUB
		c.state = ground
		return
	}
	switch c.state {
	case ground:
		c.ground(r, raw)
	case escape:
		c.escape(r)
	case charset:
		if r < 0x20 || r > 0x2f {
			c.state = ground
		}
	case csi:
		c.csi(r)
	case str:
		c.str(r, len(raw))
	case strEscape:
		c.state = ground
		if r != '\\' {
			c.escape(r)
		}
	}
}

func (c *Cleaner) ground(r rune, raw []byte) {
	switch {
	case r == 0x1b:
		c.state = escape
	case r == '\r':
		c.home()
	case r == '\b':
		c.back()
	case r == 0, r == utf8.RuneError:
		c.put([]byte(replacement))
	case r == '\t', r >= 0x20 && r < 0x7f, r > 0x9f:
		c.put(raw)
	case r >= 0x80: // C1; DEL and the rest of C0 are dropped
		c.escape(r - 0x40)
	}
}

// escape takes what follows ESC. A C1 control is the same as ESC and a letter.
func (c *Cleaner) escape(r rune) {
	c.length = 0
	switch {
	case r == 0x1b:
		c.state = escape
	case r == '[':
		c.state, c.params = csi, c.params[:0]
	case r == ']', r == 'P', r == 'X', r == '^', r == '_':
		c.state = str
	case r >= 0x20 && r <= 0x2f:
		c.state = charset
	default:
		c.state = ground
	}
}

func (c *Cleaner) csi(r rune) {
	c.length++
	switch {
	case r == 0x1b:
		c.state = escape
	case r >= 0x40 && r <= 0x7e:
		c.state = ground
		c.apply(byte(r))
	case c.length > maxCSI || r > 0x7f:
		c.state = ground
	case r >= 0x20:
		c.params = append(c.params, byte(r))
	}
}

// apply does what a finished CSI sequence does to the line.
func (c *Cleaner) apply(final byte) {
	switch p := string(c.params); {
	case final == 'K' && (p == "" || p == "0"):
		c.right = c.right[:0]
	case final == 'K' && p == "1":
		c.blank()
	case final == 'K' && p == "2":
		c.right = c.right[:0]
		c.blank()
	case final == 'G' && (p == "" || p == "0" || p == "1"):
		c.home()
	}
}

func (c *Cleaner) str(r rune, size int) {
	c.length += size
	switch {
	case r == 0x07, r == 0x9c:
		c.state = ground
	case r == 0x1b:
		c.state = strEscape
	case c.length > maxString:
		c.state = ground
	}
}

// put writes a rune at the cursor, over the one that is there.
func (c *Cleaner) put(raw []byte) {
	if len(c.right) > 0 {
		_, size := utf8.DecodeLastRune(c.right)
		c.right = c.right[:len(c.right)-size]
	}
	if len(c.left)+len(c.right)+len(raw) > maxLine {
		c.lost++
		return
	}
	c.left = append(c.left, raw...)
}

func (c *Cleaner) back() {
	if len(c.left) == 0 {
		return
	}
	_, size := utf8.DecodeLastRune(c.left)
	cut := len(c.left) - size
	c.right = append(c.right, c.left[cut:]...)
	c.left, c.blanks = c.left[:cut], min(c.blanks, cut)
}

func (c *Cleaner) home() {
	if len(c.right) == 0 { // the usual case, without a step for each rune
		c.right = reverse(c.right, c.left)
		c.left, c.blanks = c.left[:0], 0
		return
	}
	for len(c.left) > 0 {
		c.back()
	}
}

// reverse appends the runes of p in reverse order.
func reverse(to, p []byte) []byte {
	for len(p) > 0 {
		_, size := utf8.DecodeLastRune(p)
		to = append(to, p[len(p)-size:]...)
		p = p[:len(p)-size]
	}
	return to
}

// blank erases what stands before the cursor. What it erased before it does not
// touch again, or a line that is erased at every step would cost its square.
func (c *Cleaner) blank() {
	for p := c.left[c.blanks:]; len(p) > 0; c.blanks++ {
		_, size := utf8.DecodeRune(p)
		p = p[size:]
		c.left[c.blanks] = ' ' // never past what p has left
	}
	c.left = c.left[:c.blanks]
	c.erase = true
}

// line is the open line as it looks.
func (c *Cleaner) line() []byte {
	line := c.left
	if len(c.right) > 0 {
		line = reverse(append(make([]byte, 0, len(c.left)+len(c.right)), c.left...), c.right)
	}
	if c.erase {
		line = bytes.TrimRight(line, " ")
	}
	if c.lost > 0 {
		line = append(bytes.Clone(line), omitted(c.lost)...)
	}
	return line
}

func (c *Cleaner) endLine() {
	c.out = append(c.out, c.line()...)
	c.out = append(c.out, '\n')
	c.left, c.right = c.left[:0], c.right[:0]
	c.blanks, c.erase, c.lost = 0, false, 0
}
