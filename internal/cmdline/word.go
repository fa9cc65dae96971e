package cmdline

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word finds the value of a word, if it is known.
func (l *Line) word(w *syntax.Word) Word {
	source := Word{Text: l.slice(offset(w.Pos()), offset(w.End()))}
	var b strings.Builder
	tilde := false
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			text, known := unescape(p.Value)
			if !known {
				return source
			}
			tilde = tilde || i == 0 && strings.HasPrefix(p.Value, "~")
			b.WriteString(text)
		case *syntax.SglQuoted:
			text, known := single(p)
			if !known {
				return source
			}
			b.WriteString(text)
		case *syntax.DblQuoted:
			text, known := double(p)
			if !known {
				return source
			}
			b.WriteString(text)
		default:
			return source
		}
	}
	return Word{Text: b.String(), Literal: true, Tilde: tilde}
}

// unescape reads unquoted text. A glob or a brace list is not known: what it
// becomes depends on the files.
func unescape(s string) (string, bool) {
	if strings.ContainsAny(s, "*?[") && hasBare(s, "*?[") {
		return "", false
	}
	if hasBare(s, "{") && (hasBare(s, ",") || strings.Contains(s, "..")) {
		return "", false
	}
	return dropBackslashes(s, ""), true
}

// hasBare says whether one of the characters stands in s without a backslash.
func hasBare(s, chars string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		if strings.IndexByte(chars, s[i]) >= 0 {
			return true
		}
	}
	return false
}

// dropBackslashes removes the backslashes that quote: all of them, or those
// before one of the characters in only. A backslash and a newline are nothing.
func dropBackslashes(s, only string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		next := s[i+1]
		switch {
		case next == '\n':
			i++
		case only == "" || strings.IndexByte(only, next) >= 0:
			b.WriteByte(next)
			i++
		default:
			b.WriteByte('\\')
		}
	}
	return b.String()
}

// single reads '…', and $'…' if it holds no escapes.
func single(q *syntax.SglQuoted) (string, bool) {
	if q.Dollar && strings.Contains(q.Value, `\`) {
		return "", false
	}
	return q.Value, true
}

// double reads "…" without anything that expands.
func double(q *syntax.DblQuoted) (string, bool) {
	if q.Dollar {
		return "", false // translated by the locale
	}
	var b strings.Builder
	for _, p := range q.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			return "", false
		}
		b.WriteString(dropBackslashes(lit.Value, "$`\"\\"))
	}
	return b.String(), true
}
