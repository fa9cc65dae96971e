package render

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
)

// collapsedDiff is how much of a diff shows while it is collapsed.
const collapsedDiff = 16

// change draws what was done to a file.
func (b *block) change(c chat.FileChange) {
	rows := b.diff(c.Diff, strings.TrimPrefix(path.Ext(c.Path), "."), b.inner(2))
	hidden := 0
	if !b.o.Expanded && len(rows) > collapsedDiff {
		hidden, rows = len(rows)-collapsedDiff, rows[:collapsedDiff]
	}
	bar := styled(b.t.Rule, b.t.Glyphs.BarThin+" ")
	b.beside(bar, rows)
	if hidden > 0 {
		b.more(bar, hidden)
	}
}

// Diff draws a unified diff with the numbers of the lines.
func Diff(unified string, o Options) []string {
	b := newBlock(o)
	if o.Width < 1 {
		return nil
	}
	b.rows = b.diff(unified, "", o.Width)
	return b.lines()
}

// hunk reads "@@ -1,2 +3,4 @@".
func hunk(line string) (before, after int) {
	var ignored string
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return 0, 0
	}
	number := func(s string) int {
		s, ignored, _ = strings.Cut(strings.TrimLeft(s, "-+"), ",")
		n, _ := strconv.Atoi(s)
		return n
	}
	before, after = number(fields[1]), number(fields[2])
	_ = ignored
	return before, after
}

// diff draws the lines of a unified diff, in the colours of a language where that
// is known.
func (b *block) diff(unified, language string, width int) []row {
	list := strings.Split(strings.TrimRight(unified, "\n"), "\n")
	digits := 3
	var rows []row
	before, after, first := 0, 0, true
	for i := 0; i < len(list); i++ {
		line := list[i]
		switch {
		case strings.HasPrefix(line, "@@"):
			before, after = hunk(line)
			digits = max(digits, len(strconv.Itoa(max(before, after)+len(list))))
			if !first {
				rows = append(rows, row{text: truncate([]span{styled(b.t.DiffHunk, b.t.Glyphs.Ellipsis)}, width, "")})
			}
			first = false
		case strings.HasPrefix(line, "-"):
			del, add := changed(list[i:])
			for k := range max(len(del), len(add)) {
				if k < len(del) {
					rows = append(rows, b.diffLine('-', before, digits, width, words(del, add, k, b.t.DiffDel, b.t.DiffDelWord))...)
					before++
				}
			}
			for k := range add {
				rows = append(rows, b.diffLine('+', after, digits, width, words(add, del, k, b.t.DiffAdd, b.t.DiffAddWord))...)
				after++
			}
			i += len(del) + len(add) - 1
		case strings.HasPrefix(line, "+"):
			rows = append(rows, b.diffLine('+', after, digits, width, b.code(content(line), language, b.t.DiffAdd))...)
			after++
		case strings.HasPrefix(line, `\`), line == "" && i == len(list)-1:
		default:
			rows = append(rows, b.diffLine(' ', after, digits, width, b.code(content(line), language, b.t.Output))...)
			before++
			after++
		}
	}
	return rows
}

// code is a line of code on the background of a style.
func (b *block) code(text, language string, on theme.Style) []span {
	if _, known := languageOf(language); !known || b.t.Plain || text == "" {
		return []span{styled(on, text)}
	}
	list := highlight(text, language, b.t)[0]
	for i := range list {
		list[i].open = on.Open() + list[i].open
	}
	return list
}

// changed takes the removed lines at the front and the added ones behind them.
func changed(list []string) (del, add []string) {
	for len(list) > 0 && strings.HasPrefix(list[0], "-") {
		del, list = append(del, content(list[0])), list[1:]
	}
	for len(list) > 0 && strings.HasPrefix(list[0], "+") {
		add, list = append(add, content(list[0])), list[1:]
	}
	return del, add
}

func content(line string) string {
	if line == "" {
		return ""
	}
	return expandTabs(clamp(sanitize.ForScreen(line[1:])))
}

// words marks what changed in a line, where one line became one other that has
// much in common with it.
func words(mine, others []string, k int, plain, strong theme.Style) []span {
	text := mine[k]
	if len(mine) != len(others) || k >= len(others) {
		return []span{styled(plain, text)}
	}
	other := others[k]
	front := 0
	for front < min(len(text), len(other)) && text[front] == other[front] {
		front++
	}
	back := 0
	for back < min(len(text), len(other))-front && text[len(text)-1-back] == other[len(other)-1-back] {
		back++
	}
	for front > 0 && front < len(text) && text[front]&0xc0 == 0x80 {
		front--
	}
	for back > 0 && text[len(text)-back]&0xc0 == 0x80 {
		back--
	}
	if front+back < len(text)/2 {
		return []span{styled(plain, text)}
	}
	return []span{styled(plain, text[:front]), styled(strong, text[front:len(text)-back]), styled(plain, text[len(text)-back:])}
}

// diffLine draws a line with its number, its mark and its text.
func (b *block) diffLine(mark rune, number, digits, width int, text []span) []row {
	style := b.t.Output
	switch mark {
	case '+':
		style = b.t.DiffAdd
	case '-':
		style = b.t.DiffDel
	}
	head := []span{styled(b.t.DiffNumber, fmt.Sprintf("%*d ", digits, number)), styled(style, string(mark)+" ")}
	indent := spansWidth(head)
	if width < 3*indent {
		head, indent = []span{styled(style, string(mark)+" ")}, 2
	}
	rows := wrapCells(text, max(1, width-indent))
	for i := range rows {
		rows[i].gutter = head
		if i > 0 {
			rows[i].gutter = []span{plain(strings.Repeat(" ", indent))}
		}
		if width <= indent {
			rows[i].gutter = nil
		}
	}
	return rows
}
