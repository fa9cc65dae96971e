package dialog

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/seed7484d81d/agent/internal/keymap"
)

// field is one line that can be typed: the characters left and right of the
// cursor.
type field struct {
	left, right []string // grapheme clusters, both in the order of reading
}

func (f *field) text() string { return strings.Join(f.left, "") + strings.Join(f.right, "") }

func (f *field) empty() bool { return len(f.left)+len(f.right) == 0 }

// insert puts text at the cursor, without line ends and control characters.
func (f *field) insert(s string) {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		default:
			return r
		}
	}, strings.ToValidUTF8(s, "\uFFFD"))
	// What is typed may join the character before it, as accents do.
	before := strings.Join(f.left, "") + s
	f.left, f.right = clusters(before), clusters(strings.Join(f.right, ""))
}

func clusters(s string) []string {
	var all []string
	for g := graphemes.FromString(s); g.Next(); {
		all = append(all, g.Value())
	}
	return all
}

func firstCluster(s string) string { return graphemes.FromString(s).First() }

// handleKey does what a key means in one line and says whether it did.
func (f *field) handleKey(keys *keymap.Map, k tea.KeyPressMsg) bool {
	for _, a := range keys.Actions(k.String()) {
		if f.edit(a) {
			return true
		}
	}
	if k.Text == "" || k.Mod.Contains(tea.ModCtrl) || k.Mod.Contains(tea.ModAlt) {
		return false
	}
	f.insert(k.Text)
	return true
}

func (f *field) edit(a keymap.Action) bool {
	switch a {
	case keymap.Left:
		f.move(len(f.left) - 1)
	case keymap.Right:
		f.move(len(f.left) + 1)
	case keymap.WordLeft:
		f.move(f.word())
	case keymap.LineStart:
		f.move(0)
	case keymap.LineEnd:
		f.move(len(f.left) + len(f.right))
	case keymap.DeleteBack:
		f.left = f.left[:max(0, len(f.left)-1)]
	case keymap.DeleteForward, keymap.QuitIfEmpty:
		f.right = f.right[min(1, len(f.right)):]
	case keymap.DeleteWordBack:
		f.left = f.left[:f.word()]
	case keymap.KillToStart:
		f.left = nil
	case keymap.KillToEnd:
		f.right = nil
	default:
		return false
	}
	return true
}

// move puts the cursor behind n characters.
func (f *field) move(n int) {
	all := append(append([]string(nil), f.left...), f.right...)
	n = max(0, min(n, len(all)))
	f.left, f.right = all[:n:n], all[n:]
}

// word is where the word before the cursor starts.
func (f *field) word() int {
	n := len(f.left)
	for n > 0 && f.left[n-1] == " " {
		n--
	}
	for n > 0 && f.left[n-1] != " " {
		n--
	}
	return n
}

// view is the part of the line around the cursor that fits into width cells,
// and the cell of the cursor. With mask, every character is that.
func (f *field) view(width int, mask string) (s string, x int) {
	if width <= 0 {
		return "", 0
	}
	show := func(c string) string {
		if mask != "" {
			return mask
		}
		if displaywidth.String(c) == 0 {
			return "·"
		}
		return c
	}
	// The cursor itself takes a cell.
	from := len(f.left)
	for from > 0 && x+displaywidth.String(show(f.left[from-1])) <= width-1 {
		from--
		x += displaywidth.String(show(f.left[from]))
	}
	var b strings.Builder
	for _, c := range f.left[from:] {
		b.WriteString(show(c))
	}
	room := width - x
	for _, c := range f.right {
		if room -= displaywidth.String(show(c)); room < 0 {
			break
		}
		b.WriteString(show(c))
	}
	return b.String(), x
}
