package dialog

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/theme"
)

// Question asks whether a tool call may run. It shows the whole of what would
// run, with everything that is hidden in it made visible.
type Question struct {
	frame
	keys  *keymap.Map
	guard guard

	about   chat.Question
	choices []choice
	chosen  int // −1 while the accept key would mean nothing
	from    int // first visible line of the text
	laid    []string
	laidFor int
	word    field // what the model is told with a no
	typing  bool
}

type choice struct {
	key          keymap.Action
	short, label string
	reply        chat.Decision
}

// QuestionOptions is what a Question needs. Keys and Theme are required.
type QuestionOptions struct {
	Keys  *keymap.Map
	Theme *theme.Theme
	About chat.Question
	// Ready chooses the first answer from the start, so that the accept key
	// alone says yes. It is for a moment in which no text is being written that
	// the key could be meant for.
	Ready bool
	Now   func() time.Time // nil: time.Now
}

// NewQuestion makes a question of no size.
func NewQuestion(o QuestionOptions) *Question {
	if o.Now == nil {
		o.Now = time.Now
	}
	q := &Question{frame: frame{theme: o.Theme}, keys: o.Keys, guard: newGuard(o.Now), about: o.About, chosen: -1}
	if o.Ready {
		q.chosen = 0
	}
	q.choices = append(q.choices, choice{keymap.AllowOnce, "once", "Yes, this once", chat.AllowOnce})
	if rules := q.rules(); rules != "" {
		q.choices = append(q.choices,
			choice{keymap.AllowSession, "session", "Yes, and in this session always " + rules, chat.AllowSession},
			choice{keymap.AllowAlways, "always", "Yes, and from now on always " + rules, chat.AllowAlways})
	}
	q.choices = append(q.choices, choice{keymap.Refuse, "no", "No, and tell the model why", chat.Deny})
	return q
}

// rules is what "always" would allow.
func (q *Question) rules() string {
	return sanitize.OneLine(sanitize.ForApproval(strings.Join(q.about.Rules, ", ")))
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

// SetTheme changes the colours.
func (q *Question) SetTheme(t *theme.Theme) {
	q.frame.SetTheme(t)
	q.laid = nil
}

// Want is the height that shows all of it.
func (q *Question) Want(width int) int { return len(q.text(width)) + len(q.choices) + 3 }

// SetSize sets the rectangle.
func (q *Question) SetSize(width, height int) {
	q.resize(width, height)
	q.scroll(0)
}

// leastText is how many lines of the text must be seen beside the list of
// answers; where they are not, the answers share one row.
const leastText = 3

// listed says that each answer has a row of its own.
func (q *Question) listed() bool {
	return q.rows() >= len(q.choices)+1+min(leastText, len(q.text(q.width)))
}

// seen is how many lines of the text are shown.
func (q *Question) seen() int {
	room := q.rows() - 1
	switch {
	case q.typing:
		room = q.rows() - 1
	case q.listed():
		room = q.rows() - len(q.choices) - 1
	}
	return max(0, min(room, len(q.text(q.width))))
}

func (q *Question) scroll(by int) {
	q.from = max(0, min(q.from+by, len(q.text(q.width))-q.seen()))
}

// HandleKey answers, scrolls, or types the word that goes with a no. Closing
// is always meant, and so is scrolling.
func (q *Question) HandleKey(k tea.KeyPressMsg) Action {
	is := func(a keymap.Action) bool { return q.keys.Is(k.String(), a) }
	if q.typing {
		return q.typeWord(k)
	}
	switch {
	case is(keymap.DialogCancel):
		return Closed{}
	case is(keymap.PageUp):
		q.scroll(-max(1, q.seen()-1))
		return nil
	case is(keymap.PageDown):
		q.scroll(max(1, q.seen()-1))
		return nil
	}
	answer := -1
	for i, c := range q.choices {
		if is(c.key) {
			answer = i
		}
	}
	if q.guard.eats(k, answer >= 0) {
		if q.guard.typing {
			q.chosen = -1
		}
		return nil
	}
	switch {
	case answer >= 0 && q.guard.typing:
		q.chosen = answer
		q.guard.restart(k.String())
	case answer >= 0:
		q.chosen = answer
		return q.accept()
	case is(keymap.DialogUp):
		q.chosen = (max(q.chosen, 0) + len(q.choices) - 1) % len(q.choices)
	case is(keymap.DialogDown):
		q.chosen = (q.chosen + 1) % len(q.choices)
	case is(keymap.DialogAccept) && q.chosen >= 0:
		return q.accept()
	}
	return nil
}

// typeWord takes the keys of the line that goes with a no.
func (q *Question) typeWord(k tea.KeyPressMsg) Action {
	switch key := k.String(); {
	case q.keys.Is(key, keymap.DialogAccept):
		return q.answer(chat.Deny)
	case q.keys.Is(key, keymap.DialogCancel):
		q.typing = false
	default:
		q.word.handleKey(q.keys, k)
	}
	return nil
}

// accept takes the choice; a no asks for a word first.
func (q *Question) accept() Action {
	c := q.choices[q.chosen]
	if c.reply == chat.Deny {
		q.typing = true
		q.scroll(0)
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

// HandleClick takes the answer under the mouse.
func (q *Question) HandleClick(_, y int) Action {
	i := y - q.first() - q.seen() - 1
	if q.typing || !q.listed() || i < 0 || i >= len(q.choices) || q.guard.early() {
		return nil
	}
	q.chosen = i
	return q.accept()
}
