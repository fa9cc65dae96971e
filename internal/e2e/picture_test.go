package e2e

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/vterm"
)

// TestThePictureOfTheReadme plays what the README shows and checks that every
// part of it is on the screen. With PICTURE=file it draws the screen there.
func TestThePictureOfTheReadme(t *testing.T) {
	h := newHome(t)
	s := serve(t,
		anthropic("tool_use", "text I run the tests first.", `call bash {"command":"./test.sh"}`),
		anthropic("tool_use", "text One test fails: `Area` adds where it has to multiply.", `call edit {"path":"shape.go","edits":[{"old":"return w + h","new":"return w * h"}]}`),
		anthropic("end_turn", "text Fixed in `shape.go:4`. The tests pass with it."))
	h.model(s)
	h.write(t, "project/test.sh", "for i in $(seq 1 40); do echo \"ok    case $i\"; done\necho 'FAIL  area: got 5, want 6'; exit 1\n")
	h.write(t, "project/shape.go", "package shape\n\nfunc Area(w, h int) int {\n\treturn w + h\n}\n")
	if err := os.Chmod(filepath.Join(h.project, "test.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	tm := h.start(t, 96, 38, "--permission", "all")
	tm.line("why does the test fail?")
	tm.see("The tests pass with it.")
	tm.line("!git init -q . && git status --short")
	tm.see("?? test.sh")
	for _, text := range []string{"why does the test fail?", "exit 1", "FAIL  area: got 5, want 6", "return w * h", "claude-sonnet-5", "?? shape.go"} {
		tm.see(text)
	}
	if file := os.Getenv("PICTURE"); file != "" {
		if err := os.WriteFile(file, []byte(svg(tm.screen.Snapshot())), 0o644); err != nil { //nolint:gosec // a picture for everybody
			t.Fatal(err)
		}
	}
}

const (
	cellW, cellH = 8.4, 18
	margin       = 14
)

// svg draws a screen with text, so that it stays sharp and small.
func svg(s vterm.Snapshot) string {
	var b strings.Builder
	w, h := float64(s.Cols)*cellW+2*margin, s.Rows*cellH+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %.0f %d" font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14">`+"\n", w, h, w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="#16181d"/>`+"\n")
	for y, row := range s.Lines {
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && row[end].Style == row[x].Style {
				end++
			}
			run(&b, x, y, row[x:end])
			x = end
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// run draws cells of one style.
func run(b *strings.Builder, x, y int, cells []vterm.Cell) {
	st := cells[0].Style
	left, top := margin+float64(x)*cellW, margin+y*cellH
	fg, bg := colour(st.FG, "#d7dae0"), colour(st.BG, "")
	if st.Attr&vterm.Reverse != 0 {
		fg, bg = "#16181d", "#d7dae0"
	}
	if bg != "" {
		fmt.Fprintf(b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", left, top, float64(len(cells))*cellW, cellH, bg)
	}
	text := strings.TrimRight(vterm.LineText(cells), " ")
	if text == "" {
		return
	}
	style := ""
	if st.Attr&vterm.Bold != 0 {
		style += ` font-weight="bold"`
	}
	if st.Attr&vterm.Italic != 0 {
		style += ` font-style="italic"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="%s"%s xml:space="preserve" textLength="%.1f" lengthAdjust="spacingAndGlyphs">%s</text>`+"\n",
		left, top+cellH-5, fg, style, float64(len([]rune(text)))*cellW, html.EscapeString(text))
}

func colour(c vterm.Color, standard string) string {
	if r, g, b, ok := c.Components(); ok {
		return fmt.Sprintf("#%02x%02x%02x", r, g, b)
	}
	return standard
}
