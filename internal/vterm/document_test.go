package vterm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func document(sc *Screen) []string {
	var out []string
	for l := range sc.Document() {
		out = append(out, LineText(l))
	}
	return out
}

func TestDocumentJoinsWhatOnlyWrapped(t *testing.T) {
	long := strings.Repeat("0123456789", 5) + "end"
	for _, tt := range []struct {
		name, print string
		want        []string
	}{
		{"long line", long + "\r\nnext", []string{long, "next"}},
		{"exactly a row", "01234567\r\nnext", []string{"01234567", "next"}},
		{"a space at the border", "0123456 x", []string{"0123456 x"}},
		{"in pieces", "0123|4567|89", []string{"0123456789"}},
		{"wide characters", "a日本語日本語", []string{"a日本語日本語"}},
		{"wide after a space at the border", "0123456 日", []string{"0123456 日"}},
		{"styled", "\x1b[31m0123456\x1b[32m789\x1b[m.", []string{"0123456789."}},
		{"combining at the border", "0123456e\u0301x", []string{"0123456e\u0301x"}},
		{"blank lines inside only", "a\r\n\r\nb\r\n\r\n", []string{"a", "", "b"}},
		{"written over", "0123456789\x1b[Hx\x1b[K", []string{"x", "89"}},
		{"scrolled away", long + "\r\n1\r\n2\r\n3\r\n4", []string{long, "1", "2", "3", "4"}},
		{"covered", long + "\x1b[?1049h\x1b[Hhidden", []string{long}},
		{"uncovered", long + "\x1b[?1049h\x1b[Hhidden\x1b[?1049l!", []string{long + "!"}},
		{"coloured blanks at the end", "a\x1b[44m\x1b[J", []string{"a"}},
		{"coloured blanks inside", "a\x1b[44m\x1b[J\x1b[3;1Hb", []string{"a", "", "b"}},
		{"nothing", "", nil},
	} {
		sc := New(8, 4, Options{})
		for piece := range strings.SplitSeq(tt.print, "|") {
			sc.print(piece)
		}
		if got := document(sc); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestDocumentCanBeLeft(t *testing.T) {
	sc := New(8, 4, Options{})
	sc.print("a\r\n\r\nb")
	for range sc.Document() {
		break
	}
	for l := range sc.Document() {
		if l == nil {
			break
		}
	}
	sc.print("x") // is not locked any more
}

// TestShrinkingUnderTheAlternateScreenKeepsTheMainOne makes room where only the
// covered screen has text.
func TestShrinkingUnderTheAlternateScreenKeepsTheMainOne(t *testing.T) {
	sc := New(10, 6, Options{})
	want := make([]string, 0, 9)
	for i := range 9 {
		want = append(want, fmt.Sprint(i))
		sc.print(fmt.Sprintf("%d\r\n", i))
	}
	sc.print("\x1b[?1049h\x1b[6;1Hx")
	sc.Resize(10, 3)
	sc.Resize(10, 6)
	if got := document(sc); !slices.Equal(got, want) {
		t.Errorf("covered, the text is %q, want %q", got, want)
	}
	sc.print("\x1b[?1049l")
	if got := document(sc); !slices.Equal(got, want) {
		t.Errorf("the text is %q, want %q", got, want)
	}
	if s := sc.Snapshot(); s.X != 0 || s.Y != 5 {
		t.Errorf("the cursor is at %d,%d, want 0,5", s.X, s.Y)
	}
}

// TestScrollbackLosesNothing compares rows on the screen with the same rows
// after they have left it.
func TestScrollbackLosesNothing(t *testing.T) {
	pieces := []string{"a", " ", "日", "e\u0301", "👨\u200d👩", "\x1b[31m", "\x1b[44m", "\x1b[m", "\x1b[7m", "\x1b[5C", "\x1b[K", "\x1b[2D", "\U00100000", "😀", "\t", "ab"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		sc := New(12, 5, Options{})
		for range 40 {
			sc.print(pieces[r.IntN(len(pieces))])
		}
		sc.print("\x1b[m")
		first, _ := sc.Extent()
		before := sc.RenderLines(first, 1000, 12)
		cells := sc.Snapshot().Lines
		above := sc.Snapshot().Scrollback
		sc.print("\x1b[5;1H" + strings.Repeat("\r\n", 5))
		after := sc.RenderLines(first, len(before), 12)
		for i := range before {
			if trimmed(before[i]) != trimmed(after[i]) {
				t.Fatalf("seed %d: row %d was %q and is %q", seed, i, before[i], after[i])
			}
		}
		for i, row := range sc.Scrollback()[above:] {
			if want := TrimLine(cells[i]); !slices.Equal(row[:min(len(row), len(want))], want) {
				t.Fatalf("seed %d: row %d was %v and is %v", seed, i, want, row)
			}
		}
	}
}

// trimmed is a styled line without its blanks at the end that have no style.
func trimmed(line string) string {
	for {
		shorter := strings.TrimSuffix(strings.TrimRight(line, " "), "\x1b[m")
		if shorter == line {
			return line
		}
		line = shorter
	}
}

func TestExtentCountsEveryLine(t *testing.T) {
	sc := New(10, 3, Options{Scrollback: 10})
	for i := range 100 {
		sc.print(fmt.Sprintf("%d\r\n", i))
	}
	first, end := sc.Extent()
	if end != 101 || first < 88-3 || first > 91 {
		t.Errorf("the lines are %d to %d", first, end)
	}
	if got := sc.RenderLines(first, 2, 10); trimmed(got[0]) != fmt.Sprint(first) {
		t.Errorf("line %d reads %q", first, got)
	}
	if got := sc.RenderLines(95, 2, 10); len(got) != 2 || trimmed(got[0]) != "95" || trimmed(got[1]) != "96" {
		t.Errorf("lines 95 and 96 read %q", got)
	}
	if got := sc.RenderLines(0, 1, 10); len(got) != 1 || trimmed(got[0]) != fmt.Sprint(first) {
		t.Errorf("a line that had to go reads %q", got)
	}
	sc.print("\x1b[3J")
	if first, end := sc.Extent(); first != 98 || end != 101 {
		t.Errorf("without a scrollback the lines are %d to %d", first, end)
	}
}

func TestMouseModesReplaceOneAnother(t *testing.T) {
	sc := New(10, 3, Options{})
	sc.print("\x1b[?1000h\x1b[?1003h")
	if m := sc.Modes(); m.MouseButton || !m.MouseAny {
		t.Errorf("%+v", m)
	}
	sc.print("\x1b[?1000l")
	if m := sc.Modes(); m.MouseAny {
		t.Errorf("%+v", m)
	}
}

func TestReverseVideo(t *testing.T) {
	sc := New(3, 1, Options{})
	sc.print("a\x1b[7mb\x1b[?5h")
	if got := sc.Render()[0]; got != "\x1b[0;7ma\x1b[mb\x1b[0;7m \x1b[m" {
		t.Errorf("%q", got)
	}
}

// TestRepeatPrintsWhatTypingWould compares REP with the same characters.
func TestRepeatPrintsWhatTypingWould(t *testing.T) {
	for _, prefix := range []string{"", "\x1b[4h", "\x1b[?7l", "xyz\x1b[2D", "\x1b[31;44m", "\x1b[4h\x1b[31;44mabc\r", "\x1b[2;3r\x1b[3;5H"} {
		for _, text := range []string{"a", "─", "日", "e\u0301", "\U00100001"} {
			for _, n := range []int{1, 8, 31} {
				typed, repeated := New(8, 4, Options{}), New(8, 4, Options{})
				typed.print(prefix + strings.Repeat(text, n+1))
				repeated.print(prefix + text + fmt.Sprintf("\x1b[%db", n))
				if w, g := dump(typed), dump(repeated); w != g {
					t.Errorf("%q %q %d times:\n%s\n%s", prefix, text, n, g, w)
				}
			}
		}
	}
}

func TestRenderedLinesAreCut(t *testing.T) {
	sc := New(8, 2, Options{})
	sc.print("a日本語\r\n\x1b[31mabc\x1b[m\r\n")
	for cols, want := range map[int][]string{
		8: {"a日本語 ", "\x1b[0;31mabc\x1b[m"}, 4: {"a日 ", "\x1b[0;31mabc\x1b[m"}, 2: {"a ", "\x1b[0;31mab\x1b[m"}, 0: {"", ""},
	} {
		got := sc.RenderLines(0, 2, cols)
		for i := range got {
			if strings.TrimRight(got[i], " ") != strings.TrimRight(want[i], " ") {
				t.Errorf("%d columns: line %d is %q, want %q", cols, i, got[i], want[i])
			}
		}
	}
}

func TestSequencesEndWhatRepeats(t *testing.T) {
	for _, between := range []string{"\x1bD\x1bM", "\x1b(B", "\x1b[m", "\r\x1b[C", "\u0084\x1bM"} {
		sc := New(8, 4, Options{})
		sc.print("a" + between + "\x1b[3b")
		if got := sc.Snapshot().Text()[0]; got != "a" {
			t.Errorf("%q between: %q", between, got)
		}
	}
}

func TestErasingInTheLastColumnEndsAPendingWrap(t *testing.T) {
	for _, erase := range []string{"\x1b[X", "\x1b[P"} {
		sc := New(4, 2, Options{})
		sc.print("abcd" + erase)
		if s := sc.Snapshot(); s.Pending || s.X != 3 || s.Text()[0] != "abc" {
			t.Errorf("%q: %q, cursor at %d, pending %v", erase, s.Text()[0], s.X, s.Pending)
		}
	}
}

func TestTheAlternateScreenAskedForTwiceSavesTwoCursors(t *testing.T) {
	sc := New(8, 4, Options{})
	sc.print("ab\x1b[?1049h\x1b[3;3H\x1b[?1049h\x1b[H\x1b8x")
	if got := sc.Snapshot().Text()[2]; got != "  x" {
		t.Errorf("the screen has %q", got)
	}
	sc.print("\x1b[?1049lc")
	if got := sc.Snapshot().Text()[0]; got != "abc" {
		t.Errorf("the main screen has %q", got)
	}
}
