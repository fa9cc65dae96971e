package dialog

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
)

// text is what is asked about, laid out for the width of the dialog: why it
// asks, then the whole of what would be done.
func (q *Question) text(width int) []string {
	if q.laidFor == width && q.laid != nil {
		return q.laid
	}
	q.laid, q.laidFor = []string{}, width
	q.addReason()
	for _, a := range q.about.Access {
		q.addAccess(a)
	}
	for _, l := range changes(q.about.Call) {
		style := q.theme.DiffAdd
		if strings.HasPrefix(l, "-") {
			style = q.theme.DiffDel
		}
		q.add(style, l)
	}
	if n := len(q.choices); n > 2 && wide(q.choiceRow(n-2)) > width {
		q.add(q.theme.Dim, "Always would allow "+sanitize.ForApproval(strings.Join(q.about.Rules, ", ")))
	}
	return q.laid
}

// add lays out a text of any number of lines, none of it left out.
func (q *Question) add(style theme.Style, text string) {
	for line := range strings.SplitSeq(sanitize.ForApproval(text), "\n") {
		q.laid = append(q.laid, breakLine(style, line, max(1, q.laidFor-2))...)
	}
}

func (q *Question) addReason() {
	if q.about.Reason != "" {
		style := q.theme.Warning
		if q.about.Destructive {
			style = q.theme.Error
		}
		q.add(style, "Asks because "+q.about.Reason)
	}
	for _, p := range q.about.Parts {
		if !q.said(p) {
			q.add(q.theme.Text, q.theme.Glyphs.Bullet(0)+" "+strings.ReplaceAll(p, "\n", " "))
		}
	}
}

func (q *Question) addAccess(a chat.Access) {
	if a.Kind != chat.AccessRun {
		q.add(q.theme.Strong, a.Path)
		return
	}
	q.add(q.theme.Strong, a.Command)
	for _, name := range slices.Sorted(maps.Keys(a.Env)) {
		q.add(q.theme.Strong, "with "+name+"="+strconv.Quote(a.Env[name]))
	}
	if a.Dir != "" {
		q.add(q.theme.Dim, "in "+a.Dir)
	}
}

// said says that a part is the whole of what is asked about.
func (q *Question) said(part string) bool {
	return slices.ContainsFunc(q.about.Access, func(a chat.Access) bool { return part == a.Path || part == a.Command })
}

// changes are the lines that a call would put into a file, and those it would
// take out of it.
func changes(call chat.ToolCall) []string {
	var args struct {
		Content string `json:"content"`
		Edits   []struct {
			Old string `json:"old"`
			New string `json:"new"`
		} `json:"edits"`
	}
	if json.Unmarshal(call.Args, &args) != nil {
		return nil
	}
	var out []string
	mark := func(sign, text string) {
		if text != "" {
			for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
				out = append(out, sign+" "+strings.TrimSuffix(strings.ReplaceAll(l, "\t", "    "), "\r"))
			}
		}
	}
	mark("+", args.Content)
	for _, e := range args.Edits {
		mark("-", e.Old)
		mark("+", e.New)
	}
	return out
}

// breakLine breaks a line into rows: behind a space if there is one in the row,
// else where the width ends. Every character of it is in one of the rows.
func breakLine(style theme.Style, line string, width int) []string {
	var rows []string
	start, space, used := 0, 0, 0 // the row begins, its last space ends, cells in it
	for i := 0; i < len(line); {
		c := firstCluster(line[i:])
		if used += wide(c); used > width && i > start {
			if space > start {
				i = space
			}
			rows = append(rows, style.Render(line[start:i]))
			start, used = i, 0
			continue
		}
		i += len(c)
		if c == " " {
			space = i
		}
	}
	return append(rows, style.Render(line[start:]))
}

// View draws the text and the answers under it.
func (q *Question) View() string {
	text, seen := q.text(q.width), q.seen()
	content := make([]string, 0, q.rows())
	for _, l := range text[q.from : q.from+seen] {
		content = append(content, " "+l)
	}
	l := labels{title: q.Title(), style: q.theme.Warning, hint: q.hints()}
	if q.about.Destructive {
		l.style = q.theme.Error
	}
	if seen < len(text) {
		l.note = fmt.Sprintf("%d–%d of %d", q.from+1, q.from+seen, len(text))
	}
	switch {
	case q.typing:
		content = append(content, q.wordRow())
	case q.listed():
		content = append(content, "")
		for i := range q.choices {
			content = append(content, q.listRow(i))
		}
	default:
		content = append(content, q.oneRow())
	}
	return q.draw(content, l)
}

// hints names the keys that work at the moment.
func (q *Question) hints() string {
	accept, cancel := q.keys.Key(keymap.DialogAccept), q.keys.Key(keymap.DialogCancel)
	if q.typing {
		return q.hint(accept, "refuse", cancel, "back")
	}
	var pairs []string
	if q.chosen >= 0 {
		pairs = append(pairs, accept, q.choices[q.chosen].short)
	}
	pairs = append(pairs, cancel, "interrupt")
	if q.seen() < len(q.text(q.width)) {
		pairs = append([]string{q.keys.Key(keymap.PageDown), "more"}, pairs...)
	}
	return q.hint(pairs...)
}

func (q *Question) choiceRow(i int) string {
	c := q.choices[i]
	return q.sign(i == q.chosen) + q.keys.Key(c.key) + "  " + c.label
}

func (q *Question) listRow(i int) string {
	row := q.choiceRow(i)
	if i == q.chosen {
		return q.bar(row)
	}
	return q.theme.Text.Render(q.fit(row, q.width))
}

// oneRow is all answers side by side: with their words if there is room, else
// only the chosen one has its word.
func (q *Question) oneRow() string {
	row := q.answers(func(int) bool { return true }, theme.Style{})
	say := func(int) bool { return true }
	if wide(row) > q.width {
		say = func(i int) bool { return i == q.chosen }
	}
	return q.answers(say, q.theme.Selection)
}

func (q *Question) answers(say func(i int) bool, chosen theme.Style) string {
	parts := make([]string, 0, len(q.choices))
	for i, c := range q.choices {
		part := q.keys.Key(c.key)
		if say(i) {
			part += " " + c.short
		}
		if i == q.chosen {
			part = chosen.Render(part)
		}
		parts = append(parts, part)
	}
	return " " + strings.Join(parts, "  ")
}

// wordRow is the line that goes with a no.
func (q *Question) wordRow() string {
	if q.word.empty() {
		return q.theme.Key.Render(q.sign(true)) + q.theme.Placeholder.Render(q.fit("what should it do instead? (may stay empty)", q.width-2))
	}
	text, _ := q.word.view(q.width-2, "")
	return q.theme.Key.Render(q.sign(true)) + q.theme.Text.Render(text)
}

// Cursor stands in the word for the model.
func (q *Question) Cursor() (x, y int, ok bool) {
	if !q.typing || q.rows() < 1 || q.width < 4 {
		return 0, 0, false
	}
	_, x = q.word.view(q.width-2, "")
	return x + 2, q.first() + q.seen(), true
}
