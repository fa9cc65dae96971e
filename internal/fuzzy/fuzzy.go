// Package fuzzy finds and ranks what a person meant by a few letters: "edgo"
// finds "internal/editor.go". It compares text and nothing else; where the
// text comes from and how a match is drawn is the caller's business.
package fuzzy

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Match is how a text fits a query.
type Match struct {
	// Index is where the text stands in the list that was ranked.
	Index int
	// Score orders matches, higher is better. It means nothing by itself.
	Score int
	// At holds the byte offsets of the characters that matched, ascending.
	At []int
}

// Rank returns the best matches among n texts, best first, at most limit of
// them (0: all). An empty query matches everything in the given order. Equal
// scores keep the given order.
func Rank(query string, n int, text func(i int) string, limit int) []Match {
	words := strings.Fields(query)
	var found []Match
	for i := range n {
		if len(words) == 0 {
			if limit > 0 && len(found) == limit {
				break
			}
			found = append(found, Match{Index: i})
			continue
		}
		if m, ok := matchAll(words, text(i)); ok {
			m.Index = i
			found = append(found, m)
		}
	}
	if len(words) > 0 {
		slices.SortStableFunc(found, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	}
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found
}

// Find says whether the characters of every word of the query occur in text in
// their order. Case counts only for words that hold a capital.
func Find(query, text string) (Match, bool) { return matchAll(strings.Fields(query), text) }

func matchAll(words []string, text string) (Match, bool) {
	var all Match
	for _, w := range words {
		m, ok := match(w, text)
		if !ok {
			return Match{}, false
		}
		all.Score += m.Score
		all.At = append(all.At, m.At...)
	}
	if len(words) > 1 {
		slices.Sort(all.At)
		all.At = slices.Compact(all.At)
	}
	return all, true
}

// The weights. A character at the start of a word is worth more than one in a
// row with its neighbour, a row more than scattered letters, and of two texts
// that match alike the shorter one wins.
const (
	perChar    = 16
	wordStart  = 12
	inRow      = 8
	whole      = 40
	gapPenalty = 2
	maxGap     = 12
	maxLength  = 15
)

// match finds the shortest stretch that ends at the first possible place, as
// people look for it: forward to know that it is there, then back from its end
// to take the letters that stand close together.
func match(word, text string) (Match, bool) {
	fold := !strings.ContainsFunc(word, unicode.IsUpper)
	end, ok := forward(word, text, fold)
	if !ok {
		return Match{}, false
	}
	best := Match{At: backward(word, text[:end], fold)}
	best.Score = score(best.At, word, text, fold)
	// In a path the file's own name counts more, though it comes later.
	base := strings.LastIndexByte(strings.TrimRight(text, "/"), '/') + 1
	if base == 0 {
		best.Score += wordStart
		return best, true
	}
	end, ok = forward(word, text[base:], fold)
	if !ok {
		return best, true
	}
	at := backward(word, text[base:base+end], fold)
	for i := range at {
		at[i] += base
	}
	if s := score(at, word, text, fold) + wordStart; s > best.Score {
		best = Match{At: at, Score: s}
	}
	return best, true
}

// forward returns the end of the first stretch that holds the word's letters.
func forward(word, text string, fold bool) (end int, ok bool) {
	w, n := utf8.DecodeRuneInString(word)
	for i, r := range text {
		if !same(w, r, fold) {
			continue
		}
		word = word[n:]
		if word == "" {
			return i + runeLen(text[i:]), true
		}
		w, n = utf8.DecodeRuneInString(word)
	}
	return 0, false
}

// backward takes the word's letters from the end of a stretch that holds them.
func backward(word, text string, fold bool) []int {
	at := make([]int, 0, len(word))
	for word != "" && text != "" {
		w, n := utf8.DecodeLastRuneInString(word)
		r, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
		if same(w, r, fold) {
			at = append(at, len(text))
			word = word[:len(word)-n]
		}
	}
	slices.Reverse(at)
	return at
}

func score(at []int, word, text string, fold bool) int {
	s := 0
	for i, pos := range at {
		s += perChar
		if starts(text, pos) {
			s += wordStart
		}
		if i == 0 {
			continue
		}
		last := at[i-1]
		if gap := pos - last - runeLen(text[last:]); gap == 0 {
			s += inRow
		} else {
			s -= min(gap, maxGap) * gapPenalty
		}
	}
	if text == word || fold && strings.EqualFold(text, word) {
		s += whole
	}
	return s - min(len(text)/8, maxLength)
}

// starts says that a word begins at i: after a separator, or as a capital
// after a small letter.
func starts(text string, i int) bool {
	if i == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	here, _ := utf8.DecodeRuneInString(text[i:])
	if !unicode.IsLetter(before) && !unicode.IsDigit(before) {
		return true
	}
	return unicode.IsUpper(here) && unicode.IsLower(before)
}

func same(want, have rune, fold bool) bool {
	return want == have || fold && want == unicode.ToLower(have)
}

func runeLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}
