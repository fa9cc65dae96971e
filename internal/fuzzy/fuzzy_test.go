package fuzzy_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed7484d81d/agent/internal/fuzzy"
)

func TestTheBestMatchComesFirst(t *testing.T) {
	for _, tt := range []struct {
		query string
		texts []string
		want  string // in order, matched characters in brackets
	}{
		{"ed", []string{"red", "editor", "made"}, "[ed]itor r[ed]"},
		{"edgo", []string{"internal/editor.go", "docs/eroded/goal.md"}, "internal/[ed]itor.[go]"},
		{"key", []string{"internal/keymap/map.go", "internal/tui/key.go"}, "internal/tui/[key].go internal/[key]map/map.go"},
		{"ma", []string{"src/main.go", "make.sh"}, "[ma]ke.sh src/[ma]in.go"},
		{"nm", []string{"nearestMatch", "anymap"}, "[n]earest[M]atch a[n]y[m]ap"},
		{"model", []string{"remodel", "models", "model"}, "[model] [model]s re[model]"},
		{"README", []string{"readme.md", "README.md"}, "[README].md"},
		{"readme", []string{"readme.md", "README.md"}, "[readme].md [README].md"},
		{"go int", []string{"int.go", "go.mod"}, "[int].[go]"},
		{"日", []string{"今日", "日本", "本"}, "[日]本 今[日]"},
		{"", []string{"b", "a"}, "b a"},
		{"zz", []string{"a"}, ""},
	} {
		got := make([]string, 0, len(tt.texts))
		for _, m := range fuzzy.Rank(tt.query, len(tt.texts), func(i int) string { return tt.texts[i] }, 0) {
			got = append(got, mark(tt.texts[m.Index], m.At))
		}
		if s := strings.Join(got, " "); s != tt.want && !strings.HasPrefix(s, tt.want+" ") {
			t.Errorf("Rank(%q, %q)\n got %s\nwant %s", tt.query, tt.texts, s, tt.want)
		}
	}
}

func TestRankStopsAtTheLimit(t *testing.T) {
	text := func(i int) string { return fmt.Sprint("file", i) }
	for _, query := range []string{"", "file"} {
		if got := fuzzy.Rank(query, 1000, text, 7); len(got) != 7 || got[0].Index != 0 {
			t.Errorf("Rank(%q) = %v", query, got)
		}
	}
}

func mark(text string, at []int) string {
	var b strings.Builder
	open := false
	for i, r := range text {
		if hit := has(at, i); hit != open {
			b.WriteByte("]["[btoi(hit)])
			open = hit
		}
		b.WriteRune(r)
	}
	if open {
		b.WriteByte(']')
	}
	return b.String()
}

func has(at []int, i int) bool {
	for _, x := range at {
		if x == i {
			return true
		}
	}
	return false
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func FuzzMatchesAreTheLettersOfTheQuery(f *testing.F) {
	f.Add("edgo", "internal/editor.go")
	f.Add("a\xff", "\xffa\xff")
	f.Add("é", "e\u0301é/é")
	f.Fuzz(func(t *testing.T, query, text string) {
		m, ok := fuzzy.Find(query, text)
		if !ok {
			return
		}
		last := -1
		for _, i := range m.At {
			if i <= last || i >= len(text) {
				t.Fatalf("offsets %v of %q in %q are not ascending", m.At, query, text)
			}
			if utf8.ValidString(text) && !utf8.RuneStart(text[i]) {
				t.Fatalf("offset %d of %q is inside a character", i, text)
			}
			last = i
		}
		if words := strings.Fields(query); len(words) == 1 && len(m.At) != utf8.RuneCountInString(words[0]) {
			t.Fatalf("%q matched %d characters of %q", query, len(m.At), text)
		}
	})
}

func BenchmarkRank5000Paths(b *testing.B) {
	paths := make([]string, 5000)
	for i := range paths {
		paths[i] = fmt.Sprintf("internal/package%d/some_file_%d.go", i%50, i)
	}
	for b.Loop() {
		fuzzy.Rank("somfi4", len(paths), func(i int) string { return paths[i] }, 50)
	}
}
