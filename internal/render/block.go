package render

import (
	"strconv"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/theme"
)

// block collects the rows of one item.
type block struct {
	o    Options
	t    *theme.Theme
	rows []row
}

func newBlock(o Options) *block {
	o = o.withDefaults()
	return &block{o: o, t: o.Theme}
}

func (b *block) lines() []string { return lines(b.rows) }

// line adds one row, cut at the width.
func (b *block) line(spans ...span) {
	b.rows = append(b.rows, row{text: truncate(spans, b.o.Width, b.t.Glyphs.Ellipsis)})
}

// beside puts rows beside a gutter, as long as there is room for both.
func (b *block) beside(gutter span, rows []row) {
	for _, r := range rows {
		if b.o.Width > minGuttered {
			r.gutter = append([]span{gutter}, r.gutter...)
		}
		b.rows = append(b.rows, r)
	}
}

// minGuttered is the width below which nothing stands beside the text.
const minGuttered = 12

// inner is the width beside a gutter of n cells.
func (b *block) inner(n int) int {
	if b.o.Width > minGuttered {
		return b.o.Width - n
	}
	return b.o.Width
}

// output is what a program printed: cleaned, as it is, its last rows only while
// collapsed. shown is how many rows there are and hidden how many more.
func (b *block) output(text string, width, collapsed int) (rows []row, hidden int) {
	text = strings.TrimSuffix(text, "\n")
	if text == "" {
		return nil, 0
	}
	in := strings.Split(text, "\n")
	at := func(i int) string { return clamp(in[i]) }
	if b.o.Expanded {
		collapsed = 1 << 30
	}
	rows, total := tailRows(len(in), at, width, collapsed)
	for i := range rows {
		for j := range rows[i].text {
			rows[i].text[j].open = b.t.Output.Open() + rows[i].text[j].open
		}
	}
	return rows, total - len(rows)
}

// maxCells is how much of one line is shown.
const maxCells = 4000

// clamp shortens a very long line and says by how much.
func clamp(line string) string {
	if len(line) <= maxCells {
		return line
	}
	n := runeCount(line)
	if n <= maxCells {
		return line
	}
	i := 0
	for k := range line {
		if i == maxCells {
			return line[:k] + "… [" + strconv.Itoa(n-maxCells) + " chars omitted]"
		}
		i++
	}
	return line
}

// state is the glyph of how something stands.
func (b *block) state(o chat.Outcome, failed bool, l Live) span {
	g := b.t.Glyphs
	switch {
	case l.Running:
		if f := g.Frame(l.Spinner); f != "" {
			return styled(b.t.Accent, f+" ")
		}
		return styled(b.t.Accent, g.Running+" ")
	case o == "":
		return styled(b.t.Dim, g.Waiting+" ")
	case o == chat.Cancelled, o == chat.TimedOut, o == chat.Interrupted:
		return styled(b.t.Warning, g.Stopped+" ")
	case failed:
		return styled(b.t.Error, g.Failure+" ")
	default:
		return styled(b.t.Success, g.Success+" ")
	}
}

// facts joins facts about a run with separators.
func (b *block) facts(facts []span) []span {
	var out []span
	for i, f := range facts {
		if i > 0 {
			out = append(out, styled(b.t.Dim, b.t.Glyphs.Separator))
		}
		out = append(out, f)
	}
	return out
}

// since is how long something runs by now; "" if that is not known.
func (o Options) since(l Live) string {
	if o.Now.IsZero() || l.Since.IsZero() {
		return ""
	}
	return chat.Seconds(max(0, o.Now.Sub(l.Since)).Truncate(time.Second / 10))
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}
