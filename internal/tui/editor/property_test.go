package editor

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/theme"
)

// randomKeys is what random tests type: texts of every width, pieces that join
// with their neighbours, and every key that is named or bound.
func randomKeys() []string {
	texts := []string{
		"a", "b", " ", "\t", "日", "本", "👍🏽", "e\u0301", "\u0301", "👩", "\u200d", "💻", "🇩", "🇪", "ก", "ำ", "\u202e", "\u200b", "\ufe0f", "1",
		"@", "/", "!", "\\", "\"", "word ", "two_three ", "a-very-long-word-that-wraps", "@src", "/he", "!make ", "\x00", "\x1b",
	}
	keys := slices.Concat(texts, slices.Sorted(maps.Keys(named)))
	for c := 'a'; c <= 'z'; c++ {
		keys = append(keys, "ctrl+"+string(c))
	}
	return keys
}

// step does one random thing and says what.
func step(r *rand.Rand, m *Model, keys []string) string {
	switch r.IntN(40) {
	case 0:
		n := r.IntN(200)
		m.HandlePaste(strings.Repeat("pasted 日 ", n))
		return fmt.Sprint("paste of ", n, " words")
	case 1:
		n := r.IntN(30)
		m.HandlePaste(strings.Repeat("line\r\n", n) + "\u0301\x1b[31m\U0010f000end")
		return fmt.Sprint("paste of ", n, " lines")
	case 2:
		w, h := r.IntN(201), r.IntN(14)
		m.SetSize(w, h)
		return fmt.Sprint("size ", w, "×", h)
	case 3:
		m.Insert("back\n👩\u200d")
		return "insert"
	case 4:
		m.AddImage(chat.Image{})
		return "image"
	case 5:
		m.SetFocus(r.IntN(4) > 0)
		return "focus"
	case 6:
		m.SetBusy(r.IntN(2) > 0)
		return "busy"
	case 7:
		m.Update(Completed{Generation: m.popup.generation, Candidates: []Candidate{{Text: "late"}, {Text: "later 日"}}})
		return "completed"
	default:
		k := keys[r.IntN(len(keys))]
		press(m, k)
		return k
	}
}

// sound checks what holds after every step: the promised height and width, a
// cursor inside, on a border between characters and on the cell of its place,
// and rows that are those of a fresh layout.
func sound(t *testing.T, m *Model, done []string) {
	t.Helper()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Fatalf("%s\nat %d×%d after %q:\n%s", fmt.Sprintf(format, args...), m.width, m.limit, done[max(0, len(done)-12):], m.View())
	}
	var rows []string
	if v := m.View(); m.Height() > 0 {
		rows = strings.Split(v, "\n")
	}
	if m.Height() > m.limit || len(rows) != m.Height() {
		fail("%d rows, a height of %d", len(rows), m.Height())
	}
	for _, r := range rows {
		if w := ansi.StringWidth(r); w > m.width {
			fail("%d cells: %q", w, r)
		}
		if plain := ansi.Strip(r); strings.ContainsAny(plain, "\t\x1b\u202e\u200b") {
			fail("a control is drawn: %q", plain)
		}
	}
	if m.cursor.line >= len(m.text.lines) || m.cursor.col > len(m.text.at(m.cursor.line)) {
		fail("the cursor is at %v", m.cursor)
	}
	at := 0
	for s := m.text.at(m.cursor.line); at < m.cursor.col; {
		at += clusterAt(s, at)
	}
	if at != m.cursor.col {
		fail("the cursor is inside a character: %v in %q", m.cursor, m.text.at(m.cursor.line))
	}
	x, y, ok := m.Cursor()
	if want := m.Height() > 0 && m.width > 0 && !m.blurred; ok != want {
		fail("there is a cursor: %v, want %v", ok, want)
	}
	if ok && (x < 0 || x >= m.width || y < 0 || y >= m.Height()) {
		fail("the cursor is at %d,%d", x, y)
	}
	fresh := newText(m.cells)
	fresh.width = m.text.width
	fresh.replace(pos{}, pos{}, m.text.string())
	for i := range fresh.lines {
		if fresh.lastRow(i) != m.text.lastRow(i) || !slices.Equal(fresh.lines[i].rows, m.text.lines[i].rows) {
			fail("line %d %q has rows %v, want %v", i, fresh.at(i), m.text.lines[i].rows, fresh.lines[i].rows)
		}
	}
}

// TestNoKeyBreaksTheEditor does random things in every size.
func TestNoKeyBreaksTheEditor(t *testing.T) {
	keys := randomKeys()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		m := newEditor(r.IntN(201), r.IntN(14), "one", "two\nlines", "!make", strings.Repeat("long 日本 ", 40))
		if seed%5 == 0 {
			m.SetTheme(theme.Plain())
		}
		done := make([]string, 0, 120)
		for range cap(done) {
			done = append(done, step(r, m, keys))
			sound(t, m, done)
		}
	}
}

// FuzzKeys takes what to press from the bytes that the fuzzer makes up.
func FuzzKeys(f *testing.F) {
	keys := randomKeys()
	f.Add(40, 8, []byte("abcdefgh"))
	f.Add(1, 1, []byte{0, 4, 4, 4, 9, 200})
	f.Add(12, 3, []byte{35, 36, 9, 10, 11, 9, 10, 11})
	f.Fuzz(func(t *testing.T, w, h int, script []byte) {
		m := newEditor(w%201, h%20, "one", "two\nlines")
		script = script[:min(len(script), 200)]
		done := make([]string, 0, len(script))
		for _, b := range script {
			press(m, keys[int(b)%len(keys)])
			done = append(done, keys[int(b)%len(keys)])
			sound(t, m, done)
		}
	})
}

// TestUndoGoesBackStepByStep keeps every text that there was between two steps
// and wants them all back, in their order, with undo and with redo.
func TestUndoGoesBackStepByStep(t *testing.T) {
	keys := slices.DeleteFunc(randomKeys(), func(k string) bool {
		return slices.Contains([]string{"enter", "alt+enter", "ctrl+/", "alt+/", "ctrl+c", "ctrl+g"}, k)
	})
	const unseen = "\x00"
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 4))
		m := newEditor(1+r.IntN(80), 10, "one", "two\nlines")
		texts := []string{""} // texts[n] is the text after n steps, if the test saw it
		var done []string
		note := func(what string) {
			done = append(done, what)
			n := len(m.journal.done)
			if n >= len(texts) && utf8.RuneCountInString(what) > 1 { // its first key may belong to the step before
				texts[len(texts)-1] = unseen
			}
			for len(texts) < n { // several characters were typed
				texts = append(texts, unseen)
			}
			texts = append(texts[:n], m.text.string())
		}
		for range 60 {
			note(step(r, m, keys))
		}
		for range 2 { // a search or a list would take the keys
			press(m, "esc")
			note("esc")
		}
		for n := len(texts) - 2; n >= 0; n-- {
			m.undo()
			if got := m.text.string(); got != texts[n] && texts[n] != unseen {
				t.Fatalf("seed %d: undo to step %d:\n%q, want\n%q after %q", seed, n, got, texts[n], done)
			}
			m.settle()
			sound(t, m, done)
		}
		for n := 1; n < len(texts); n++ {
			m.redo()
			if got := m.text.string(); got != texts[n] && texts[n] != unseen {
				t.Fatalf("seed %d: redo to step %d: %q, want %q after %q", seed, n, got, texts[n], done)
			}
			m.settle()
			sound(t, m, done)
		}
	}
}

// TestWhatIsTypedIsSeen types random text into a field that is high enough:
// its rows together are the text.
func TestWhatIsTypedIsSeen(t *testing.T) {
	pieces := []string{"a", "bc ", "日本", "👩\u200d💻", "e\u0301", "🇩🇪", "word", "   ", "\n", "👍🏽", "x_y"}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := 12 + r.IntN(189)
		m := newEditor(w, 400)
		var text strings.Builder
		for range r.IntN(80) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		m.SetValue("x" + text.String()) // an empty one shows the placeholder
		var seen strings.Builder
		for _, row := range strings.Split(ansi.Strip(m.View()), "\n")[1:] {
			if !strings.HasPrefix(row, "──") {
				seen.WriteString(strings.TrimPrefix(strings.TrimPrefix(row, "› "), "  "))
			}
		}
		strip := strings.NewReplacer("\n", "", " ", "")
		if got, want := strip.Replace(seen.String()), strip.Replace(m.Value()); got != want {
			t.Fatalf("at width %d %q is shown as %q", w, want, got)
		}
	}
}

// TestLeftAndRightVisitEveryCharacter walks from end to end.
func TestLeftAndRightVisitEveryCharacter(t *testing.T) {
	pieces := []string{"a", "日", "👩\u200d💻", "e\u0301", "🇩🇪", "\n", " ", "ก\u0e33", "\t", "1\ufe0f\u20e3"}
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 6))
		var text strings.Builder
		for range r.IntN(60) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		m := newEditor(1+r.IntN(40), 5)
		m.SetValue("x" + text.String() + "x")
		places := []pos{m.cursor}
		for m.cursor != (pos{}) {
			press(m, "left")
			if !m.cursor.less(places[len(places)-1]) {
				t.Fatalf("left goes from %v to %v in %q", places[len(places)-1], m.cursor, text.String())
			}
			places = append(places, m.cursor)
		}
		for i := len(places) - 2; i >= 0; i-- {
			press(m, "right")
			if m.cursor != places[i] {
				t.Fatalf("right goes to %v, left came from %v in %q", m.cursor, places[i], text.String())
			}
		}
		if m.cursor != m.text.end() {
			t.Errorf("ends at %v", m.cursor)
		}
	}
}

// TestAKeyCostsTheSameInALongText counts how many characters are measured for
// one key and one drawing.
func TestAKeyCostsTheSameInALongText(t *testing.T) {
	cost := func(text string, keys ...string) int {
		m := newEditor(100, 12)
		m.SetValue(text)
		m.View()
		n := 0
		cells := m.text.cells
		m.text.cells = func(c string, col int) int { n++; return cells(c, col) }
		for _, k := range keys {
			press(m, k)
			m.View()
			m.Cursor()
			m.Height()
		}
		return n
	}
	line := "a line of text that is about as long as they are\n"
	for _, keys := range [][]string{{"x"}, {"left"}, {"up"}, {"backspace"}, {"shift+enter"}, {"ctrl+w"}, {"ctrl+u"}, {"ctrl+/"}} {
		short, long := cost(strings.Repeat(line, 40), keys...), cost(strings.Repeat(line, 40_000), keys...)
		if long > 2*short+200 {
			t.Errorf("%q measures %d characters in a short text and %d in a long one", keys, short, long)
		}
	}
	if one := cost(strings.Repeat("long ", 40_000), "x"); one > 20_000 {
		t.Errorf("a key at the end of one long line measures %d characters", one)
	}
}

// BenchmarkKey types into a long text: a key must not cost what the text costs.
func BenchmarkKey(b *testing.B) {
	for name, lines := range map[string]int{"10": 10, "10000": 10000} {
		b.Run(name, func(b *testing.B) {
			m := newEditor(100, 12)
			m.SetValue(strings.Repeat("a line of text that is about as long as they are\n", lines))
			for b.Loop() {
				press(m, "x")
				m.View()
			}
		})
	}
}
