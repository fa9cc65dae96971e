package editor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/fuzzy"
	"github.com/seed7484d81d/agent/internal/keymap"
)

// Subject is what kind of thing is being completed.
type Subject int

// The subjects.
const (
	Files     Subject = iota // after "@": a file of the project
	Commands                 // after "/" at the start: a command
	Arguments                // after a command's name
	Paths                    // Tab on a word: a path
	Programs                 // Tab on the first word after "!"
)

// Query asks for completions.
type Query struct {
	Subject Subject
	// Prefix is what stands before the cursor, without "@", "/", quotes and
	// backslashes.
	Prefix string
	// Command is the command's name, for Arguments.
	Command string
	// Generation goes into the Completed that answers later.
	Generation int
}

// Candidate is one completion.
type Candidate struct {
	// Text comes in the place of the whole prefix: "src/main.go", "help".
	Text string
	// Detail explains it, in a few words. It may be empty.
	Detail string
	// Partial says that it goes on, as a directory does: no space follows, and
	// what is in it is offered next.
	Partial bool
	// Final says that there is nothing to add: Enter takes it and sends.
	Final bool
}

// Completer finds completions. It is called on every key that changes what is
// being completed and must return at once: what it has, and, if finding more
// takes time, a Cmd whose message is a Completed. The editor ranks and filters
// what it gets against the prefix; whoever has more than some thousands does
// that itself.
type Completer interface {
	Complete(q Query) (have []Candidate, more tea.Cmd)
}

// Completed brings completions that took time. It goes to Update, and is
// ignored if another query was made in the meantime.
type Completed struct {
	Generation int
	Candidates []Candidate
}

// token is what the cursor stands behind and what completes it.
type token struct {
	Query
	from pos // what is replaced starts here and ends at the cursor
	// quote is how white space in the completion is written.
	quote quoting
}

type quoting int

const (
	noQuotes quoting = iota
	inQuotes         // @"a b"
	escaped          // a\ b
)

// popup is the list of completions above the prompt.
type popup struct {
	token      token
	asked      bool // token was put to the completer
	byTab      bool // asked for, not offered
	moved      bool // the person chose among them
	dismissed  bool // not offered again for this word
	candidates []Candidate
	shown      []fuzzy.Match
	selected   int
	generation int
}

// maxShown is how many completions are ranked into the list.
const maxShown = 200

func (p *popup) open() bool { return len(p.shown) > 0 }

func (p *popup) chosen() Candidate { return p.candidates[p.shown[p.selected].Index] }

// set shows candidates, best first.
func (p *popup) set(all []Candidate) {
	all = slices.Clone(all)
	for i := range all {
		all[i].Text, all[i].Detail = oneLine(all[i].Text), oneLine(all[i].Detail)
	}
	p.candidates = all
	p.shown = fuzzy.Rank(p.token.Prefix, len(all), func(i int) string { return all[i].Text }, maxShown)
	p.selected = 0
}

func (m *Model) closePopup() {
	generation := m.popup.generation + 1 // what is still on its way is too late
	m.popup = popup{generation: generation}
}

// offer keeps the list in step with the text, after every key. A list opens
// only when something was typed, not when the cursor passes by.
func (m *Model) offer(edited bool) tea.Cmd {
	p := &m.popup
	if !edited && !p.asked {
		return nil
	}
	tok, ok := m.current()
	sameWord := ok && p.asked && tok.Subject == p.token.Subject && tok.from == p.token.from
	switch {
	case !ok, !sameWord && !edited:
		m.closePopup()
	case !sameWord:
		return m.ask(tok, false)
	case p.dismissed:
		p.token = tok
	case tok.Prefix != p.token.Prefix:
		return m.ask(tok, p.byTab)
	}
	return nil
}

// current is what would be completed at the cursor: what is offered, or the
// word that Tab was pressed on.
func (m *Model) current() (token, bool) {
	if m.completer == nil || m.past.search != nil {
		return token{}, false
	}
	if tok, ok := m.offered(); ok || !m.popup.byTab {
		return tok, ok
	}
	tok, ok := m.tabbed()
	return tok, ok && tok.from == m.popup.token.from
}

func (m *Model) ask(tok token, byTab bool) tea.Cmd {
	generation := m.popup.generation + 1
	tok.Generation = generation
	m.popup = popup{token: tok, asked: true, byTab: byTab, generation: generation}
	have, more := m.completer.Complete(tok.Query)
	m.popup.set(have)
	return more
}

// complete is the Tab key: it completes as far as there is no doubt, and lists
// the rest. It says whether there was anything to complete.
func (m *Model) complete() (used bool, cmd tea.Cmd) {
	if m.completer == nil {
		return false, nil
	}
	tok, ok := m.tabbed()
	if !ok {
		return false, nil
	}
	cmd = m.ask(tok, true)
	return true, tea.Batch(cmd, m.advance())
}

// advance takes the only completion, or what all have in common.
func (m *Model) advance() tea.Cmd {
	p := &m.popup
	switch len(p.shown) {
	case 0:
		return nil
	case 1:
		return m.accept()
	}
	if common := p.common(); len(common) > len(p.token.Prefix) && strings.HasPrefix(common, p.token.Prefix) {
		m.replace(single, p.token.from, m.cursor, p.token.write(common, true))
		return m.offer(true)
	}
	return nil
}

// common is what all completions start with.
func (p *popup) common() string {
	all := p.candidates[p.shown[0].Index].Text
	for _, s := range p.shown[1:] {
		text, n := p.candidates[s.Index].Text, 0
		for n < min(len(all), len(text)) && all[n] == text[n] {
			n++
		}
		all = all[:n]
	}
	for all != "" && !utf8.ValidString(all) {
		all = all[:len(all)-1]
	}
	return all
}

// accept puts the chosen completion into the text.
func (m *Model) accept() tea.Cmd {
	c, tok := m.popup.chosen(), m.popup.token
	s := tok.write(c.Text, c.Partial)
	spaced := strings.HasPrefix(m.text.at(m.cursor.line)[m.cursor.col:], " ")
	if !c.Partial && !spaced {
		s += " "
	}
	byTab := m.popup.byTab
	m.replace(single, tok.from, m.cursor, s)
	m.closePopup()
	if !c.Partial && spaced {
		m.moveTo(m.rightOf(m.cursor))
	}
	next, ok := m.tabbed()
	switch {
	case ok && c.Partial:
		return m.ask(next, byTab)
	case ok && c.Final: // nothing is to be added, so nothing is offered
		m.popup.token, m.popup.asked, m.popup.dismissed = next, true, true
	}
	return nil
}

// popupKey takes the keys of the open list.
func (m *Model) popupKey(key string) (used bool, act Action, cmd tea.Cmd) {
	is := func(a keymap.Action) bool { return m.keys.Is(key, a) }
	p := &m.popup
	switch n := len(p.shown); {
	case is(keymap.Up), is(keymap.HistoryPrev):
		p.selected, p.moved = (p.selected+n-1)%n, true
	case is(keymap.Down), is(keymap.HistoryNext):
		p.selected, p.moved = (p.selected+1)%n, true
	case is(keymap.PageUp):
		p.selected, p.moved = max(0, p.selected-maxPopup), true
	case is(keymap.PageDown):
		p.selected, p.moved = min(n-1, p.selected+maxPopup), true
	case is(keymap.Interrupt):
		p.shown, p.candidates, p.dismissed = nil, nil, true
		p.generation++
	case is(keymap.Complete):
		cmd = m.accept()
	case is(keymap.Send):
		return m.enter()
	default:
		return false, nil, nil
	}
	return true, nil, cmd
}

// enter is Enter while the list is open. It takes the completion, unless that
// would change nothing or nobody asked for it: then the text is sent, for a
// person who typed it whole wants it run.
func (m *Model) enter() (used bool, act Action, cmd tea.Cmd) {
	p := &m.popup
	c := p.chosen()
	whole := c.Text == p.token.Prefix
	unasked := p.token.Subject == Arguments && !p.moved
	if !p.moved && whole || unasked {
		m.closePopup()
		return false, nil, nil
	}
	cmd = m.accept()
	if c.Final && m.cursor == m.text.end() {
		act = m.submit(false)
	}
	return true, act, cmd
}

// write is a completion as it stands in the text.
func (t token) write(s string, partial bool) string {
	spaced := strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) })
	switch {
	case t.quote == escaped:
		return escape(s)
	case t.quote == inQuotes && spaced && partial:
		return `"` + s
	case t.quote == inQuotes && spaced:
		return `"` + s + `"`
	default:
		return s
	}
}

// escape writes a path for the shell.
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		home := r == '~' && i == 0
		if !home && strings.ContainsRune(" \t\\'\"`$&|;<>()[]{}*?!#~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// completed shows completions that took time, with the chosen one still
// chosen.
func (m *Model) completed(c Completed) tea.Cmd {
	p := &m.popup
	if !p.asked || p.dismissed || c.Generation != p.generation {
		return nil
	}
	if !p.open() {
		p.set(c.Candidates)
		if p.byTab {
			return m.advance()
		}
		return nil
	}
	chosen, moved := p.chosen().Text, p.moved
	p.set(c.Candidates)
	for i, s := range p.shown {
		if moved && p.candidates[s.Index].Text == chosen {
			p.selected = i
		}
	}
	return nil
}

// oneLine makes text from outside fit for one row of the list.
func oneLine(s string) string {
	if s = clean(s); !strings.ContainsAny(s, "\n\t") {
		return s
	}
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(s)
}
