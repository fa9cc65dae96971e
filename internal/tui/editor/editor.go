package editor

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/theme"
)

// Options is what an editor needs. Keys and Theme are required.
type Options struct {
	Keys  *keymap.Map
	Theme *theme.Theme
	// History is what was sent before; nil has none.
	History History
	// Completer finds completions; nil finds none.
	Completer Completer
	// Placeholder is shown while there is no text.
	Placeholder string
}

// Action is what the person wants done with the text: a Submit, an
// OpenExternal, or nil.
type Action interface{ action() }

// Submit wants the text sent. The editor is empty afterwards.
type Submit struct {
	// Text is what was written, with what was pasted in the place of its chip.
	Text string
	// Kind says what the text is, by what the person saw of it: pasted text in
	// a chip cannot make a command of it.
	Kind Kind
	// Images are the pictures in the text, in order; each has its label there.
	Images []chat.Image
	// FollowUp says that it waits for the end of the turn that runs.
	FollowUp bool
}

// OpenExternal wants the text edited in the person's own editor; SetValue
// brings it back.
type OpenExternal struct{ Text string }

func (Submit) action()       {}
func (OpenExternal) action() {}

// Kind is what a text is.
type Kind int

// The kinds of texts.
const (
	Prompt      Kind = iota
	Command          // "/name …"
	Bang             // "!line": run, and told to the model
	PrivateBang      // "!!line": run, and not told
)

// Model is the editor. It belongs to the goroutine of the user interface.
type Model struct {
	keys        *keymap.Map
	theme       *theme.Theme
	completer   Completer
	placeholder string

	text    text
	cursor  pos
	goal    int // column that up and down aim at, −1 for the cursor's own
	journal journal
	ring    killRing
	chips   chips
	past    past
	popup   popup
	did     did // what the last key did
	edits   int // counts what the person changed in the text

	width, limit int // of the rectangle
	top          row // first row that is shown
	busy         bool
	blurred      bool
}

// did is what the last action was, for those that join with the next.
type did int

const (
	didOther did = iota
	didKill
	didYank
)

// New makes an empty editor of no size.
func New(o Options) *Model {
	m := &Model{
		keys:        o.Keys,
		theme:       o.Theme,
		completer:   o.Completer,
		placeholder: o.Placeholder,
		goal:        -1,
		past:        past{history: o.History},
		ring:        killRing{yanked: -1},
	}
	m.text = newText(m.cells)
	return m
}

// SetTheme changes the colours.
func (m *Model) SetTheme(t *theme.Theme) { m.theme = t }

// SetPlaceholder changes what is shown while there is no text.
func (m *Model) SetPlaceholder(s string) { m.placeholder = s }

// SetBusy says whether a turn runs: the follow-up key then queues the text,
// where it otherwise makes a new line.
func (m *Model) SetBusy(busy bool) { m.busy = busy }

// SetFocus says whether keys go to the editor. Without the focus it is dim and
// has no cursor.
func (m *Model) SetFocus(focus bool) {
	m.blurred = !focus
	if m.blurred {
		m.closePopup()
		m.settle()
	}
}

// SetSize sets the width and the largest height, completions and frame
// included.
func (m *Model) SetSize(width, maxHeight int) {
	m.width, m.limit = max(0, width), max(0, maxHeight)
	m.text.width = max(1, m.width-m.gutter()-1) // the last cell is for the cursor
	m.settle()
}

// Value is the whole text as it would be sent.
func (m *Model) Value() string {
	s, _ := m.chips.expand(m.text.string())
	return s
}

// SetValue replaces the text; the cursor stands at its end. It can be undone.
// A picture of the old text stays if its label is in the new one.
func (m *Model) SetValue(s string) {
	m.past.reset()
	m.closePopup()
	s = m.chips.restore(strings.TrimSuffix(clean(s), "\n"), m.text.string())
	m.replace(single, pos{}, m.text.end(), s)
	m.settle()
}

// Insert puts returned text above what is being written. The cursor stays
// where it is in the draft; without a draft it stands behind the text.
func (m *Model) Insert(s string) {
	s = clean(s)
	if s == "" {
		return
	}
	m.past.search = nil
	m.closePopup()
	if m.Empty() {
		m.replace(single, pos{}, m.text.end(), s)
		m.settle()
		return
	}
	s = strings.TrimSuffix(s, "\n") + "\n"
	at := m.cursor
	m.replace(single, pos{}, pos{}, s)
	m.moveTo(pos{at.line + strings.Count(s, "\n"), at.col})
	m.settle()
}

// Empty says that there is no text at all.
func (m *Model) Empty() bool { return m.text.empty() }

// HandlePaste puts pasted text at the cursor: a chip if it is long.
func (m *Model) HandlePaste(s string) tea.Cmd {
	s = clean(s)
	if s == "" {
		return nil
	}
	if q := m.past.search; q != nil {
		first, _, _ := strings.Cut(s, "\n")
		q.query += strings.ReplaceAll(first, "\t", " ")
		m.find(min(q.index, m.past.len()-1), -1)
		m.settle()
		return nil
	}
	if strings.Count(s, "\n") >= chipLines-1 || len(s) >= chipBytes {
		if r, ok := m.chips.addText(s); ok {
			s = string(r)
		}
	}
	m.act(func() { m.replace(single, m.cursor, m.cursor, s) })
	cmd := m.offer(true)
	m.settle() // the list may be open or closed by now
	return cmd
}

// AddImage puts a picture at the cursor, as a chip.
func (m *Model) AddImage(img chat.Image) {
	if r, ok := m.chips.addImage(img); ok {
		m.act(func() { m.replace(single, m.cursor, m.cursor, string(r)) })
		m.settle()
	}
}

// Update takes a Completed and a tea.PasteMsg; everything else is not its own.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		return m.HandlePaste(msg.Content)
	case Completed:
		cmd := m.completed(msg)
		m.settle()
		return cmd
	}
	return nil
}

// bang says whether the text is a shell line.
func (m *Model) bang() bang {
	switch s := m.text.at(0); {
	case strings.HasPrefix(s, "!!"):
		return privateBang
	case strings.HasPrefix(s, "!"):
		return sharedBang
	default:
		return notBang
	}
}

type bang int

const (
	notBang bang = iota
	sharedBang
	privateBang
)

func (b bang) prefix() string { return "!!"[:b] }

// kind is what would be sent.
func (m *Model) kind() Kind {
	switch m.bang() {
	case sharedBang:
		return Bang
	case privateBang:
		return PrivateBang
	case notBang:
	}
	name, slash := strings.CutPrefix(m.text.at(0), "/")
	name, _, _ = strings.Cut(name, " ")
	if slash && name != "" && !strings.ContainsFunc(name, notInName) {
		return Command
	}
	return Prompt
}

// submit takes the text out of the editor. Nothing but white space is not
// sent.
func (m *Model) submit(followUp bool) Action {
	raw := m.text.string()
	if strings.TrimSpace(raw) == "" {
		return nil
	}
	s := Submit{Kind: m.kind(), FollowUp: followUp}
	s.Text, s.Images = m.chips.expand(raw)
	m.past.reset()
	m.closePopup()
	m.text.replace(pos{}, m.text.end(), "")
	m.moveTo(pos{})
	m.journal = journal{}
	return s
}

// clear empties the editor and keeps the text where Up finds it.
func (m *Model) clear() {
	if text := m.text.string(); strings.TrimSpace(text) != "" {
		m.past.keep(text)
	}
	m.replace(single, pos{}, m.text.end(), "")
}
