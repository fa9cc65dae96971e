package vterm

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func dump(sc *Screen) string {
	s := sc.Snapshot()
	var b strings.Builder
	fmt.Fprintf(&b, "%d,%d %v %+v %q %d\n", s.X, s.Y, s.Pending, s.Modes, s.Title, s.Scrollback)
	for l := range sc.Document() {
		fmt.Fprintf(&b, "%v\n", l)
	}
	for _, l := range s.Lines {
		fmt.Fprintf(&b, "%v\n", l)
	}
	return b.String()
}

func FuzzScreen(f *testing.F) {
	for _, s := range []string{
		"", "plain\r\ntext", "\x1b[-5@", "\x1b[2000000000I", "日本語\x1b[1;80H日", "e\u0301\u0301", "\x1b[?1049h\x1b[?47l",
		"\x1b]0;t\x1b\\\x1b]8;;u\aX", "\x1b[5;1r\x1b[0;0r", "\x1b(0lqk\x1b(B", "\xe6\x97", "\xc2\x9b31m", "ab\x1b[99999b", "\x1bc\x1b[!p",
		"\x1b[2;3r\x1b[?6h\x1b[3;1H\n\n\n\x1bM\x1b[2S\x1b[2T", "0123456789012345678日\x1b[7m日本\x1b[44m\n\n\n\n\n", "👨\u200d👩\u200d👧❤\ufe0f🇩🇪👍🏽क्षि", "\x1b[?5h\x1b[?12h\x1b[?1000;1003h\x1b[1000l",
		"\x1b[4h\x1b[?6h\x1b[2;3rX", "\x1b[;31m\x1b[38:2::1:2:3m\x1b[58;5;1m", "\U00100000\U0010FFFF",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 2048 {
			return
		}
		whole, bytewise := New(20, 6, Options{Reply: func([]byte) {}}), New(20, 6, Options{})
		_, _ = whole.Write(b)
		for i := range b {
			_, _ = bytewise.Write(b[i : i+1])
		}
		if w, g := dump(whole), dump(bytewise); w != g {
			t.Fatalf("chunk borders matter:\n%s\n%s", w, g)
		}
		for _, size := range [][2]int{{10, 3}, {30, 8}, {1, 1}, {20, 6}} {
			whole.Resize(size[0], size[1])
			_, _ = whole.Write(b)
			check(t, whole)
		}
	})
}

func check(t *testing.T, sc *Screen) {
	t.Helper()
	s := sc.Snapshot()
	if len(s.Lines) != s.Rows || s.X < 0 || s.X >= s.Cols || s.Y < 0 || s.Y >= s.Rows {
		t.Fatalf("broken snapshot: %d lines, cursor %d,%d of %dx%d", len(s.Lines), s.X, s.Y, s.Cols, s.Rows)
	}
	for y, l := range s.Lines {
		width := 0
		for _, c := range l {
			width += int(c.Width)
		}
		if len(l) != s.Cols || width != s.Cols {
			t.Fatalf("row %d has %d cells and width %d, want %d", y, len(l), width, s.Cols)
		}
	}
	p := &painter{}
	for y, row := range s.Lines {
		l := string(p.appendLine(nil, row))
		if n, m := ansi.StringWidth(l), ansi.StringWidthWc(l); n != s.Cols || m != s.Cols {
			t.Fatalf("row %d is painted in %d or %d columns of %d: %q", y, n, m, s.Cols, l)
		}
	}
}

func TestUseFromSeveralGoroutines(t *testing.T) {
	sc := New(80, 24, Options{Scrollback: 100})
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for n := range 200 {
				switch i {
				case 0:
					_, _ = sc.Write([]byte("\x1b[31mline\x1b[m 日本\r\n"))
				case 1:
					sc.Resize(1+n%90, 1+n%30)
				case 2:
					check(t, sc)
				default:
					sc.Render()
					sc.Scrollback()
				}
			}
		})
	}
	wg.Wait()
}

func TestScrollbackIsBounded(t *testing.T) {
	sc := New(10, 2, Options{Scrollback: 50})
	for i := range 1000 {
		_, _ = sc.Write(fmt.Appendf(nil, "%d\r\n", i))
	}
	h := sc.Scrollback()
	if len(h) < 50 || len(h) > 63 {
		t.Errorf("%d lines kept, want 50 or a little more", len(h))
	}
	if got := LineText(h[len(h)-1]); got != "998" {
		t.Errorf("last line is %q, want 998", got)
	}
}

func TestReplies(t *testing.T) {
	for _, tt := range []struct{ ask, want string }{
		{"\x1b[c", "\x1b[?62;22c"},
		{"\x1b[>c", "\x1b[>1;10;0c"},
		{"\x1b[5n", "\x1b[0n"},
		{"\x1b[3;7H\x1b[6n", "\x1b[3;7R"},
		{"\x1b[2;5r\x1b[?6h\x1b[2;1H\x1b[6n", "\x1b[2;1R"},
		{"\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;1$y"},
		{"\x1b[?2026$p", "\x1b[?2026;2$y"},
		{"\x1b[?9999$p", "\x1b[?9999;0$y"},
		{"\x1b[18t", "\x1b[8;24;80t"},
		{"\x1b]11;?\a", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
		{"\x1b[21t", ""}, // a title report would put text of the program's choice on its input
	} {
		var got strings.Builder
		sc := New(80, 24, Options{Reply: func(b []byte) { got.Write(b) }})
		_, _ = sc.Write([]byte(tt.ask))
		if got.String() != tt.want {
			t.Errorf("%q is answered by %q, want %q", tt.ask, got.String(), tt.want)
		}
	}
}

func TestRenderEndsEachLineInTheDefaultStyle(t *testing.T) {
	sc := New(12, 2, Options{})
	_, _ = sc.Write([]byte("\x1b[1;38;5;208mab\x1b[0m日\r\n\x1b[4:3;48;2;1;2;3mx"))
	want := []string{"\x1b[0;1;38;5;208mab\x1b[m日        ", "\x1b[0;4:3;48;2;1;2;3mx\x1b[m           "}
	for i, l := range sc.Render() {
		if l != want[i] {
			t.Errorf("line %d = %q, want %q", i, l, want[i])
		}
	}
}

// TestWhatAProgramUsesOnceIsForgotten runs through far more styles and clusters
// than the screen has cells.
func TestWhatAProgramUsesOnceIsForgotten(t *testing.T) {
	sc := New(20, 5, Options{Scrollback: 10})
	for i := range 10_000 {
		sc.print(fmt.Sprintf("\x1b[38;2;%d;%d;%dma%c%c", i>>16, i>>8&255, i&255, 0x300+i%64, 0x300+i/64%64))
		if i%100 == 0 {
			s := sc.Snapshot()
			x := s.X - 1
			if s.Pending {
				x = s.X
			}
			if got, want := s.Lines[s.Y][x].Style.FG, RGB(uint8(i>>16), uint8(i>>8), uint8(i)); got != want {
				t.Fatalf("after %d styles a cell has the colour %x, want %x", i, got, want)
			}
		}
		switch i % 1000 {
		case 0:
			sc.print("\x1b[?1049h\x1b[H")
		case 500:
			sc.print("\x1b[?1049l")
		}
	}
	if n := len(sc.styles.values); n > leastSwept {
		t.Errorf("%d styles are kept", n)
	}
	if n := len(sc.clusters.values); n > leastSwept {
		t.Errorf("%d clusters are kept", n)
	}
}

// TestAScreenFullOfStylesKeepsAll needs more numbers than are kept at first.
func TestAScreenFullOfStylesKeepsAll(t *testing.T) {
	sc := New(120, 50, Options{})
	for range 2 {
		sc.print("\x1b[H")
		for i := range 120 * 50 {
			sc.print(fmt.Sprintf("\x1b[38;2;%d;%d;7mx", i>>8, i&255))
		}
	}
	for y, row := range sc.Snapshot().Lines {
		for x, c := range row {
			if i := y*120 + x; c.Style.FG != RGB(uint8(i>>8), uint8(i), 7) {
				t.Fatalf("cell %d,%d has the colour %x", x, y, c.Style.FG)
			}
		}
	}
}

func (sc *Screen) print(s string) { _, _ = sc.Write([]byte(s)) }

func TestTableIsBounded(t *testing.T) {
	tab := newTable[int](5000)
	for i := range 5100 {
		n, ok := tab.add(i, func(keep func(int)) {
			for n := range 5000 {
				keep(n)
			}
		})
		if ok != (i < 5000) || ok && n != i {
			t.Fatalf("value %d gets the number %d, %v", i, n, ok)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	streams := map[string][]byte{"plain": []byte(strings.Repeat("The quick brown fox jumps over the lazy dog, again and again.\r\n", 512))}
	for _, name := range []string{"vim-edit", "ls-color", "mc"} {
		raw, err := os.ReadFile(filepath.Join("testdata/captures", name+".raw"))
		if err != nil {
			b.Fatal(err)
		}
		streams[name] = raw
	}
	for name, data := range streams {
		b.Run(name, func(b *testing.B) {
			sc := New(120, 40, Options{})
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				_, _ = sc.Write(data)
			}
		})
	}
}

// BenchmarkHostile has what costs a terminal most for each byte.
func BenchmarkHostile(b *testing.B) {
	for name, s := range map[string]string{
		"repeat":    "a\x1b[9999b",
		"clear":     "\x1b[2J",
		"scroll":    "\x1b[40S",
		"alternate": "\x1b[?47h\x1b[?47l",
		"insert":    "\x1b[4ha\x1b[9999b",
		"noWrap":    "\x1b[?7l\x1b(0q\x1b[9999b",
		"wide":      "日\x1b[9999b",
		"combining": "a\u0301\u0302\u0303\u0304\u0305",
		"colours":   "\x1b[38;2;1;2;3ma\x1b[38;2;3;2;1mb",
		"resets":    "\x1bc",
		"align":     "\x1b#8",
		"links":     "\x1b]8;;http://x\ax",
	} {
		data := []byte(strings.Repeat(s, 4096/len(s)))
		b.Run(name, func(b *testing.B) {
			sc := New(120, 40, Options{})
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				_, _ = sc.Write(data)
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	sc := New(120, 40, Options{})
	raw, err := os.ReadFile("testdata/captures/mc.raw")
	if err != nil {
		b.Fatal(err)
	}
	_, _ = sc.Write(raw)
	for b.Loop() {
		sc.Render()
	}
}
