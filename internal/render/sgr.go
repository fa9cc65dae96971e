package render

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// sgrPen is the style that a program has switched on so far, kept in one
// canonical form: a thousand colour changes leave no longer sequence than one.
// Blinking and hidden text are not taken over.
type sgrPen struct {
	attrs      uint8 // bit n is SGR attribute n, for bold, faint, italic, underline, reverse, strike
	fg, bg, ul string
	link       string
	open       string // what switches it on, "" for the plain pen
}

// attrBit maps SGR attributes to bits; 0 for those that are ignored.
func attrBit(n int) uint8 {
	switch n {
	case 1, 2, 3, 4, 7:
		return 1 << n
	case 9:
		return 1
	}
	return 0
}

// spans reads one line with SGR sequences and OSC 8 links into styled text on
// top of the style base, tabs expanded. Every other sequence and control
// character is left out. The pen carries over to the next line.
func (p *sgrPen) spans(line, base string) []span {
	if line == "" {
		return nil
	}
	if isASCII(line) {
		return []span{{open: base + p.open, link: p.link, text: line}}
	}
	var out []span
	col := 0
	emit := func(text string) {
		if text != "" {
			out = append(out, span{open: base + p.open, link: p.link, text: text})
			col += textWidth(text)
		}
	}
	for line != "" {
		i := strings.IndexFunc(line, isControl)
		if i < 0 {
			emit(line)
			break
		}
		emit(line[:i])
		switch line = line[i:]; line[0] {
		case '\t':
			n := tabStop - col%tabStop
			emit(strings.Repeat(" ", n))
			line = line[1:]
		case 0x1b:
			line = line[p.escape(line):]
		default:
			_, n := utf8.DecodeRuneInString(line)
			line = line[n:]
		}
	}
	return out
}

func isControl(r rune) bool {
	return r < 0x20 || r >= 0x7f && r < 0xa0 || r == utf8.RuneError
}

// escape applies the sequence that s starts with and returns its length.
func (p *sgrPen) escape(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	switch s[1] {
	case '[':
		end := strings.IndexFunc(s[2:], func(r rune) bool { return r < 0x20 || r >= 0x40 })
		if end < 0 {
			return len(s)
		}
		if s[2+end] == 'm' {
			p.sgr(s[2 : 2+end])
		}
		if s[2+end] < 0x20 || s[2+end] >= 0x80 {
			return 2 + end
		}
		return 3 + end
	case ']':
		end, n := strings.Index(s, "\x1b\\"), 2
		if bel := strings.IndexByte(s, 7); bel >= 0 && (end < 0 || bel < end) {
			end, n = bel, 1
		}
		if end < 0 {
			return len(s)
		}
		if body, ok := strings.CutPrefix(s[2:end], "8;"); ok {
			_, url, _ := strings.Cut(body, ";")
			p.link = safeURL(url)
		}
		return end + n
	}
	return 1
}

func (p *sgrPen) sgr(params string) {
	fields := strings.Split(params, ";")
	for len(fields) > 0 {
		fields = fields[p.param(fields):]
	}
	p.open = p.sequence()
}

// param applies the first parameter and says how many it used.
func (p *sgrPen) param(f []string) int {
	head, sub, _ := strings.Cut(f[0], ":")
	n, err := strconv.Atoi(head)
	if head != "" && err != nil {
		return 1
	}
	switch {
	case n == 0:
		*p = sgrPen{link: p.link}
	case n == 4 && sub == "0":
		p.attrs &^= attrBit(4)
	case attrBit(n) != 0:
		p.attrs |= attrBit(n)
	case n == 21: // doubly underlined
		p.attrs |= attrBit(4)
	case n == 22:
		p.attrs &^= attrBit(1) | attrBit(2)
	case n >= 23 && n <= 29:
		p.attrs &^= attrBit(n - 20)
	case n >= 30 && n <= 37, n >= 90 && n <= 97:
		p.fg = head
	case n >= 40 && n <= 47, n >= 100 && n <= 107:
		p.bg = head
	case n == 39:
		p.fg = ""
	case n == 49:
		p.bg = ""
	case n == 59:
		p.ul = ""
	case n == 38 || n == 48 || n == 58:
		c, used := colour(f)
		switch {
		case c == "":
		case n == 38:
			p.fg = c
		case n == 48:
			p.bg = c
		default:
			p.ul = c
		}
		return used
	}
	return 1
}

// colour reads "38;5;N", "38;2;R;G;B" and their forms with colons into the form
// with semicolons, and says how many fields that took. A broken one is "".
func colour(f []string) (string, int) {
	parts, used := f, 1
	if strings.Contains(f[0], ":") {
		parts = strings.Split(f[0], ":")
		if len(parts) == 6 && parts[1] == "2" { // 38:2:<space>:R:G:B
			parts = append(parts[:2:2], parts[3:]...)
		}
	} else if len(f) > 1 {
		used = map[string]int{"5": 3, "2": 5}[f[1]]
		if used == 0 {
			return "", 2
		}
		if len(f) < used {
			return "", len(f)
		}
		parts = f[:used]
	}
	if len(parts) < 3 {
		return "", used
	}
	want := map[string]int{"5": 3, "2": 5}[parts[1]]
	if want == 0 || len(parts) < want {
		return "", used
	}
	for _, v := range parts[2:want] {
		if n, err := strconv.Atoi(v); err != nil || n < 0 || n > 255 {
			return "", used
		}
	}
	return strings.Join(parts[:want], ";"), used
}

func (p *sgrPen) sequence() string {
	var parts []string
	for _, n := range []int{1, 2, 3, 4, 7, 9} {
		if p.attrs&attrBit(n) != 0 {
			parts = append(parts, strconv.Itoa(n))
		}
	}
	for _, c := range []string{p.fg, p.bg, p.ul} {
		if c != "" {
			parts = append(parts, c)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(parts, ";") + "m"
}
