package sanitize

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain\ttext\n", "plain\ttext\n"},
		{"", ""},
		{"\n\n", "\n\n"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"a\x1b]0;title\ab", "ab"},
		{"a\x1b]52;c;aGk=\x1b\\b", "ab"},
		{"a\x1bPq#0\x1b\\b", "ab"},
		{"a\x1b(Bb\x1b#8c", "abc"},
		{"a\x1bcb\x1b7c\x1b=d", "abcd"},
		{"\x1b[?1049hx\x1b[2J\x1b[H", "x"},
		{"a\u009b31mb\u009d0;t\u009cc\u0085d", "abcd"},
		{"10%\r20%\r100%\n", "100%\n"},
		{"longer\rab\n", "abnger\n"},
		{"longer\r\x1b[Kab\n", "ab\n"},
		{"longer\x1b[2K\rab\n", "ab\n"},
		{"longer\x1b[2K\r\n", "\n"},
		{"spinner |\b/\b-\n", "spinner -\n"},
		{"a\bbc\n", "bc\n"},
		{"\b\b\bx\n", "x\n"},
		{"crlf\r\nnext\r\n", "crlf\nnext\n"},
		{"one\r\r\ntwo", "one\ntwo"},
		{"é\rab", "ab"},
		{"日本\rX", "X本"},
		{"ab\x1b[1GX", "Xb"},
		{"A\x00B", "A\uFFFDB"},
		{"\xff\xfe\xc3(\n", "\uFFFD\uFFFD\uFFFD(\n"},
		{"cut \xe2\x82", "cut \uFFFD\uFFFD"},
		{"\x01\x02\x7f\x0b\x0cx", "x"},
		{"\x1b[31\ntext", "\ntext"},
		{"\x1b]0;never ended\ntext", "\ntext"},
		{"\x1b[3\x18text", "text"},
		{"\x1b\x1b[31mx", "x"},
		{"\x1b]0;a\x1b[31mx", "x"},
		{"\x1b[" + strings.Repeat("1", 300) + "x", strings.Repeat("1", 43) + "x"},
		{"emoji 👨‍👩‍👧‍👦 é", "emoji 👨‍👩‍👧‍👦 é"},
	} {
		if got := string(Clean([]byte(tt.in))); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

// reference is the slow and obvious cleaner: a line of runes and a cursor, over
// a whole text in memory.
func reference(p []byte) string {
	var out strings.Builder
	var line []rune
	col, blank := 0, false
	show := func() string {
		s := string(line)
		if blank {
			s = strings.TrimRight(s, " ")
		}
		return s
	}
	put := func(r rune) {
		if col < len(line) {
			line[col] = r
		} else {
			line = append(line, r)
		}
		col++
	}
	rs := []rune(string(p)) // invalid bytes become U+FFFD one by one
	for i := 0; i < len(rs); {
		n, params, final := sequence(rs[i:])
		if n > 0 {
			i += n
			switch {
			case final == 'K' && (params == "" || params == "0"):
				line = line[:min(col, len(line))]
			case final == 'K' && (params == "1" || params == "2"):
				if params == "2" {
					line = line[:min(col, len(line))]
				}
				for k := range min(col, len(line)) {
					line[k] = ' '
				}
				blank = true
			case final == 'G' && (params == "" || params == "0" || params == "1"):
				col = 0
			}
			continue
		}
		r := rs[i]
		i++
		switch {
		case r == '\n':
			out.WriteString(show() + "\n")
			line, col, blank = nil, 0, false
		case r == '\r':
			col = 0
		case r == '\b':
			col = max(0, col-1)
		case r == 0:
			put(utf8.RuneError)
		case r == '\t' || r >= 0x20 && r < 0x7f || r > 0x9f:
			put(r)
		}
	}
	return out.String() + show()
}

// sequence measures an escape sequence at the start of rs; 0 is none. final is
// set for a finished CSI.
func sequence(rs []rune) (n int, params string, final rune) {
	intro, i := rune(0), 0
	switch {
	case rs[0] == 0x1b && len(rs) == 1:
		return 1, "", 0
	case rs[0] == 0x1b:
		intro, i = rs[1], 2
	case rs[0] >= 0x80 && rs[0] <= 0x9f:
		intro, i = rs[0]-0x40, 1
	default:
		return 0, "", 0
	}
	ends := func(r rune) bool { return r == 0x18 || r == 0x1a }
	switch {
	case intro == '\n' || intro == 0x1b:
		return 1, "", 0
	case intro == '[':
		for from := i; i < len(rs); i++ {
			switch r := rs[i]; {
			case r == '\n' || r == 0x1b:
				return i, "", 0
			case ends(r):
				return i + 1, "", 0
			case r >= 0x40 && r <= 0x7e:
				return i + 1, strings.Map(func(r rune) rune {
					if r < 0x20 {
						return -1
					}
					return r
				}, string(rs[from:i])), r
			case i-from+1 > maxCSI || r > 0x7f:
				return i + 1, "", 0
			}
		}
		return i, "", 0
	case strings.ContainsRune("]PX^_", intro):
		size := 0
		for ; i < len(rs); i++ {
			r := rs[i]
			size += max(1, utf8.RuneLen(r))
			switch {
			case r == '\n':
				return i, "", 0
			case ends(r) || r == 0x07 || r == 0x9c:
				return i + 1, "", 0
			case r == 0x1b && i+1 < len(rs) && rs[i+1] == '\\':
				return i + 2, "", 0
			case r == 0x1b:
				return i, "", 0
			case size > maxString:
				return i + 1, "", 0
			}
		}
		return i, "", 0
	case intro >= 0x20 && intro <= 0x2f:
		for ; i < len(rs); i++ {
			if rs[i] == '\n' {
				return i, "", 0
			}
			if rs[i] < 0x20 || rs[i] > 0x2f {
				return i + 1, "", 0
			}
		}
		return i, "", 0
	default:
		return i, "", 0
	}
}

// pieces are what random streams are made of.
var pieces = []string{
	"a", "bc", "日", "é", "👍", "\t", "\n", "\r", "\r\n", "\b", "\x00", "\x07", "\x7f", "\xff", "\xe2\x82", "\xc2", "\u009b1m", "\u0085",
	"\x1b", "\x1b[31m", "\x1b[K", "\x1b[2K", "\x1b[1K", "\x1b[G", "\x1b[", "3", ";", "m", "\x1b]0;t", "\x1b\\", "\x18", "\x1bP", "\x1b(", "B", "\x1bc",
}

func TestEveryWayToCutAStreamGivesTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		var b bytes.Buffer
		for range 1 + r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		p := b.Bytes()
		want := string(Clean(p))
		for cut := range len(p) + 1 {
			var c Cleaner
			_, _ = c.Write(p[:cut])
			_ = c.Open()
			_, _ = c.Write(p[cut:])
			if got := string(c.finish()); got != want {
				t.Fatalf("%q cut at %d: %q, want %q", p, cut, got, want)
			}
		}
		var c Cleaner
		taken := ""
		for i := range p {
			_, _ = c.Write(p[i : i+1])
			taken += c.Take()
		}
		if got := taken + string(c.finish()); got != want {
			t.Fatalf("%q byte by byte: %q, want %q", p, got, want)
		}
	}
}

func TestTheReferenceAgrees(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		var b bytes.Buffer
		for range 1 + r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if got, want := string(Clean(b.Bytes())), reference(b.Bytes()); got != want {
			t.Fatalf("%q: %q, the reference says %q", b.Bytes(), got, want)
		}
	}
}

func check(t *testing.T, in []byte, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("%q: not UTF-8: %q", in, out)
	}
	for _, r := range out {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
			t.Fatalf("%q: control %U is left in %q", in, r, out)
		}
	}
	if strings.Count(out, "\n") != bytes.Count(in, []byte{'\n'}) {
		t.Fatalf("%q: other lines in %q", in, out)
	}
}

func FuzzClean(f *testing.F) {
	for _, p := range pieces {
		f.Add([]byte(p + "x\r" + p))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		out := string(Clean(p))
		check(t, p, out)
		if again := string(Clean([]byte(out))); again != out {
			t.Fatalf("%q: %q becomes %q", p, out, again)
		}
		if ForModel(string(p)) != out {
			t.Fatalf("%q: ForModel differs", p)
		}
	})
}

func TestALineIsBounded(t *testing.T) {
	var c Cleaner
	chunk := bytes.Repeat([]byte("x"), 1<<16)
	for range 100 {
		_, _ = c.Write(chunk)
	}
	if len(c.left) > maxLine || !strings.HasSuffix(c.Open(), fmt.Sprintf("… [%d chars omitted]", 100<<16-maxLine)) {
		t.Errorf("%d bytes, ends in %q", len(c.left), c.Open()[maxLine-3:])
	}
	_, _ = c.Write([]byte("\nshort\n"))
	if !strings.HasSuffix(c.Take(), "omitted]\nshort\n") {
		t.Error("the next line is not clean")
	}
}

func TestForApprovalHidesNothing(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"rm -rf x\nls", "rm -rf x\nls"},
		{"rm -f V\r# ls", `rm -f V\x0d# ls`},
		{"rm -f V\u202e sl", `rm -f V\u202e sl`},
		{"x\r\x1b]0;P\a", `x\x0d\x1b]0;P\x07`},
		{"a\tb", `a\x09b`},
		{"a\u200bb\u00a0c\u3000", `a\u200bb\u00a0c\u3000`},
		{"a\xffb", `a\xffb`},
		{"\u0085\U000e0041", `\u0085\U000e0041`},
		{"héllo 日本", "héllo 日本"},
	} {
		if got := ForApproval(tt.in); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestForScreenDropsWhatReorders(t *testing.T) {
	if got := ForScreen("a\u202eb\u2066c\x1b[31md"); got != "abcd" {
		t.Errorf("%q", got)
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"ls": "ls", " ls\n": "ls", "a\nb\n\n  c": "a ⏎ b ⏎ c", "a\tb": "a b", "a\x1b[2Jb": "ab", "": "",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestExpandTabs(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb": "a   b", "abcd\te": "abcd    e", "\t\t": "        ", "日\tx": "日  x", "none": "none",
	} {
		if got := ExpandTabs(in, 4); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func BenchmarkClean(b *testing.B) {
	for name, line := range map[string]string{
		"plain":    "the quick brown fox jumps over the lazy dog and runs away\n",
		"coloured": "\x1b[32mok\x1b[0m  package/name/of/some/length  \x1b[2m0.012s\x1b[0m\n",
		"progress": "downloading [=====>        ] 42%\r",
	} {
		in := bytes.Repeat([]byte(line), 64<<10/len(line))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				Clean(in)
			}
		})
	}
}
