package editor

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed7484d81d/agent/internal/chat"
)

// From these sizes on, pasted text becomes a chip.
const (
	chipLines = 9
	chipBytes = 1025
)

// chip stands in the text for something that was pasted.
type chip struct {
	label string
	text  string      // what leaves the editor in its place
	image *chat.Image // or a picture, with the label as its text
}

// chips holds all that were made. They are kept as long as the editor: undo,
// the kill ring and a cleared draft may bring one back.
type chips struct {
	list  []chip
	texts int // how many hold text
}

// add makes a chip; ok is false when there are too many.
func (c *chips) add(x chip) (r rune, ok bool) {
	if len(c.list) > lastChip-firstChip {
		return 0, false
	}
	c.list = append(c.list, x)
	return firstChip + rune(len(c.list)-1), true
}

func (c *chips) addText(s string) (r rune, ok bool) {
	what := fmt.Sprintf("+%d lines", strings.Count(strings.TrimSuffix(s, "\n"), "\n")+1)
	if !strings.Contains(strings.TrimSuffix(s, "\n"), "\n") {
		what = fmt.Sprintf("%d characters", utf8.RuneCountInString(s))
	}
	c.texts++
	return c.add(chip{label: fmt.Sprintf("[Pasted #%d %s]", c.texts, what), text: s})
}

func (c *chips) addImage(img chat.Image) (r rune, ok bool) {
	label := fmt.Sprintf("[Image #%d]", len(c.list)-c.texts+1)
	return c.add(chip{label: label, text: label, image: &img})
}

func (c *chips) get(r rune) (chip, bool) {
	if !isChip(r) || int(r-firstChip) >= len(c.list) {
		return chip{}, false
	}
	return c.list[r-firstChip], true
}

func (c *chips) label(r rune) string {
	if x, ok := c.get(r); ok {
		return x.label
	}
	return string(utf8.RuneError)
}

// labelled is a text with the label of every chip in its place.
func (c *chips) labelled(s string) string {
	var b strings.Builder
	for _, r := range s {
		if isChip(r) {
			b.WriteString(c.label(r))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// expand puts what was pasted in the place of every chip, and lists the
// pictures in the order in which they stand.
func (c *chips) expand(s string) (string, []chat.Image) {
	if len(c.list) == 0 {
		return s, nil
	}
	var b strings.Builder
	var images []chat.Image
	for {
		i := strings.IndexFunc(s, isChip)
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		r, n := utf8.DecodeRuneInString(s[i:])
		s = s[i+n:]
		if x, ok := c.get(r); ok {
			b.WriteString(x.text)
			if x.image != nil {
				images = append(images, *x.image)
			}
		}
	}
	b.WriteString(s)
	return b.String(), images
}

// restore puts the pictures that stood in old back to where their labels are.
func (c *chips) restore(s, old string) string {
	for _, r := range old {
		if x, ok := c.get(r); ok && x.image != nil {
			s = strings.Replace(s, x.label, string(r), 1)
		}
	}
	return s
}

// clean makes text from outside fit to stand in the editor: lines end with a
// newline, tabs stay, the characters of an escape sequence stay as they read
// without the control characters around them, and what cannot be shown or
// would be taken for a chip becomes U+FFFD.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r < ' ' || r >= 0x7f && r < 0xa0:
			return -1
		case isChip(r):
			return utf8.RuneError
		default:
			return r // Map hands invalid bytes over as U+FFFD
		}
	}, s)
}

// isClean is the common case, without a copy.
func isClean(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}
