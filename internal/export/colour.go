package export

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/seed7484d81d/agent/internal/sanitize"
)

// coloured draws a text with SGR sequences (ECMA-48 8.3.117). Other sequences
// are left out.
func coloured(text string) template.HTML {
	var b strings.Builder
	var p pen
	for len(text) > 0 {
		at := strings.Index(text, "\x1b[")
		if at < 0 {
			at = len(text)
		}
		p.write(&b, text[:at])
		if text = text[at:]; text == "" {
			break
		}
		text = text[len("\x1b["):]
		end := strings.IndexFunc(text, func(r rune) bool { return r < 0x20 || r >= 0x40 })
		if end < 0 {
			break
		}
		if text[end] == 'm' {
			p.apply(text[:end])
		}
		if text[end] >= 0x40 && text[end] < 0x7f {
			end++
		}
		text = text[end:]
	}
	return template.HTML(b.String()) //nolint:gosec // every piece is escaped
}

// pen is how text looks.
type pen struct {
	fg, bg                                 string // CSS colours
	bold, faint, italic, line, turn, cross bool
}

func (p *pen) write(b *strings.Builder, text string) {
	text = template.HTMLEscapeString(sanitize.ForScreen(text))
	if style := p.style(); style != "" && text != "" {
		text = `<span style="` + style + `">` + text + "</span>"
	}
	b.WriteString(text)
}

func (p *pen) style() string {
	fg, bg := p.fg, p.bg
	if p.turn {
		if fg == "" {
			fg = "var(--text)"
		}
		if bg == "" {
			bg = "var(--page)"
		}
		fg, bg = bg, fg
	}
	var s []string
	add := func(on bool, css string) {
		if on {
			s = append(s, css)
		}
	}
	add(fg != "", "color:"+fg)
	add(bg != "", "background:"+bg)
	add(p.bold, "font-weight:bold")
	add(p.faint, "opacity:.7")
	add(p.italic, "font-style:italic")
	add(p.line, "text-decoration:underline")
	add(p.cross, "text-decoration:line-through")
	return strings.Join(s, ";")
}

func (p *pen) apply(params string) {
	list := strings.FieldsFunc(params, func(r rune) bool { return r == ';' || r == ':' })
	if len(list) == 0 {
		*p = pen{}
	}
	for i := 0; i < len(list); i++ {
		n, err := strconv.Atoi(list[i])
		if err != nil {
			return
		}
		switch n {
		case 0:
			*p = pen{}
		case 38, 48:
			c, used := colour(list[i+1:])
			i += used
			if n == 38 {
				p.fg = c
			} else {
				p.bg = c
			}
		default:
			p.one(n)
		}
	}
}

func (p *pen) one(n int) {
	switch n {
	case 1:
		p.bold = true
	case 2:
		p.faint = true
	case 3:
		p.italic = true
	case 4:
		p.line = true
	case 7:
		p.turn = true
	case 9:
		p.cross = true
	case 22:
		p.bold, p.faint = false, false
	case 23:
		p.italic = false
	case 24:
		p.line = false
	case 27:
		p.turn = false
	case 29:
		p.cross = false
	case 39:
		p.fg = ""
	case 49:
		p.bg = ""
	default:
		p.named(n)
	}
}

// named is one of the sixteen colours that have a number of their own.
func (p *pen) named(n int) {
	const bright = 8
	switch {
	case n >= 30 && n <= 37:
		p.fg = palette(n - 30)
	case n >= 40 && n <= 47:
		p.bg = palette(n - 40)
	case n >= 90 && n <= 97:
		p.fg = palette(n - 90 + bright)
	case n >= 100 && n <= 107:
		p.bg = palette(n - 100 + bright)
	}
}

// colour reads "5;N" and "2;R;G;B" and says how many fields that took.
func colour(f []string) (css string, used int) {
	numbers := make([]int, 0, 4)
	for _, s := range f[:min(len(f), 4)] {
		n, err := strconv.Atoi(s)
		if err != nil || n < 0 || n > 255 {
			break
		}
		numbers = append(numbers, n)
	}
	switch {
	case len(numbers) >= 2 && numbers[0] == 5:
		return palette(numbers[1]), 2
	case len(numbers) == 4 && numbers[0] == 2:
		return fmt.Sprintf("#%02x%02x%02x", numbers[1], numbers[2], numbers[3]), 4
	default:
		return "", len(numbers)
	}
}

// palette is a colour of xterm's 256. The first 16 are the page's own, which
// are readable on its background.
func palette(n int) string {
	switch {
	case n < 16:
		return fmt.Sprintf("var(--c%d)", n)
	case n < 232:
		step := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return fmt.Sprintf("#%02x%02x%02x", step(n/36), step(n/6%6), step(n%6))
	default:
		v := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", v, v, v)
	}
}
