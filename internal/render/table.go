package render

import (
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"
)

// table draws a table in columns that fit the width. Where that leaves too
// little of each, every row becomes lines of "head: cell".
func (m *markdown) table(t *extast.Table, width int) []row {
	var cells [][][]span
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		open := m.t.Text.Open()
		if _, head := r.(*extast.TableHeader); head {
			open = m.t.Strong.Open()
		}
		var line [][]span
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			line = append(line, m.inline(c, open, ""))
		}
		cells = append(cells, line)
	}
	if len(cells) == 0 || len(cells[0]) == 0 {
		return nil
	}
	widths, ok := columns(cells, width)
	if !ok {
		return m.listed(cells, width)
	}
	var rows []row
	for i, line := range cells {
		rows = append(rows, m.tableRow(line, widths, t.Alignments)...)
		if i == 0 {
			rows = append(rows, m.tableRule(widths))
		}
	}
	return rows
}

// between is how many cells stand between two columns.
const between = 3

// columns shares the width among the columns: narrow ones get what they need,
// the others share the rest.
func columns(cells [][][]span, width int) ([]int, bool) {
	n := len(cells[0])
	want := make([]int, n)
	for _, line := range cells {
		for i := range min(n, len(line)) {
			want[i] = max(want[i], spansWidth(line[i]), 1)
		}
	}
	room := width - between*(n-1)
	const least = 6
	total := 0
	for _, w := range want {
		total += w
	}
	if total <= room {
		return want, true
	}
	if room < least*n {
		return nil, false
	}
	got := make([]int, n)
	open := n
	for changed := true; changed && open > 0; {
		changed = false
		share := room / open
		for i, w := range want {
			if got[i] == 0 && w <= share {
				got[i], changed = w, true
				room -= w
				open--
			}
		}
	}
	for i := range got {
		if got[i] == 0 {
			got[i] = room / open
			room -= got[i]
			open--
		}
	}
	return got, true
}

func (m *markdown) tableRow(line [][]span, widths []int, align []extast.Alignment) []row {
	columns := make([][]row, len(widths))
	height := 1
	for i := range widths {
		if i < len(line) {
			columns[i] = wrapLines(line[i], widths[i])
		}
		height = max(height, len(columns[i]))
	}
	rows := make([]row, height)
	for y := range rows {
		var out []span
		for i, w := range widths {
			if i > 0 {
				out = append(out, styled(m.t.Rule, " "+cmpOr(m.t.Glyphs.RuleVertical, "|")+" "))
			}
			var text []span
			if y < len(columns[i]) {
				text = columns[i][y].text
			}
			pad := max(0, w-spansWidth(text))
			left := 0
			if i < len(align) {
				switch align[i] {
				case extast.AlignRight:
					left = pad
				case extast.AlignCenter:
					left = pad / 2
				default:
				}
			}
			out = append(out, plain(strings.Repeat(" ", left)))
			out = append(out, text...)
			if i < len(widths)-1 {
				out = append(out, plain(strings.Repeat(" ", pad-left)))
			}
		}
		rows[y].text = out
	}
	return rows
}

func (m *markdown) tableRule(widths []int) row {
	g, cross := cmpOr(m.t.Glyphs.Rule, "-"), cmpOr(m.t.Glyphs.Cross, "+")
	var b strings.Builder
	for i, w := range widths {
		if i > 0 {
			b.WriteString(g + cross + g)
		}
		b.WriteString(strings.Repeat(g, w))
	}
	return row{text: []span{styled(m.t.Rule, b.String())}}
}

// listed draws each row of a table as lines.
func (m *markdown) listed(cells [][][]span, width int) []row {
	var rows []row
	for i, line := range cells[1:] {
		if i > 0 {
			rows = append(rows, row{})
		}
		for k, cell := range line {
			var head []span
			if k < len(cells[0]) {
				head = append(append(head, cells[0][k]...), styled(m.t.Dim, ": "))
			}
			rows = append(rows, wrapLines(append(head, cell...), width)...)
		}
	}
	return rows
}
