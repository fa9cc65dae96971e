package dialog

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
)

// grace is how long a question takes no answer: a key that was typed for the
// prompt, before the question was there to be seen, decides nothing.
const grace = 300 * time.Millisecond

// Question asks whether a tool call may run. It shows the whole of what would
// run, with everything that is hidden in it made visible.
type Question struct {
	frame
	keys *keymap.Map
	now  func() time.Time
	born time.Time

	about   chat.Question
	choices []choice
	chosen  int
	from    int // first visible line of the text
	laid    []string
	width0  int
	word    field // what the model is told with a no
	typing  bool
}

type choice struct {
	key   keymap.Action
	label string
	reply chat.Decision
}

// QuestionOptions is what a Question needs. Keys and Theme are required.
type QuestionOptions struct {
	Keys  *keymap.Map
	Theme *theme.Theme
	About chat.Question
	Now   func() time.Time // nil: time.Now
}

// NewQuestion makes a question of no size.
func NewQuestion(o QuestionOptions) *Question {
	if o.Now == nil {
		o.Now = time.Now
	}
	q := &Question{frame: frame{theme: o.Theme}, keys: o.Keys, now: o.Now, born: o.Now(), about: o.About}
	q.choices = append(q.choices, choice{keymap.AllowOnce, "Yes, this once", chat.AllowOnce})
	if rules := strings.Join(o.About.Rules, ", "); rules != "" {
		rules = sanitize.OneLine(sanitize.ForApproval(rules))
		q.choices = append(q.choices,
			choice{keymap.AllowSession, "Yes, and in this session always " + rules, chat.AllowSession},
			choice{keymap.AllowAlways, "Yes, and from now on always " + rules, chat.AllowAlways})
	}
	q.choices = append(q.choices, choice{keymap.Refuse, "No, and tell the model why", chat.Deny})
	return q
}

// ID is the question's.
func (q *Question) ID() string { return q.about.ID }

// Title is what stands above it.
func (q *Question) Title() string {
	if q.about.Destructive {
		return "This could destroy something. Run it?"
	}
	for _, a := range q.about.Access {
		switch a.Kind {
		case chat.AccessRun:
			return "Run this command?"
		case chat.AccessWrite:
			return "Change this file?"
		default:
		}
	}
	return "Allow this?"
}

// text is what is asked about, laid out for a width.
func (q *Question) text(width int) []string {
	if q.width0 == width && q.laid != nil {
		return q.laid
	}
	q.width0 = width
	var out []string
	add := func(style theme.Style, text string) {
		for l := range strings.SplitSeq(text, "\n") {
			out = append(out, q.wrap(style, l, width)...)
		}
	}
	for _, a := range q.about.Access {
		switch a.Kind {
		case chat.AccessRun:
			add(q.theme.Strong, sanitize.ForApproval(a.Command))
			if a.Dir != "" {
				add(q.theme.Dim, "in "+sanitize.ForApproval(a.Dir))
			}
		default:
			add(q.theme.Strong, sanitize.ForApproval(a.Path))
		}
	}
	if q.about.Reason != "" {
		style := q.theme.Warning
		if q.about.Destructive {
			style = q.theme.Error
		}
		add(style, "Asks because "+sanitize.ForApproval(q.about.Reason))
	}
	for _, p := range q.about.Parts {
		if !q.said(p) {
			add(q.theme.Text, q.theme.Glyphs.Bullet(0)+" "+sanitize.OneLine(sanitize.ForApproval(p)))
		}
	}
	for _, l := range changes(q.about.Call) {
		style := q.theme.DiffAdd
		if strings.HasPrefix(l, "-") {
			style = q.theme.DiffDel
		}
		add(style, l[:2]+sanitize.ForApproval(l[2:]))
	}
	q.laid = out
	return out
}

// said says that a part is the whole of what is asked about.
func (q *Question) said(part string) bool {
	for _, a := range q.about.Access {
		if part == a.Path || part == a.Command {
			return true
		}
	}
	return false
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

// wrap breaks a line wherever the width ends: nothing of a command is left out.
func (q *Question) wrap(style theme.Style, line string, width int) []string {
	if line == "" {
		return []string{""}
	}
	var out []string
	for line != "" {
		part := q.fitExactly(line, max(1, width))
		out = append(out, style.Render(part))
		line = line[len(part):]
	}
	return out
}

// fitExactly is the longest beginning of a line that fits, at least one
// character.
func (q *Question) fitExactly(line string, width int) string {
	room, n := width, 0
	for _, c := range clusters(line) {
		w := wide(c)
		if room -= w; room < 0 && n > 0 {
			break
		}
		n += len(c)
	}
	return line[:n]
}

// Want is the height that shows all of it.
func (q *Question) Want(width int) int { return len(q.text(width-2)) + len(q.choices) + 3 }

// SetSize sets the rectangle.
func (q *Question) SetSize(width, height int) {
	q.resize(width, height)
	q.scroll(0)
}

// room is how many lines of the text are seen: the choices come first.
func (q *Question) room() int {
	need := len(q.choices)
	if q.typing {
		need = 1
	}
	return max(0, q.rows()-need-1)
}

func (q *Question) scroll(by int) {
	q.from = max(0, min(q.from+by, len(q.text(q.width-2))-q.room()))
}

// HandleKey answers, scrolls, or types the word that goes with a no.
func (q *Question) HandleKey(k tea.KeyPressMsg) Action {
	key := k.String()
	is := func(a keymap.Action) bool { return q.keys.Is(key, a) }
	if q.now().Sub(q.born) < grace && !is(keymap.DialogCancel) { // stopping is always meant
		return nil
	}
	if q.typing {
		switch {
		case is(keymap.DialogAccept):
			return q.answer(chat.Deny)
		case is(keymap.DialogCancel):
			q.typing = false
		default:
			q.word.handleKey(q.keys, k)
		}
		return nil
	}
	for i, c := range q.choices {
		if is(c.key) {
			q.chosen = i
			return q.accept()
		}
	}
	switch {
	case is(keymap.DialogUp):
		q.chosen = (q.chosen + len(q.choices) - 1) % len(q.choices)
	case is(keymap.DialogDown):
		q.chosen = (q.chosen + 1) % len(q.choices)
	case is(keymap.PageUp):
		q.scroll(-max(1, q.room()-1))
	case is(keymap.PageDown):
		q.scroll(max(1, q.room()-1))
	case is(keymap.DialogAccept):
		return q.accept()
	case is(keymap.DialogCancel):
		return Closed{}
	}
	return nil
}

// accept takes the choice; a no asks for a word first.
func (q *Question) accept() Action {
	c := q.choices[q.chosen]
	if c.reply == chat.Deny {
		q.typing = true
		return nil
	}
	return q.answer(c.reply)
}

func (q *Question) answer(d chat.Decision) Action {
	return Answered{ID: q.about.ID, Reply: chat.Reply{Decision: d, Word: strings.TrimSpace(q.word.text())}}
}

// HandlePaste types text into the word for the model.
func (q *Question) HandlePaste(s string) {
	if q.typing {
		q.word.insert(s)
	}
}

// HandleWheel scrolls the text.
func (q *Question) HandleWheel(rows int) { q.scroll(rows) }

// HandleClick takes the choice under the mouse.
func (q *Question) HandleClick(_, y int) Action {
	i := y - q.first() - min(q.room(), len(q.text(q.width-2))) - 1
	if q.typing || i < 0 || i >= len(q.choices) || q.now().Sub(q.born) < grace {
		return nil
	}
	q.chosen = i
	return q.accept()
}

// Cursor stands in the word for the model.
func (q *Question) Cursor() (x, y int, ok bool) {
	if !q.typing || q.rows() < 1 || q.width < 4 {
		return 0, 0, false
	}
	_, x = q.word.view(q.width-2, "")
	return x + 2, q.first() + q.typedRow(), true
}

func (q *Question) typedRow() int {
	return min(q.rows()-1, min(q.room(), len(q.text(q.width-2)))+1)
}

// View draws the text and the choices under it.
func (q *Question) View() string {
	text := q.text(q.width - 2)
	seen := min(q.room(), len(text))
	var content []string
	for _, l := range text[min(q.from, len(text)):min(len(text), q.from+seen)] {
		content = append(content, " "+l)
	}
	if q.rows() > len(q.choices) {
		content = append(content, "")
	}
	l := labels{title: q.Title(), style: q.theme.Warning}
	if q.about.Destructive {
		l.style = q.theme.Error
	}
	if seen < len(text) {
		l.note = fmt.Sprintf("%d of %d lines", q.from+seen, len(text))
	}
	if q.typing {
		content = append(content, q.typed())
		l.hint = q.hint(q.keys.Key(keymap.DialogAccept), "refuse", q.keys.Key(keymap.DialogCancel), "back")
		return q.draw(content, l)
	}
	for i, c := range q.choices {
		row := q.sign(i == q.chosen) + q.keys.Key(c.key) + "  " + c.label
		if i == q.chosen {
			content = append(content, q.bar(row))
			continue
		}
		content = append(content, q.theme.Text.Render(q.fit(row, q.width)))
	}
	if extra := len(content) - q.rows(); extra > 0 { // the choices are what counts
		content = content[extra:]
	}
	l.hint = q.hint(q.keys.Key(keymap.DialogAccept), "choose", q.keys.Key(keymap.DialogCancel), "interrupt", q.keys.Key(keymap.PageDown), "more")
	return q.draw(content, l)
}

func (q *Question) typed() string {
	if q.word.empty() {
		return q.theme.Key.Render(q.sign(true)) + q.theme.Placeholder.Render(q.fit("what should it do instead? (may stay empty)", q.width-2))
	}
	text, _ := q.word.view(q.width-2, "")
	return q.theme.Key.Render(q.sign(true)) + q.theme.Text.Render(text)
}
