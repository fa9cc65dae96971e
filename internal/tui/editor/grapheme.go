package editor

import (
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Chips live in the text as single characters from the end of the last private
// plane, which no font and no program uses. Text from outside that holds one
// of them gets U+FFFD in its place.
const (
	firstChip = '\U0010F000'
	lastChip  = '\U0010FFFD'
	chipLen   = 4 // bytes of a chip in UTF-8
)

func isChip(r rune) bool { return r >= firstChip && r <= lastChip }

// clusterAt is the length of the grapheme cluster that starts at i, which must
// be a border and not the end. A chip is a cluster of its own, whatever stands
// beside it.
func clusterAt(s string, i int) int {
	s = s[i:]
	if len(s) == 1 || s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf {
		return 1 // two ASCII characters never join; lines hold no CR LF
	}
	if r, n := utf8.DecodeRuneInString(s); isChip(r) {
		return n
	}
	n := len(graphemes.FromString(s).First())
	if n > chipLen { // a chip extends nothing, but what follows it may
		for at, r := range s[:n] {
			if at > 0 && isChip(r) {
				return at
			}
		}
	}
	return n
}

// before is the start of the cluster that ends at i, a border after the start.
func before(s string, i int) int {
	if i >= 2 && s[i-1] < utf8.RuneSelf && s[i-2] < utf8.RuneSelf {
		return i - 1
	}
	at := safeStart(s, i-1)
	for {
		n := clusterAt(s, at)
		if at+n >= i {
			return at
		}
		at += n
	}
}

// snap moves i forward to the nearest border.
func snap(s string, i int) int {
	if i <= 0 || i >= len(s) {
		return min(max(i, 0), len(s))
	}
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	at := safeStart(s, i)
	for at < i {
		at += clusterAt(s, at)
	}
	return at
}

// farBack bounds how far the search for a certain border goes. Only a run of
// more than this many bytes without one, such as hundreds of accents on one
// letter, is cut where no border may be.
const farBack = 4096

// safeStart finds a border at or before i from which clusters can be counted:
// the start of the text, a chip, or a place between two ASCII characters.
func safeStart(s string, i int) int {
	stop := max(0, i-farBack)
	for at := min(i, len(s)-1); at > stop; at-- {
		if s[at] < utf8.RuneSelf && s[at-1] < utf8.RuneSelf {
			return at
		}
		if at <= len(s)-chipLen && s[at] == 0xF4 {
			if r, _ := utf8.DecodeRuneInString(s[at:]); isChip(r) {
				return at
			}
		}
	}
	for stop < len(s) && !utf8.RuneStart(s[stop]) {
		stop++
	}
	return stop
}

// tabStop is how far apart tab stops are, counted from the start of a row.
const tabStop = 4

// cells is how many cells a cluster takes that starts in column col. Nothing
// takes less than one, so that the cursor is seen to move over everything.
func (m *Model) cells(cluster string, col int) int {
	if len(cluster) == 1 {
		if cluster[0] == '\t' {
			return tabStop - col%tabStop
		}
		return 1
	}
	if len(cluster) == chipLen {
		if r, _ := utf8.DecodeRuneInString(cluster); isChip(r) {
			return displaywidth.String(m.chips.label(r))
		}
	}
	return max(1, displaywidth.String(cluster))
}
