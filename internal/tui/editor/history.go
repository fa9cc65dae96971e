package editor

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/keymap"
)

// History is what was sent before, oldest first. Both methods return at once.
// The program adds to it when it gets a Submit; entries never change.
type History interface {
	Len() int
	At(i int) string
}

// draft is a text that was cleared without being sent. It stands in the
// history behind the entries that were there at the time.
type draft struct {
	text string
	at   int
}

// past is the way through the history: where the editor stands in it and what
// was changed on the way.
type past struct {
	history History
	drafts  []draft
	away    bool           // an entry is shown, not the text that is being written
	index   int            // which one
	edits   map[int]string // what the person made of entries, and of the present
	search  *search
}

// maxDrafts is how many cleared texts are kept.
const maxDrafts = 20

func (p *past) len() int {
	n := len(p.drafts)
	if p.history != nil {
		n += p.history.Len()
	}
	return n
}

// entry is the text at index i, where the cleared drafts stand in between.
func (p *past) entry(i int) string {
	for k, d := range p.drafts {
		if i == d.at+k {
			return d.text
		}
		if i < d.at+k {
			return clean(p.history.At(i - k))
		}
	}
	return clean(p.history.At(i - len(p.drafts)))
}

// keep remembers a text that was cleared.
func (p *past) keep(text string) {
	at := 0
	if p.history != nil {
		at = p.history.Len()
	}
	p.drafts = append(p.drafts, draft{text, at})
	if len(p.drafts) > maxDrafts {
		p.drafts = append(p.drafts[:0], p.drafts[1:]...)
	}
	p.reset()
}

// reset comes back to the present.
func (p *past) reset() { p.away, p.index, p.edits, p.search = false, 0, nil, nil }

// browse shows an earlier (−1) or later (+1) entry and says whether there was
// one. What was written stays, on the way there and back.
func (m *Model) browse(step int) bool {
	p := &m.past
	if !p.away {
		p.index, p.edits = p.len(), map[int]string{}
	}
	now := m.text.string()
	to := p.index + step
	text, ok := p.look(to)
	for ok && text == now {
		to += step
		text, ok = p.look(to)
	}
	if !ok {
		return false
	}
	if p.index == p.len() || p.entry(p.index) != now {
		p.edits[p.index] = now
	}
	p.index, p.away = to, to < p.len()
	m.show(text, step < 0)
	return true
}

// look is what stands at index i, with the person's changes to it.
func (p *past) look(i int) (string, bool) {
	if i < 0 || i > p.len() {
		return "", false
	}
	if text, ok := p.edits[i]; ok {
		return text, true
	}
	if i == p.len() {
		return "", false
	}
	return p.entry(i), true
}

// show replaces the whole text. Going back, the cursor stays on the first row,
// so that the next step goes on through the history.
func (m *Model) show(text string, back bool) {
	if text != m.text.string() {
		m.replace(browsing, pos{}, m.text.end(), text)
	}
	if back {
		end, _ := m.text.rowEnd(0, 0)
		if _, last := m.text.rowEnd(0, 0); !last {
			end = before(m.text.at(0), end)
		}
		m.moveTo(pos{0, end})
	}
}

// search is the incremental search: the latest entry that holds the query.
type search struct {
	query  string
	index  int  // the entry that is shown
	failed bool // none holds the query
	text   string
	cursor pos
}

// searchable bounds how much of an entry is looked at.
const searchable = 1 << 16

func (m *Model) startSearch() {
	m.past.search = &search{index: m.past.len(), text: m.text.string(), cursor: m.cursor}
	m.closePopup()
}

// searchKey takes the keys of the search. A key that is none of them ends it
// with the entry that is shown, and is then used as always.
func (m *Model) searchKey(k tea.KeyPressMsg) (used bool) {
	s, key := m.past.search, k.String()
	switch {
	case m.keys.Is(key, keymap.HistorySearch), m.keys.Is(key, keymap.HistoryPrev), m.keys.Is(key, keymap.Up):
		m.find(s.index-1, -1)
	case m.keys.Is(key, keymap.HistoryNext), m.keys.Is(key, keymap.Down):
		m.find(s.index+1, 1)
	case m.keys.Is(key, keymap.DeleteBack):
		if s.query != "" {
			s.query = s.query[:before(s.query, len(s.query))]
			m.find(m.past.len()-1, -1)
		}
	case m.keys.Is(key, keymap.Interrupt), m.keys.Is(key, keymap.ClearOrQuit), m.keys.Is(key, keymap.ExternalEditor):
		m.show(s.text, false)
		m.moveTo(s.cursor)
		m.past.search = nil
	case m.keys.Is(key, keymap.Send), m.keys.Is(key, keymap.Complete):
		m.past.search = nil
	case typed(k) != "":
		s.query += typed(k)
		m.find(min(s.index, m.past.len()-1), -1)
	default:
		m.past.search = nil
		return false
	}
	return true
}

// find shows the first entry from index on, in the direction of step, that
// holds the query; if there is none, what is shown stays.
func (m *Model) find(index, step int) {
	s := m.past.search
	want := strings.ToLower(s.query)
	for i := index; i >= 0 && i < m.past.len() && want != ""; i += step {
		text := m.past.entry(i)
		at := strings.Index(strings.ToLower(text[:min(len(text), searchable)]), want)
		if at < 0 {
			continue
		}
		s.index, s.failed = i, false
		m.show(text, false)
		m.moveTo(m.place(at))
		return
	}
	s.failed = want != ""
}

// place turns an offset in the whole text into a place.
func (m *Model) place(at int) pos {
	for i := range m.text.lines {
		s := m.text.at(i)
		if at <= len(s) {
			return pos{i, snap(s, at)}
		}
		at -= len(s) + 1
	}
	return m.text.end()
}
