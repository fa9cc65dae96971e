package statusline

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed7484d81d/agent/internal/theme"
)

func TestTheLineGivesWayFromTheLeastImportant(t *testing.T) {
	s := State{Dir: "~/project", Branch: "main", Model: "claude", Thinking: "high", Mode: "ask", Context: 42, Cost: 1.234, Jobs: 2}
	for width, want := range map[int]string{
		100: "~/project · main" + strings.Repeat(" ", 32) + "2 running · claude · thinks high · ask · 42% · $1.23",
		30:  "~/project", 12: "~/project", 4: "~/p…",
	} {
		got := ansi.Strip(View(s, width, theme.Dark()))
		if ansi.StringWidth(got) > width {
			t.Errorf("%d cells of %d: %q", ansi.StringWidth(got), width, got)
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
	for width := range 120 {
		if w := ansi.StringWidth(View(s, width, theme.Dark())); w > width {
			t.Errorf("%d cells of %d", w, width)
		}
	}
}

func TestAHintTakesThePlaceOfTheDirectory(t *testing.T) {
	got := ansi.Strip(View(State{Dir: "~/x", Hint: "Copied\x1b[2J", Mode: "all", Context: -1}, 40, theme.Plain()))
	if !strings.HasPrefix(got, "Copied") || strings.Contains(got, "~/x") || !strings.HasSuffix(got, "all") || strings.Contains(got, "%") {
		t.Errorf("%q", got)
	}
}
