package ptyoverlay

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/theme"
	"github.com/seed7484d81d/agent/internal/vterm"
)

var update = flag.Bool("update", false, "write the golden files")

// program is a Program that remembers what it got.
type program struct {
	mu     sync.Mutex
	got    strings.Builder
	sizes  []string
	killed int
	full   bool
}

func (p *program) Write(b []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full {
		return errors.New("full")
	}
	p.got.Write(b)
	return nil
}

func (p *program) Resize(cols, rows int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sizes = append(p.sizes, fmt.Sprintf("%dx%d", cols, rows))
	return nil
}

func (p *program) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed++
}

// take returns what the program got since the last time.
func (p *program) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.got.String()
	p.got.Reset()
	return s
}

func start(o Options) (*Model, *program) {
	if o.Theme == nil {
		o.Theme = theme.Dark()
	}
	if o.Title == "" {
		o.Title = "vim notes.txt"
	}
	m, p := New(o), &program{}
	m.SetSize(80, 30)
	m.Attach(p)
	return m, p
}

func say(m *Model, s string) { _, _ = m.Write([]byte(s)) }

// key is a key press as the terminal library reports it.
func key(name string) tea.KeyPressMsg {
	var mod tea.KeyMod
	for {
		prefix, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			break
		}
		mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift, "meta": tea.ModMeta, "super": tea.ModSuper}[prefix]
		name = rest
	}
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "tab": tea.KeyTab, "begin": tea.KeyBegin,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "insert": tea.KeyInsert, "find": tea.KeyFind, "select": tea.KeySelect,
		"menu": tea.KeyMenu, "kpenter": tea.KeyKpEnter, "kpplus": tea.KeyKpPlus, "kp0": tea.KeyKp0, "kp9": tea.KeyKp9, "kpup": tea.KeyKpUp,
		"kpdelete": tea.KeyKpDelete, "kpbegin": tea.KeyKpBegin, "kpsep": tea.KeyKpSep, "capslock": tea.KeyCapsLock, "leftshift": tea.KeyLeftShift, "mute": tea.KeyMute,
	}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code, Mod: mod}
	}
	var f int
	if n, _ := fmt.Sscanf(name, "f%d", &f); n == 1 {
		return tea.KeyPressMsg{Code: tea.KeyF1 + rune(f-1), Mod: mod}
	}
	if name == "space" {
		name = " "
	}
	k := tea.KeyPressMsg{Code: []rune(name)[0], Mod: mod}
	if mod == 0 {
		k.Text = name
	}
	return k
}

func press(m *Model, names ...string) Action {
	var last Action
	for _, n := range names {
		last = m.HandleKey(key(n))
	}
	return last
}

// screen reads the View as a terminal shows it.
func screen(m *Model, width, height int) []string {
	sc := vterm.New(width, height, vterm.Options{})
	_, _ = sc.Write([]byte("\x1b[?7l" + strings.ReplaceAll(m.View(), "\n", "\r\n")))
	return sc.Snapshot().Text()
}

func footer(m *Model) string {
	rows := strings.Split(ansi.Strip(m.View()), "\n")
	return strings.TrimSpace(rows[len(rows)-1])
}

func title(m *Model) string {
	row, _, _ := strings.Cut(ansi.Strip(m.View()), "\n")
	return row
}

func TestFrame(t *testing.T) {
	scenes := []struct {
		name string
		make func(o Options) *Model
	}{
		{"running", func(o Options) *Model {
			m, _ := start(o)
			say(m, "\x1b[1;32m$\x1b[m make\r\nbuilding 日本語 …")
			return m
		}},
		{"owner", func(o Options) *Model {
			o.ByModel = true
			m, _ := start(o)
			say(m, "\x1b[?1049h\x1b[Hhello\r\n~\r\n~\x1b[7m-- INSERT --")
			return m
		}},
		{"leader", func(o Options) *Model {
			m, _ := start(o)
			press(m, "ctrl+]")
			return m
		}},
		{"scrolled", func(o Options) *Model {
			m, _ := start(o)
			for i := range 100 {
				say(m, fmt.Sprintf("%d\r\n", i))
			}
			press(m, "ctrl+]", "[", "pgup")
			return m
		}},
		{"secret", func(o Options) *Model {
			o.Title = "sudo -v"
			m, _ := start(o)
			say(m, "[sudo] password: ")
			m.SetSecret(true)
			return m
		}},
		{"failed", func(o Options) *Model {
			o.Title = "for i in 1 2\ndo\x1b[2J\tfalse\u202e; done"
			o.ByModel = true
			m, _ := start(o)
			say(m, "bad")
			m.Finish("exit 3", true)
			return m
		}},
		{"done", func(o Options) *Model {
			m, _ := start(o)
			m.Finish("exit 0", false)
			return m
		}},
	}
	for _, look := range []*theme.Theme{theme.Dark(), theme.Plain()} {
		for _, width := range []int{20, 40, 80, 120} {
			const height = 8
			var b strings.Builder
			for _, s := range scenes {
				m := s.make(Options{Theme: look})
				m.SetSize(width, height)
				fmt.Fprintf(&b, "== %s\n", s.name)
				for _, row := range screen(m, width, m.Height()) {
					fmt.Fprintf(&b, "%s|\n", row)
				}
			}
			golden(t, fmt.Sprintf("frame-%s-%d", look.Name, width), b.String())
		}
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is now\n%s", file, got)
	}
}

func TestSize(t *testing.T) {
	for _, tt := range []struct{ width, height, outer, cols, rows int }{
		{80, 30, 24, 80, 22},
		{120, 40, 32, 120, 30},
		{20, 5, 5, 20, 3},
		{40, 6, 5, 40, 3},
		{10, 3, 3, 10, 1},
		{10, 2, 2, 10, 1},
		{1, 1, 1, 1, 1},
		{0, 0, 1, 1, 1},
	} {
		m := New(Options{Theme: theme.Dark()})
		m.SetSize(tt.width, tt.height)
		cols, rows := m.Size()
		if m.Height() != tt.outer || cols != tt.cols || rows != tt.rows {
			t.Errorf("%d×%d: %d rows, program %d×%d; want %d, %d×%d", tt.width, tt.height, m.Height(), cols, rows, tt.outer, tt.cols, tt.rows)
		}
		if n := strings.Count(m.View(), "\n") + 1; n != tt.outer {
			t.Errorf("%d×%d: View has %d rows, want %d", tt.width, tt.height, n, tt.outer)
		}
	}
}

func TestProgramIsResizedOncePerChange(t *testing.T) {
	m, p := start(Options{})
	p.sizes = nil
	m.SetSize(80, 30)
	m.SetSize(100, 30)
	m.SetSize(100, 30)
	press(m, "ctrl+]", "f")
	press(m, "ctrl+]", "f")
	m.Finish("exit 0", false)
	m.SetSize(50, 20)
	if got := strings.Join(p.sizes, " "); got != "100x22 100x28 100x22" {
		t.Errorf("sizes are %s", got)
	}
}

func TestEscFollowsTheRule(t *testing.T) {
	const alternate = "\x1b[?1049h"
	for _, tt := range []struct {
		rule  EscRule
		alt   bool
		kills bool
	}{
		{EscAuto, false, true},
		{EscAuto, true, false},
		{EscKill, false, true},
		{EscKill, true, true},
		{EscForward, false, false},
		{EscForward, true, false},
	} {
		m, p := start(Options{Esc: tt.rule})
		if tt.alt {
			say(m, alternate)
		}
		foot := footer(m)
		act := press(m, "esc")
		_, killed := act.(Killed)
		if killed != tt.kills || (p.killed == 1) != tt.kills {
			t.Errorf("rule %d, alternate screen %v: killed %v", tt.rule, tt.alt, killed)
		}
		if sent := p.take(); (sent == "\x1b") == tt.kills {
			t.Errorf("rule %d, alternate screen %v: sent %q", tt.rule, tt.alt, sent)
		}
		if says := strings.Contains(foot, "esc stop"); says != tt.kills {
			t.Errorf("rule %d, alternate screen %v: the footer says %q", tt.rule, tt.alt, foot)
		}
		if m, p := start(Options{Esc: tt.rule}); press(m, "ctrl+]", "k") != (Killed{}) || p.killed != 1 {
			t.Errorf("rule %d: ctrl+] k does not kill", tt.rule)
		}
	}
}

func TestLeader(t *testing.T) {
	for keys, want := range map[string]string{
		"ctrl+] esc":    "\x1b",
		"ctrl+] ctrl+]": "\x1d",
		"ctrl+5 ctrl+5": "\x1d",
		"ctrl+] x a":    "a",
		"ctrl+] [ a q":  "",
		"ctrl+] f a":    "a",
		"ctrl+c":        "\x03",
		"ctrl+[":        "",
	} {
		m, p := start(Options{})
		press(m, strings.Fields(keys)...)
		if got := p.take(); got != want {
			t.Errorf("%s sends %q, want %q", keys, got, want)
		}
	}
}

func TestScrollingBackStaysWhereItIs(t *testing.T) {
	m, p := start(Options{Scrollback: 1000})
	for i := range 200 {
		say(m, fmt.Sprintf("line %d\r\n", i))
	}
	press(m, "ctrl+]", "[", "pgup")
	before := screen(m, 80, m.Height())[1]
	for i := range 50 {
		say(m, fmt.Sprintf("more %d\r\n", i))
	}
	if after := screen(m, 80, m.Height())[1]; after != before {
		t.Errorf("the top row was %q and is %q", before, after)
	}
	press(m, "home")
	if got := screen(m, 80, m.Height())[1]; got != "line 0" {
		t.Errorf("home shows %q", got)
	}
	press(m, "end", "up", "down", "esc", "x")
	if got := p.take(); got != "x" {
		t.Errorf("sent %q", got)
	}
}

func TestWheel(t *testing.T) {
	m, p := start(Options{})
	for i := range 100 {
		say(m, fmt.Sprintf("%d\r\n", i))
	}
	up, down := tea.MouseWheelMsg{Button: tea.MouseWheelUp}, tea.MouseWheelMsg{Button: tea.MouseWheelDown}
	m.HandleMouse(up, 3, 3)
	if got := screen(m, 80, m.Height())[1]; got != "76" {
		t.Errorf("scrolled to %q", got)
	}
	m.HandleMouse(down, 3, 3)
	if !strings.Contains(footer(m), "stop the program") {
		t.Errorf("at the end again, but the footer says %q", footer(m))
	}
	m.HandleMouse(up, 3, 3)
	press(m, "x")
	if got := p.take(); got != "x" {
		t.Errorf("typing after the wheel sends %q", got)
	}
	say(m, "\x1b[?1049h\x1b[?1h")
	m.HandleMouse(up, 3, 3)
	if got := p.take(); got != "\x1bOA\x1bOA\x1bOA" {
		t.Errorf("the wheel over a pager sends %q", got)
	}
}

func TestWhatIsTypedBeforeTheStartArrives(t *testing.T) {
	m, p := New(Options{Theme: theme.Dark()}), &program{}
	m.SetSize(80, 30)
	press(m, "a", "b")
	m.Attach(p)
	press(m, "c")
	if got := p.take(); got != "abc" {
		t.Errorf("sent %q", got)
	}
	m = New(Options{Theme: theme.Dark()})
	press(m, "esc")
	if m.Attach(p); p.killed != 1 {
		t.Error("a program that was killed before it ran goes on")
	}
}

func TestEnded(t *testing.T) {
	m, p := start(Options{})
	m.Finish("timed out", true)
	if !strings.Contains(title(m), "timed out") {
		t.Errorf("title is %q", title(m))
	}
	if act := press(m, "x"); act != nil || p.take() != "" {
		t.Errorf("x: %v", act)
	}
	if m.Cursor() != nil {
		t.Error("there is a cursor")
	}
	for _, k := range []string{"esc", "enter", "q", "ctrl+c"} {
		if act := press(m, k); act != (Closed{}) {
			t.Errorf("%s: %v", k, act)
		}
	}
}

func TestWhatAnEndedProgramLeftIsCutToTheWindow(t *testing.T) {
	m, _ := start(Options{})
	for i := range 20 {
		say(m, fmt.Sprintf("row %d of a long text\r\n", i))
	}
	m.Finish("exit 0", false)
	m.SetSize(10, 6)
	if got, want := screen(m, 10, m.Height())[1:4], []string{"row 18 of", "row 19 of", ""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	m.SetSize(100, 60)
	if got := screen(m, 100, m.Height())[20]; got != "row 19 of a long text" {
		t.Errorf("%q", got)
	}
}

func TestRefusedInputIsTold(t *testing.T) {
	m, p := start(Options{})
	p.full = true
	m.HandlePaste(strings.Repeat("x", 1<<20))
	if !strings.Contains(footer(m), "does not read") {
		t.Errorf("footer is %q", footer(m))
	}
	p.full = false
	press(m, "a")
	if strings.Contains(footer(m), "does not read") || p.take() != "a" {
		t.Errorf("footer is %q", footer(m))
	}
}

func TestPaste(t *testing.T) {
	for _, tt := range []struct{ mode, text, want string }{
		{"", "a\nb\r\nc\td", "a\rb\rc\td"},
		{"\x1b[?2004h", "a\nb", "\x1b[200~a\rb\x1b[201~"},
		{"\x1b[?2004h", "x\x1b[201~rm -rf\x03 \u009b日", "\x1b[200~x[201~rm -rf 日\x1b[201~"},
		{"\x1b[?2004h\x1b[?2004l", "a", "a"},
	} {
		m, p := start(Options{})
		say(m, tt.mode)
		m.HandlePaste(tt.text)
		if got := p.take(); got != tt.want {
			t.Errorf("%q after %q sends %q, want %q", tt.text, tt.mode, got, tt.want)
		}
	}
}

func TestTheTerminalAnswers(t *testing.T) {
	m, p := start(Options{})
	say(m, "\x1b[3;5H\x1b[6n\x1b[c\x1b]11;?\a\x1b[?2026$p")
	if got := p.take(); got != "\x1b[3;5R\x1b[?62;22c\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?2026;2$y" {
		t.Errorf("answered %q", got)
	}
}

func TestTheBackgroundIsThatOfTheTheme(t *testing.T) {
	m, p := start(Options{Theme: theme.Light()})
	say(m, "\x1b]11;?\a")
	m.SetTheme(theme.Dark())
	say(m, "\x1b]10;?\a\x1b]11;?\a")
	if got := p.take(); got != "\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b]10;rgb:d0d0/d0d0/d0d0\x1b\\\x1b]11;rgb:0000/0000/0000\x1b\\" {
		t.Errorf("answered %q", got)
	}
}

func TestFocus(t *testing.T) {
	m, p := start(Options{})
	m.HandleFocus(true)
	say(m, "\x1b[?1004h")
	m.HandleFocus(false)
	m.HandleFocus(true)
	if got := p.take(); got != "\x1b[O\x1b[I" {
		t.Errorf("sent %q", got)
	}
}

func TestCursor(t *testing.T) {
	m, _ := start(Options{})
	for _, tt := range []struct {
		say   string
		x, y  int
		shape tea.CursorShape
		blink bool
	}{
		{"\x1b[3;5H", 4, 3, tea.CursorBlock, true},
		{"\x1b[2 q", 4, 3, tea.CursorBlock, false},
		{"\x1b[4 q", 4, 3, tea.CursorUnderline, false},
		{"\x1b[5 q", 4, 3, tea.CursorBar, true},
	} {
		say(m, tt.say)
		c := m.Cursor()
		if c == nil || c.X != tt.x || c.Y != tt.y || c.Shape != tt.shape || c.Blink != tt.blink {
			t.Errorf("after %q the cursor is %+v", tt.say, c)
		}
	}
	say(m, "\x1b[?25l")
	if m.Cursor() != nil {
		t.Error("a hidden cursor shows")
	}
}

func TestTranscript(t *testing.T) {
	m, _ := start(Options{})
	for i := range 40 {
		say(m, fmt.Sprintf("\x1b[31m%d\x1b[m\r\n", i))
	}
	say(m, "\x1b[?1049h\x1b[Hinside the editor")
	m.Finish("killed", true)
	styled, plain := m.Transcript()
	if lines := strings.Split(plain, "\n"); len(lines) != 40 || lines[0] != "0" || lines[39] != "39" {
		t.Errorf("the text is %q", plain)
	}
	if !strings.HasPrefix(styled, "\x1b[0;31m0\x1b[m\n") {
		t.Errorf("the styled text is %q", styled)
	}
}

func TestHadScreen(t *testing.T) {
	m, _ := start(Options{})
	say(m, "text")
	if m.HadScreen() {
		t.Error("plain text counts as a screen")
	}
	say(m, "\x1b[?1049hquick\x1b[?1049l")
	if !m.HadScreen() {
		t.Error("a screen that was left at once does not count")
	}
}

// TestHalfAFrameIsHeldBack draws while the program is in the middle of a frame.
func TestHalfAFrameIsHeldBack(t *testing.T) {
	now := time.Unix(0, 0)
	m, _ := start(Options{Now: func() time.Time { return now }})
	row := func() string { return screen(m, 80, m.Height())[1] }
	say(m, "whole")
	row()
	say(m, "\x1b[?2026h\x1b[Hhalf!")
	if got := row(); got != "whole" {
		t.Errorf("in the frame: %q", got)
	}
	now = now.Add(holdFrame)
	if got := row(); got != "half!" {
		t.Errorf("after the longest wait: %q", got)
	}
	say(m, "\x1b[?2026l\x1b[?2026h\x1b[Hagain\x1b[?2026l")
	if got := row(); got != "again" {
		t.Errorf("after the frame: %q", got)
	}
}

func TestNextKeepsThePace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := start(Options{})
		ctx := t.Context()
		if err := m.Next(ctx); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		go func() {
			for range 1000 {
				say(m, "x")
				<-time.After(time.Millisecond)
			}
		}()
		frames := 0
		for time.Since(begin) < time.Second {
			if err := m.Next(ctx); err != nil {
				t.Fatal(err)
			}
			frames++
		}
		if frames < 25 || frames > 31 {
			t.Errorf("%d frames in a second", frames)
		}
		<-time.After(time.Second)
		say(m, "\x1b[?2026h")
		begin = time.Now()
		if err := m.Next(ctx); err != nil || time.Since(begin) != holdFrame {
			t.Errorf("a frame was held for %v: %v", time.Since(begin), err)
		}
		<-time.After(time.Second)
		say(m, "\x1b[?2026l")
		if err := m.Next(ctx); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Second)
		say(m, "\x1b[?2026h")
		go func() {
			<-time.After(50 * time.Millisecond)
			say(m, "\x1b[?2026l")
		}()
		begin = time.Now()
		if err := m.Next(ctx); err != nil || time.Since(begin) != 50*time.Millisecond {
			t.Errorf("a frame that ended was held for %v: %v", time.Since(begin), err)
		}
	})
}

// TestNothingBreaksThePicture does everything at random.
func TestNothingBreaksThePicture(t *testing.T) {
	outputs := []string{
		"text ", "\r\n", "日本語", "👨‍👩‍👧‍👦", "❤️", "1️⃣", "👍🏽", "🇩🇪", "🇩", "क्षि", "e\u0301", "\u202eabc\u2066", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?2026h", "\x1b[?2026l",
		"\x1b[31;4:3m", "\x1b[m", "\x1b[?1000h\x1b[?1006h", "\x1b[?1003h", "\x1b[?1000l", "\x1b[99999;99999H", "\x1b[6n", "\x1b]0;t\a", "\x1bc", "\x1b[?25l", "\xff\xfe", "\t", "\x1b[2J", "ก็", "각", "\u00ad", "ﷺ", "\U0001F3FB",
	}
	keys := []string{"a", "esc", "enter", "ctrl+]", "ctrl+]", "k", "[", "f", "q", "up", "pgup", "home", "end", "f5", "日", "alt+x", "space"}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 4))
		m, _ := start(Options{Title: "x\n日本語\x1b]0;", ByModel: seed%2 == 0, Esc: EscRule(seed % 3), Scrollback: 20})
		w, h := 80, 30
		for range 80 {
			switch r.IntN(10) {
			case 0:
				w, h = 1+r.IntN(130), 1+r.IntN(40)
				m.SetSize(w, h)
			case 1:
				m.HandlePaste("p\x1b")
			case 2:
				m.HandleMouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp + tea.MouseButton(r.IntN(4))}, r.IntN(140)-5, r.IntN(50)-5)
			case 3:
				m.HandleMouse(tea.MouseClickMsg{Button: tea.MouseLeft}, r.IntN(140)-5, r.IntN(50)-5)
			case 4, 5, 6:
				press(m, keys[r.IntN(len(keys))])
			case 7:
				if r.IntN(20) == 0 {
					m.Finish("exit 1", true)
				}
			default:
				say(m, strings.Repeat(outputs[r.IntN(len(outputs))], 1+r.IntN(30)))
			}
			check(t, m, w, h)
		}
	}
}

func check(t *testing.T, m *Model, w, h int) {
	t.Helper()
	rows := strings.Split(m.View(), "\n")
	if len(rows) != m.Height() || len(rows) > h {
		t.Fatalf("%d rows, Height is %d, the window has %d", len(rows), m.Height(), h)
	}
	for _, row := range rows {
		if ansi.StringWidth(row) > w || ansi.StringWidthWc(row) > w {
			t.Fatalf("%d or %d cells of %d: %q", ansi.StringWidth(row), ansi.StringWidthWc(row), w, row)
		}
		if strings.ContainsAny(ansi.Strip(row), "\x1b\x07\u202e\u2066") {
			t.Fatalf("a control is on the screen: %q", row)
		}
	}
	if c := m.Cursor(); c != nil && (c.X < 0 || c.X >= w || c.Y < 0 || c.Y >= len(rows)) {
		t.Fatalf("the cursor is at %d,%d of %d×%d", c.X, c.Y, w, len(rows))
	}
}

func TestUseFromSeveralGoroutines(t *testing.T) {
	m, _ := start(Options{Scrollback: 100})
	var wg sync.WaitGroup
	for _, do := range []func(n int){
		func(int) { say(m, "\x1b[31mline\x1b[m 日本 \x1b[6n\x1b[?2026h\r\n\x1b[?2026l") },
		func(n int) { m.SetSize(1+n%90, 1+n%30) },
		func(int) { m.View(); m.Cursor() },
		func(n int) { m.SetSecret(n%2 == 0); m.Attach(&program{}) },
		func(int) { press(m, "a", "ctrl+]", "[", "up", "q"); m.Transcript() },
	} {
		wg.Go(func() {
			for n := range 100 {
				do(n)
			}
		})
	}
	wg.Wait()
	m.Finish("exit 0", false)
	check(t, m, 1+99%90, 1+99%30)
}

func BenchmarkView(b *testing.B) {
	m, _ := start(Options{})
	m.SetSize(120, 50)
	raw, err := os.ReadFile("../vterm/testdata/captures/mc.raw")
	if err != nil {
		b.Fatal(err)
	}
	_, _ = m.Write(raw)
	for b.Loop() {
		m.touch()
		m.View()
	}
}
