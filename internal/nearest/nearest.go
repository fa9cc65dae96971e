// Package nearest finds the known name that a mistyped one was probably meant
// to be, for messages such as `did you mean "virtualTerminal"?`.
package nearest

import "strings"

// Of returns the name in known that is closest to word, or "" if none is close
// enough to be worth mentioning. Case does not count. Of several equally close
// names one of the same length wins, else the first.
func Of(word string, known []string) string {
	best, bestAt := "", limit(word)+1
	for _, k := range known {
		d := distance(strings.ToLower(word), strings.ToLower(k))
		if d < bestAt || d == bestAt && best != "" && len(k) == len(word) && len(best) != len(word) {
			best, bestAt = k, d
		}
	}
	return best
}

// Suggest is ", did you mean …?" with the closest name, or "" if there is none.
func Suggest(word string, known []string) string {
	if n := Of(word, known); n != "" {
		return `; did you mean "` + n + `"?`
	}
	return ""
}

// limit is how many edits apart two names may be: a third of the letters.
func limit(word string) int { return max(1, len([]rune(word))/3) }

// distance counts the insertions, deletions, replacements and swaps of
// neighbours between two words (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}
