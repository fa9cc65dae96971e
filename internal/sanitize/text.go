package sanitize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// ForModel is a text as a model may get it and a session may store it.
func ForModel(s string) string {
	if clean(s) {
		return s
	}
	return string(Clean([]byte(s)))
}

// ForScreen is a text as a screen may draw it: as ForModel, and without the
// marks that would reorder what stands around it.
func ForScreen(s string) string {
	s = ForModel(s)
	if strings.IndexFunc(s, reorders) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if reorders(r) {
			return -1
		}
		return r
	}, s)
}

// clean says that a text has nothing to be cleaned.
func clean(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b < 0x20 && b != '\n' && b != '\t' || b == 0x7f || b == 0xc2 {
			return false // 0xc2 begins the C1 controls
		}
	}
	return utf8.ValidString(s)
}

// reorders says that a character embeds, overrides or isolates a direction.
func reorders(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// ForApproval shows a text before somebody decides about it: nothing in it is
// left out, hidden or reordered. Line feeds stay; every other control, every
// invisible or reordering character and every space that is not a plain one is
// written as its code, such as \x1b or \u202e.
func ForApproval(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n' || r == ' ':
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp, unicode.Co, unicode.Variation_Selector) || r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0:
			fmt.Fprintf(&b, escapeFormat(r), r)
		default:
			b.WriteRune(r)
		}
		i += size
	}
	return b.String()
}

func escapeFormat(r rune) string {
	if r > 0xffff {
		return `\U%08x`
	}
	return `\u%04x`
}

// OneLine is a text as a title or a header: cleaned, and its lines in one row.
func OneLine(s string) string {
	s = strings.Trim(ForScreen(s), "\n\t ")
	if !strings.ContainsAny(s, "\n\t") {
		return s
	}
	lines := strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
	for i, l := range lines {
		lines[i] = strings.TrimSpace(strings.ReplaceAll(l, "\t", " "))
	}
	return strings.Join(lines, " ⏎ ")
}

// ExpandTabs replaces the tabs of one line by spaces up to the next multiple of
// width cells.
func ExpandTabs(line string, width int) string {
	if width < 1 || !strings.Contains(line, "\t") {
		return line
	}
	var b strings.Builder
	col := 0
	for i, part := range strings.Split(line, "\t") {
		if i > 0 {
			n := width - col%width
			b.WriteString(strings.Repeat(" ", n))
			col += n
		}
		b.WriteString(part)
		col += displaywidth.String(part)
	}
	return b.String()
}

// omitted is the mark for characters that were left out of a line.
func omitted(n int) string { return fmt.Sprintf("… [%d chars omitted]", n) }
