package pager

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

// rig is a pager on a file.
type rig struct {
	t *testing.T
	m *Model
}

func open(t *testing.T, text string, w, h int) *rig {
	t.Helper()
	file := filepath.Join(t.TempDir(), "1.bash.log")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	pages, err := artifact.OpenPages(file)
	if err != nil {
		t.Fatal(err)
	}
	return with(t, pages, w, h)
}

func with(t *testing.T, s Source, w, h int) *rig {
	t.Helper()
	r := &rig{t: t, m: New(t.Context(), Options{Keys: keymap.Default(), Theme: theme.Dark(), Title: "artifact://1", Source: s})}
	t.Cleanup(r.m.Close)
	r.m.SetSize(w, h)
	r.do(r.m.Init())
	return r
}

// do runs commands until there are none.
func (r *rig) do(cmd tea.Cmd) {
	for cmd != nil {
		cmd = r.m.Update(cmd())
	}
}

func (r *rig) press(keys ...string) (closed bool) {
	special := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "pgup": {Code: tea.KeyPgUp},
		"pgdown": {Code: tea.KeyPgDown}, "right": {Code: tea.KeyRight}, "left": {Code: tea.KeyLeft}, "backspace": {Code: tea.KeyBackspace}, "space": {Code: tea.KeySpace, Text: " "},
	}
	for _, k := range keys {
		msg, named := special[k]
		if !named {
			msg = tea.KeyPressMsg{Code: []rune(k)[0], Text: k}
		}
		var cmd tea.Cmd
		closed, cmd = r.m.HandleKey(msg)
		r.do(cmd)
	}
	return closed
}

// screen checks the rectangle and returns it without styles.
func (r *rig) screen() []string {
	r.t.Helper()
	rows := strings.Split(r.m.View(), "\n")
	if r.m.w > 0 && r.m.h > 0 && len(rows) != r.m.h {
		r.t.Fatalf("%d rows of %d", len(rows), r.m.h)
	}
	for i, row := range rows {
		if ansi.StringWidth(row) > r.m.w {
			r.t.Fatalf("row %d has %d cells of %d: %q", i, ansi.StringWidth(row), r.m.w, row)
		}
		rows[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return rows
}

func (r *rig) shows(first, last string) {
	r.t.Helper()
	s := r.screen()
	if s[1] != first || s[len(s)-2] != last {
		r.t.Errorf("shows %q to %q, want %q to %q", s[1], s[len(s)-2], first, last)
	}
}

func numbers(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestItBeginsAtTheEndAndGoesAnywhere(t *testing.T) {
	r := open(t, numbers(100_000), 60, 12)
	r.shows("line 99991", "line 100000")
	if title := r.screen()[0]; !strings.Contains(title, "artifact://1") || !strings.Contains(title, "99991–100000 of 100000") {
		t.Errorf("%q", title)
	}
	r.press("up")
	r.shows("line 99990", "line 99999")
	r.press("pgup")
	r.shows("line 99981", "line 99990")
	r.press("g")
	r.shows("line 1", "line 10")
	r.press("space", "down")
	r.shows("line 11", "line 20")
	r.press("up", "up", "pgup", "pgup")
	r.shows("line 1", "line 10")
	r.press("G")
	r.shows("line 99991", "line 100000")
	r.do(r.m.HandleWheel(-3))
	r.shows("line 99988", "line 99997")
	if !r.press("q") {
		t.Error("it stays")
	}
}

func TestSearch(t *testing.T) {
	r := open(t, numbers(50_000), 60, 12)
	r.press("/", "l", "i", "n", "e", " ", "7", "7", "backspace", "x", "backspace", "7", "7", "7", "enter")
	if r.m.hit != 7777 {
		t.Errorf("from the end on it goes on at the top: line %d", r.m.hit)
	}
	r.press("N")
	if r.m.hit != 7777 {
		t.Errorf("there is only one: line %d", r.m.hit)
	}
	r.press("/", "4", "9", "9", "9", "enter", "N")
	if r.m.hit != 4999 { // 14999, and back
		t.Errorf("then line %d", r.m.hit)
	}
	r.press("/", "n", "o", "p", "e", "enter")
	if s := strings.Join(r.screen(), "\n"); !strings.Contains(s, "is not found") {
		t.Errorf("%s", s)
	}
	r.press("/", "7", "7", "7", "7", "enter")
	if s := strings.Join(r.screen(), "\n"); !strings.Contains(s, "line 7777") {
		t.Errorf("%s", s)
	}
	r.press("/", "x", "esc")
	if r.m.typing || r.press("esc") != true {
		t.Error("esc does not leave")
	}
}

func TestLongLinesAndControls(t *testing.T) {
	r := open(t, "\x1b[31mred\x1b[m\ttab\r\n"+strings.Repeat("x", 200)+"END\n日本語日本語日本語日本語\n\x1b]0;title\x07safe\n", 20, 8)
	s := strings.Join(r.screen(), "\n")
	if !strings.Contains(s, "red     tab") || !strings.Contains(s, "safe") || strings.Contains(r.m.View(), "title") {
		t.Errorf("%s", s)
	}
	for range 20 {
		r.press("right")
	}
	r.press("left")
	if s := strings.Join(r.screen(), "\n"); strings.Contains(s, "red") {
		t.Errorf("%s", s)
	}
}

func TestEverySize(t *testing.T) {
	r := open(t, numbers(500)+strings.Repeat("日", 300), 60, 12)
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test
	keys := []string{"up", "down", "pgup", "pgdown", "g", "G", "right", "left", "/", "n", "N", "enter", "1", "space"}
	for range 2000 {
		if rng.IntN(4) == 0 {
			r.m.SetSize(rng.IntN(40), rng.IntN(12))
			r.do(r.m.Load())
		}
		r.press(keys[rng.IntN(len(keys))])
		r.screen()
		if x, y, ok := r.m.Cursor(); ok && (x < 0 || x >= r.m.w || y < 0 || y >= r.m.h) {
			t.Fatalf("the cursor is at %d,%d of %d×%d", x, y, r.m.w, r.m.h)
		}
	}
}

// broken is a source that fails, or waits.
type broken struct{ wait bool }

func (broken) Lines(context.Context, int64, int) ([]string, error) {
	return nil, errors.New("the disk is gone")
}
func (broken) Count(context.Context) (int64, error) { return 10, nil }
func (b broken) Search(ctx context.Context, _ string, _ int64, _ bool) (int64, bool, error) {
	if b.wait {
		<-ctx.Done()
	}
	return 0, false, context.Cause(ctx)
}
func (broken) Close() error { return nil }

func TestErrorsAreTold(t *testing.T) {
	r := with(t, broken{}, 40, 8)
	if s := strings.Join(r.screen(), "\n"); !strings.Contains(s, "the disk is gone") {
		t.Errorf("%s", s)
	}
}

func TestEscStopsASearchFirst(t *testing.T) {
	r := with(t, broken{wait: true}, 40, 8)
	r.press("/", "x")
	_, cmd := r.m.HandleKey(tea.KeyPressMsg{Code: tea.KeyEnter})
	if s := strings.Join(r.screen(), "\n"); !strings.Contains(s, "Searching") {
		t.Errorf("%s", s)
	}
	if closed, _ := r.m.HandleKey(tea.KeyPressMsg{Code: tea.KeyEscape}); closed {
		t.Error("it closed instead")
	}
	r.do(cmd)
	if s := strings.Join(r.screen(), "\n"); !strings.Contains(s, "Search stopped") {
		t.Errorf("%s", s)
	}
}

func BenchmarkDepth(b *testing.B) {
	file := filepath.Join(b.TempDir(), "big")
	chunk := []byte(numbers(100_000))
	f, err := os.Create(file)
	if err != nil {
		b.Fatal(err)
	}
	for range 200 { // 240 MB
		if _, err := f.Write(chunk); err != nil {
			b.Fatal(err)
		}
	}
	_ = f.Close()
	pages, err := artifact.OpenPages(file)
	if err != nil {
		b.Fatal(err)
	}
	m := New(b.Context(), Options{Keys: keymap.Default(), Theme: theme.Dark(), Source: pages})
	defer m.Close()
	m.SetSize(120, 40)
	run := func(cmd tea.Cmd) {
		for cmd != nil {
			cmd = m.Update(cmd())
		}
	}
	run(m.Init())
	for _, where := range []int64{1, 10_000_000, 19_999_000} {
		b.Run(fmt.Sprint(where), func(b *testing.B) {
			for b.Loop() {
				m.top, m.lines = where, nil
				run(m.Load())
				_ = m.View()
			}
		})
	}
}
