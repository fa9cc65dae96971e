package vterm

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// TestPaintedRowsHaveTheirWidthByEveryCount paints every character there is, of
// the large scripts some.
func TestPaintedRowsHaveTheirWidthByEveryCount(t *testing.T) {
	p := &painter{}
	for r := rune(0xa0); r <= unicode.MaxRune; r++ {
		w := runeWidth(r)
		large := r >= 0x3400 && r < 0xa000 || r >= 0xac00 && r < 0xd800 || r >= 0x17000 && r < 0x19000 || r >= 0x20000 && r < 0xe0000 || r >= 0xf0000
		if w == 0 || unicode.Is(unicode.Cs, r) || large && r&0x3f != 0 {
			continue
		}
		text := string(r)
		row := []Cell{{Text: "a", Width: 1}, {Text: text, Width: uint8(w)}, {Text: text, Width: uint8(w)}, {Text: "b", Width: 1}}
		line := string(p.appendLine(nil, row))
		if n, m, want := ansi.StringWidth(line), ansi.StringWidthWc(line), 2+2*w; n != want || m != want {
			t.Fatalf("U+%04X of width %d: %q has %d or %d columns, want %d", r, w, line, n, m, want)
		}
	}
}

func TestPaintedClusters(t *testing.T) {
	for print, want := range map[string]string{
		"👨‍👩‍👧x":         "👨👩👧x",
		"❤️x":            "❤x",
		"🇩🇪x":            "DEx",
		"e\u0301x":       "e\u0301x",
		"👍🏽x":            "👍🏽x",
		"a\u202eb\u2066": "ab",
		"日本語":            "日本語",
		"각":              "각",
	} {
		sc := New(20, 1, Options{})
		_, _ = sc.Write([]byte(print))
		line := sc.Render()[0]
		if got := strings.TrimRight(ansi.Strip(line), " "); got != want {
			t.Errorf("%q is painted as %q, want %q", print, got, want)
		}
		if ansi.StringWidth(line) != 20 || ansi.StringWidthWc(line) != 20 {
			t.Errorf("%q has %d or %d columns, want 20", line, ansi.StringWidth(line), ansi.StringWidthWc(line))
		}
	}
}

func BenchmarkRenderEmoji(b *testing.B) {
	sc := New(120, 40, Options{})
	_, _ = sc.Write([]byte(strings.Repeat("👍🏽❤️🇩🇪日", 700)))
	for b.Loop() {
		sc.Render()
	}
}
