package vterm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// lines is a text as Document has it.
func lines(text string) []string {
	out := strings.Split(text, "\r\n")
	for i, l := range out {
		out[i] = strings.TrimRight(l, " ")
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// TestResizingLosesNoText prints while the size changes: in the end there must
// be what was printed, whatever the sizes were.
func TestResizingLosesNoText(t *testing.T) {
	pieces := []string{"a", "word ", "日本", "e\u0301", "0123456789", " ", "\r\n", "\r\n", "👩\u200d🚀", "─", "\U00100003"}
	colours := []string{"\x1b[31m", "\x1b[m", "\x1b[1;44m", "\x1b[4m"}
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 7))
		sc := New(20, 6, Options{})
		var text strings.Builder
		for range 60 {
			switch r.IntN(8) {
			case 0:
				sc.Resize(2+r.IntN(40), 1+r.IntN(12))
			case 1:
				sc.print(colours[r.IntN(len(colours))])
			case 2: // a program with a screen of its own, and another size meanwhile
				sc.print("\x1b[?1049h\x1b[Hcovers\x1b[2;1H日本語")
				sc.Resize(2+r.IntN(40), 1+r.IntN(12))
				if r.IntN(2) == 0 {
					sc.Resize(2+r.IntN(40), 1+r.IntN(12))
				}
				sc.print("\x1b[?1049l")
			default:
				p := pieces[r.IntN(len(pieces))]
				text.WriteString(p)
				sc.print(p)
			}
			check(t, sc)
			if got, want := document(sc), lines(text.String()); !slices.Equal(got, want) {
				t.Fatalf("seed %d: the text is\n%q, want\n%q", seed, got, want)
			}
		}
	}
}

func TestResizingMovesTheCursorWithTheText(t *testing.T) {
	for _, tt := range []struct {
		print      string
		cols, rows int
		screen     []string
		x, y       int
	}{
		{"0123456789abc", 5, 4, []string{"01234", "56789", "abc", ""}, 3, 2},
		{"0123456789abc", 20, 4, []string{"0123456789abc", "", "", ""}, 13, 0},
		{"0123456789\x1b[1;4H", 3, 4, []string{"012", "345", "678", "9"}, 0, 1},
		{"a\r\nb\r\nc\r\nd", 8, 2, []string{"c", "d"}, 1, 1},
		{"a\r\nb\r\nc\r\nd\x1b[1;1H", 8, 2, []string{"a", "b"}, 0, 0},
		{"a\x1b[1;7H", 4, 4, []string{"a", "", "", ""}, 2, 1},
		{"日本語日", 3, 4, []string{"日", "本", "語", "日"}, 2, 3},
		{"\x1b[44m\x1b[K0\x1b[m\r\nx", 4, 4, []string{"0", "x", "", ""}, 1, 1},
	} {
		sc := New(8, 4, Options{})
		sc.print(tt.print)
		sc.Resize(tt.cols, tt.rows)
		s := sc.Snapshot()
		if got := s.Text(); !slices.Equal(got, tt.screen) || s.X != tt.x || s.Y != tt.y {
			t.Errorf("%q in %d×%d: %q and the cursor at %d,%d, want %q and %d,%d", tt.print, tt.cols, tt.rows, got, s.X, s.Y, tt.screen, tt.x, tt.y)
		}
	}
}

func TestResizingKeepsAPendingWrap(t *testing.T) {
	sc := New(8, 4, Options{})
	sc.print("01234567")
	sc.Resize(4, 4)
	if s := sc.Snapshot(); s.X != 3 || s.Y != 1 || !s.Pending {
		t.Errorf("the cursor is at %d,%d, pending %v", s.X, s.Y, s.Pending)
	}
	sc.print("x")
	if got := document(sc); !slices.Equal(got, []string{"01234567x"}) {
		t.Errorf("%q", got)
	}
}

func TestASavedCursorFollows(t *testing.T) {
	sc := New(8, 4, Options{})
	sc.print("1\r\n2\r\n3\r\nab\x1b7\x1b[?1049h")
	sc.Resize(8, 2)
	sc.print("\x1b[?1049l!")
	if got := sc.Snapshot().Text(); !slices.Equal(got, []string{"3", "ab!"}) {
		t.Errorf("%q", got)
	}
}

// TestResizingUnderManyStyles has more styles in the rows that move than are
// kept without a look for free ones.
func TestResizingUnderManyStyles(t *testing.T) {
	sc := New(100, 40, Options{})
	for i := range 100 * 40 {
		sc.print(fmt.Sprintf("\x1b[38;2;%d;%d;9m%c", i>>8, i&255, 'a'+i%26))
	}
	for cols := 99; cols > 20; cols -= 7 {
		sc.Resize(cols, 40)
	}
	i := 0
	for l := range sc.Document() {
		for _, c := range l {
			if c.Style.FG != RGB(uint8(i>>8), uint8(i), 9) || c.Text != string(rune('a'+i%26)) {
				t.Fatalf("cell %d is %q in %x", i, c.Text, c.Style.FG)
			}
			i++
		}
	}
	if i != 4000 {
		t.Errorf("%d cells are left", i)
	}
}

func BenchmarkResize(b *testing.B) {
	sc := New(120, 40, Options{})
	for i := range 100 {
		sc.print(strings.Repeat(fmt.Sprintf("\x1b[3%dmword \x1b[m", i%8), 30) + "\r\n")
	}
	for i := 0; b.Loop(); i++ {
		sc.Resize(100+i%2*20, 40)
	}
}
