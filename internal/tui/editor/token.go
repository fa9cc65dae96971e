package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestWord bounds how far back the start of a word is looked for.
const longestWord = 4096

// head is the part of the cursor's line before it, as far as a word may reach,
// and where it starts.
func (m *Model) head() (s string, start int) {
	s = m.text.at(m.cursor.line)[:m.cursor.col]
	if len(s) > longestWord {
		start = snap(s, len(s)-longestWord)
	}
	return s[start:], start
}

// offered is what is completed without being asked: files after "@", commands
// and their arguments. Nothing is offered while a shell line is written.
func (m *Model) offered() (token, bool) {
	if m.bang() != notBang {
		return token{}, false
	}
	if tok, ok := m.commandToken(); ok {
		return tok, true
	}
	return m.fileToken()
}

// tabbed is what Tab completes.
func (m *Model) tabbed() (token, bool) {
	if m.bang() != notBang {
		return m.shellToken()
	}
	if tok, ok := m.offered(); ok {
		return tok, true
	}
	s, start := m.head()
	at := lastSpace(s)
	if at == len(s) {
		return token{}, false
	}
	return token{
		Query: Query{Subject: Paths, Prefix: s[at:]},
		from:  pos{m.cursor.line, start + at},
		quote: inQuotes,
	}, true
}

// commandToken is "/name" at the start of the text, or a word after it.
func (m *Model) commandToken() (token, bool) {
	s, start := m.head()
	if m.cursor.line != 0 || start != 0 || !strings.HasPrefix(s, "/") {
		return token{}, false
	}
	name, _, more := strings.Cut(s[1:], " ")
	if strings.ContainsFunc(name, notInName) {
		return token{}, false
	}
	if !more {
		return token{Query: Query{Subject: Commands, Prefix: name}, from: pos{0, 1}}, true
	}
	at := lastSpace(s)
	if strings.HasPrefix(s[at:], "@") {
		return token{}, false
	}
	return token{Query: Query{Subject: Arguments, Prefix: s[at:], Command: name}, from: pos{0, at}}, true
}

// notInName says that a character cannot be part of a command's name. A second
// slash makes it a path.
func notInName(r rune) bool {
	return r != '-' && r != '_' && r != ':' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// fileToken is "@name" or `@"name with spaces`, at the start of a word.
func (m *Model) fileToken() (token, bool) {
	s, start := m.head()
	tok := token{Query: Query{Subject: Files}, quote: inQuotes}
	if i := strings.LastIndex(s, `@"`); i >= 0 && opens(s, i) && !strings.Contains(s[i+2:], `"`) {
		tok.Prefix, tok.from = s[i+2:], pos{m.cursor.line, start + i + 1}
		return tok, true
	}
	at := lastSpace(s)
	i := strings.LastIndex(s[at:], "@")
	if i < 0 || !opens(s, at+i) {
		return token{}, false
	}
	tok.Prefix, tok.from = s[at+i+1:], pos{m.cursor.line, start + at + i + 1}
	return tok, !strings.ContainsFunc(tok.Prefix, isChip)
}

// opens says that a mention may start at i: not inside a word, as in an
// address.
func opens(s string, i int) bool {
	return i == 0 || strings.ContainsRune(" \t([{<'\"`,:;=", rune(s[i-1]))
}

// shellToken is the word of a shell line before the cursor.
func (m *Model) shellToken() (token, bool) {
	s, start := m.head()
	begin := 0
	if m.cursor.line == 0 && start == 0 {
		begin = min(len(s), len(m.bang().prefix()))
	}
	at, first := lastShellWord(s, begin)
	prefix := unescape(s[at:])
	if prefix == "" && first || strings.ContainsFunc(prefix, isChip) {
		return token{}, false
	}
	subject := Paths
	if first && !strings.Contains(prefix, "/") && !strings.HasPrefix(prefix, "~") {
		subject = Programs
	}
	return token{
		Query: Query{Subject: subject, Prefix: prefix},
		from:  pos{m.cursor.line, start + at},
		quote: escaped,
	}, true
}

// lastShellWord is where the last word starts, and whether it is the first of
// its command. It reads what a person types in one line: backslashes count,
// quotes do not.
func lastShellWord(s string, begin int) (at int, first bool) {
	at, first = begin, true
	for i := begin; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ' ', '\t':
			if i > at {
				first = false
			}
			at = i + 1
		case '|', ';', '&', '(':
			at, first = i+1, true
		case '>', '<', '=':
			at, first = i+1, false
		}
	}
	return min(at, len(s)), first
}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// lastSpace is where the last word of s starts.
func lastSpace(s string) int {
	i := strings.LastIndexFunc(s, unicode.IsSpace)
	if i < 0 {
		return 0
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return i + n
}
