package tools

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// MaxLine is how much of one line a tool shows, in bytes.
const MaxLine = 2000

// CutLine shortens a long line, with a mark, at the start of a rune.
func CutLine(line string) string {
	if len(line) <= MaxLine {
		return line
	}
	end := MaxLine
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return fmt.Sprintf("%s… [%d bytes omitted]", line[:end], len(line)-end)
}

// IsBinary says that the beginning of a file looks like no text.
func IsBinary(head []byte) bool {
	const look = 8 << 10
	head = head[:min(len(head), look)]
	if bytes.IndexByte(head, 0) >= 0 {
		return true
	}
	// A rune that the end cuts is no sign.
	for i := 0; i < utf8.UTFMax-1 && len(head) > 0 && !utf8.Valid(head); i++ {
		if utf8.RuneStart(head[len(head)-1]) && head[len(head)-1] < utf8.RuneSelf {
			break
		}
		head = head[:len(head)-1]
	}
	if utf8.Valid(head) {
		return false
	}
	bad := 0
	for b := head; len(b) > 0; {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			bad++
		}
		b = b[size:]
	}
	return bad*10 > len(head) // some old encodings are mostly ASCII
}
