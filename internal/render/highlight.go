package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed7484d81d/agent/internal/theme"
)

// maxHighlight is how much code is coloured; more is shown plain.
const maxHighlight = 256 << 10

// highlight splits code into lines of spans: comments, strings, numbers, words
// of the language and calls in colour, if the language is known. It reads what
// is on a line and no grammar: good enough to read by, and fast enough to draw
// while the code still comes in.
func highlight(source, language string, t *theme.Theme) [][]span {
	source = strings.ReplaceAll(source, "\t", "    ")
	l, known := languageOf(language)
	if !known || t.Plain || len(source) > maxHighlight {
		return plainCode(source, t)
	}
	p := painter{lang: l, t: t}
	lines := strings.Split(source, "\n")
	out := make([][]span, len(lines))
	for i, line := range lines {
		p.line(line)
		out[i] = p.out
		p.out = nil
	}
	return out
}

func plainCode(source string, t *theme.Theme) [][]span {
	lines := strings.Split(source, "\n")
	out := make([][]span, len(lines))
	for i, l := range lines {
		if l != "" {
			out[i] = []span{styled(t.Code, clamp(l))}
		}
	}
	return out
}

// painter paints line after line. Inside a comment or a string of several lines
// closing is what ends it.
type painter struct {
	lang    *language
	t       *theme.Theme
	out     []span
	closing string
	inside  theme.Style
}

func (p *painter) add(s theme.Style, text string) {
	if text != "" {
		p.out = append(p.out, styled(s, text))
	}
}

func (p *painter) line(line string) {
	line = clamp(line)
	if p.lang.diff {
		p.diffLine(line)
		return
	}
	for line != "" {
		if p.closing != "" {
			end := strings.Index(line, p.closing)
			if end < 0 {
				p.add(p.inside, line)
				return
			}
			end += len(p.closing)
			p.add(p.inside, line[:end])
			line, p.closing = line[end:], ""
			continue
		}
		line = line[p.token(line):]
	}
}

func (p *painter) diffLine(line string) {
	switch {
	case strings.HasPrefix(line, "+"):
		p.add(p.t.DiffAdd, line)
	case strings.HasPrefix(line, "-"):
		p.add(p.t.DiffDel, line)
	case strings.HasPrefix(line, "@@"):
		p.add(p.t.DiffHunk, line)
	default:
		p.add(p.t.Text, line)
	}
}

// token paints what the line begins with and returns its length.
func (p *painter) token(line string) int {
	s := p.t.Syntax
	for _, c := range p.lang.lineComments {
		if strings.HasPrefix(line, c) && (c != "#" || p.commentStarts()) {
			p.add(s.Comment, line)
			return len(line)
		}
	}
	for _, b := range p.lang.blocks {
		if strings.HasPrefix(line, b.open) {
			p.closing, p.inside = b.close, s.Comment
			if b.text {
				p.inside = s.String
			}
			p.add(p.inside, b.open)
			return len(b.open)
		}
	}
	r, size := utf8.DecodeRuneInString(line)
	switch {
	case strings.ContainsRune(p.lang.quotes, r):
		n := quoted(line, byte(r), p.lang.raw)
		p.add(s.String, line[:n])
		return n
	case r >= '0' && r <= '9':
		n := strings.IndexFunc(line, func(r rune) bool { return !isWord(r) && r != '.' })
		if n < 0 {
			n = len(line)
		}
		p.add(s.Number, line[:n])
		return n
	case isWord(r):
		return p.word(line)
	case p.lang.markup && r == '<':
		return p.tag(line)
	case r == '$' && p.lang.dollar:
		n := 1 + wordLength(line[1:])
		p.add(s.Attribute, line[:n])
		return n
	}
	p.add(p.t.Text, line[:size])
	return size
}

// commentStarts says that a "#" here is not part of a word, such as $#.
func (p *painter) commentStarts() bool {
	if len(p.out) == 0 {
		return true
	}
	last := p.out[len(p.out)-1].text
	return strings.HasSuffix(last, " ") || strings.HasSuffix(last, ";")
}

func (p *painter) word(line string) int {
	n := wordLength(line)
	w, s := line[:n], p.t.Syntax
	name := w
	if p.lang.anyCase {
		name = strings.ToLower(w)
	}
	switch {
	case p.lang.keywords[name]:
		p.add(s.Keyword, w)
	case p.lang.types[name]:
		p.add(s.Type, w)
	case p.lang.constants[name]:
		p.add(s.Constant, w)
	case p.lang.keys && strings.HasPrefix(strings.TrimLeft(line[n:], " "), ":"):
		p.add(s.Attribute, w)
	case p.lang.calls && strings.HasPrefix(line[n:], "("):
		p.add(s.Function, w)
	default:
		p.add(p.t.Text, w)
	}
	return n
}

// tag paints "<name" and the attributes up to ">".
func (p *painter) tag(line string) int {
	n := 1 + strings.IndexFunc(line[1:]+" ", func(r rune) bool { return !isWord(r) && r != '/' && r != '!' && r != '-' && r != ':' })
	n = min(n, len(line))
	p.add(p.t.Syntax.Tag, line[:n])
	return n
}

// quoted is the length of a string that begins a line. A string ends with its
// line unless the language says otherwise.
func quoted(line string, quote byte, raw string) int {
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && strings.IndexByte(raw, quote) < 0:
			i++
		case line[i] == quote:
			return i + 1
		}
	}
	return len(line)
}

func isWord(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && unicode.IsLetter(r)
}

func wordLength(s string) int {
	if n := strings.IndexFunc(s, func(r rune) bool { return !isWord(r) }); n >= 0 {
		return n
	}
	return len(s)
}
