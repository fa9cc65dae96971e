package vterm

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A recording is what one program wrote, with the screens that xterm.js showed
// at some of its bytes.
type recording struct {
	Name       string
	Cols, Rows int
	Snapshots  []expected
}

type expected struct {
	Name   string
	Raw    string `json:"raw_b64"`
	Offset int
	Text   []string
	Cursor struct {
		X, Y        int
		Hidden      bool
		PendingWrap bool
	}
	Replies    string
	Alt        bool
	Title      string
	Scrollback *int
	Modes      map[string]any
	Attrs      [][]any
	recording  string
}

// rightAllTheSame says why a cell of a recording differs from xterm.js on
// purpose.
func rightAllTheSame(recording string, x, y int) string {
	if recording == "sgr-palette" && y == 18 && x >= 36 && x < 45 {
		return "38:2:r:g:b without a colour space is read as xterm reads it"
	}
	return ""
}

func TestRecordedProgramsShowTheRightScreens(t *testing.T) {
	files, err := filepath.Glob("testdata/captures/*.expected.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		var r recording
		read(t, file, &r)
		raw, err := os.ReadFile(strings.TrimSuffix(file, ".expected.json") + ".raw")
		if err != nil {
			t.Fatal(err)
		}
		t.Run(r.Name, func(t *testing.T) {
			var replies strings.Builder
			sc, at := New(r.Cols, r.Rows, Options{Reply: func(b []byte) { replies.Write(b) }}), 0
			for _, want := range r.Snapshots {
				_, _ = sc.Write(raw[at:want.Offset])
				at = want.Offset
				want.recording = r.Name
				if d := compare(want, sc.Snapshot()); d != "" {
					t.Errorf("at byte %d: %s", at, d)
				}
				if got := asXterm(replies.String()); got != want.Replies {
					t.Errorf("at byte %d it had answered %q, want %q", at, got, want.Replies)
				}
			}
		})
	}
}

func TestSingleSequences(t *testing.T) {
	var all []expected
	read(t, "testdata/escapes.json", &all)
	known := deviations(t)
	for _, want := range all {
		raw, err := base64.StdEncoding.DecodeString(want.Raw)
		if err != nil {
			t.Fatal(err)
		}
		sc := New(80, 24, Options{})
		_, _ = sc.Write(raw)
		got := compare(want, sc.Snapshot())
		switch why := known[want.Name]; {
		case got != "" && why == "":
			t.Errorf("%s: %s", want.Name, got)
		case got == "" && why != "":
			t.Errorf("%s is listed as a deviation (%s) but agrees", want.Name, why)
		}
	}
}

// deviations reads which single sequences differ from xterm.js, and why.
func deviations(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/deviations.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if name, why, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			out[name] = why
		}
	}
	return out
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// compare returns the first difference, "" if there is none.
func compare(want expected, got Snapshot) string {
	text := got.Text()
	for y := range got.Rows {
		w := ""
		if y < len(want.Text) {
			w = want.Text[y]
		}
		if text[y] != w {
			return fmt.Sprintf("row %d is %q, want %q", y, text[y], w)
		}
	}
	if c := want.Cursor; got.X != c.X || got.Y != c.Y || got.Pending != c.PendingWrap {
		return fmt.Sprintf("cursor at %d,%d %v, want %d,%d %v", got.X, got.Y, got.Pending, c.X, c.Y, c.PendingWrap)
	}
	if want.Modes != nil {
		if d := compareModes(want, got); d != "" {
			return d
		}
	}
	if got.Modes.Alt != want.Alt || got.Modes.Hidden != want.Cursor.Hidden || got.Title != want.Title {
		return fmt.Sprintf("alt %v hidden %v title %q, want %v %v %q",
			got.Modes.Alt, got.Modes.Hidden, got.Title, want.Alt, want.Cursor.Hidden, want.Title)
	}
	if n := want.Scrollback; n != nil && !want.Alt && got.Scrollback != *n {
		return fmt.Sprintf("%d lines of scrollback, want %d", got.Scrollback, *n)
	}
	return compareStyles(want, got)
}

func compareModes(want expected, got Snapshot) string {
	m := got.Modes
	mouse := "none"
	switch {
	case m.MouseAny:
		mouse = "any"
	case m.MouseDrag:
		mouse = "drag"
	case m.MouseButton:
		mouse = "vt200"
	case m.MouseX10:
		mouse = "x10"
	}
	for name, is := range map[string]any{
		"appCursor": m.AppCursor, "appKeypad": m.AppKeypad, "paste": m.Paste, "mouse": mouse,
		"origin": m.Origin, "wrap": !m.NoWrap, "insert": m.Insert, "focus": m.Focus,
	} {
		if w, ok := want.Modes[name]; ok && w != is {
			return fmt.Sprintf("mode %s is %v, want %v", name, is, w)
		}
	}
	return ""
}

// look is a cell's appearance as the recordings write it.
type look struct{ fg, bg, flags string }

func compareStyles(want expected, got Snapshot) string {
	looks := make([][]look, got.Rows)
	for y := range looks {
		looks[y] = make([]look, got.Cols)
	}
	for _, a := range want.Attrs {
		y, from, to := int(a[0].(float64)), int(a[1].(float64)), int(a[2].(float64))
		for x := from; x < to; x++ {
			looks[y][x] = look{a[3].(string), a[4].(string), a[5].(string)}
		}
	}
	for y, row := range got.Lines {
		for x, c := range row {
			if c.Width == 0 || rightAllTheSame(want.recording, x, y) != "" {
				continue
			}
			w, g := looks[y][x], lookOf(c.Style)
			if c.Style.Link != 0 { // which xterm.js underlines
				w.flags = strings.Replace(w.flags, "u", "", 1)
			}
			if c.Text == " " { // what cannot be seen does not count
				w, g = w.blank(), g.blank()
			}
			if w != g {
				return fmt.Sprintf("cell %d,%d %q looks %v, want %v", x, y, c.Text, g, w)
			}
		}
	}
	return ""
}

func (l look) blank() look {
	keep := func(r rune) rune {
		if strings.ContainsRune("usv", r) {
			return r
		}
		return -1
	}
	l.flags = strings.Map(keep, l.flags)
	if !strings.Contains(l.flags, "v") {
		l.fg = ""
	}
	return l
}

func lookOf(s Style) look {
	flags := ""
	for i, f := range "bfiukvns" {
		if s.Attr&(1<<i) != 0 {
			flags += string(f)
		}
	}
	if s.Attr&Overline != 0 {
		flags += "o"
	}
	return look{colorName(s.FG), colorName(s.BG), sorted(flags)}
}

func sorted(flags string) string {
	r := []rune(flags)
	order := "bfiukvnso"
	slices.SortFunc(r, func(a, b rune) int { return strings.IndexRune(order, a) - strings.IndexRune(order, b) })
	return string(r)
}

func colorName(c Color) string {
	if n, ok := c.Index(); ok {
		return fmt.Sprintf("p%d", n)
	}
	if r, g, b, ok := c.Components(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	return ""
}

// asXterm is what this terminal answers with the names that xterm.js gives
// itself, and without the answers that it does not give when it has no window.
func asXterm(replies string) string {
	replies = strings.NewReplacer(primaryAttributes, "\x1b[?1;2c", secondaryAttributes, "\x1b[>0;276;0c").Replace(replies)
	for _, own := range []string{"10;rgb:" + reportedLight, "11;rgb:" + reportedBlack} {
		replies = strings.ReplaceAll(replies, "\x1b]"+own+"\x1b\\", "")
	}
	return strings.ReplaceAll(replies, "\x1bP>|vterm\x1b\\", "")
}

func TestScrolledInRowsHaveTheBackgroundOnly(t *testing.T) {
	sc := New(4, 2, Options{})
	sc.print("\x1b[4;7;31;44ma\r\nb\r\n")
	for x, c := range sc.Snapshot().Lines[1] {
		if c.Style != (Style{BG: Palette(4)}) {
			t.Errorf("cell %d looks %+v", x, c.Style)
		}
	}
	sc = New(4, 2, Options{})
	sc.print("\x1b[4;7;31m")
	sc.print("a\r\nb\r\n")
	for x, c := range sc.Snapshot().Lines[1] {
		if c.Style != (Style{}) {
			t.Errorf("cell %d looks %+v", x, c.Style)
		}
	}
}
