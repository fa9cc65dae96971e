package editor

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/keymap"
)

// HandleKey does what a key means. used is false for a key that the editor has
// nothing to do with at the moment: Esc without a list, Ctrl+D and Home
// without text, PgUp. The key then belongs to whoever is asked next. act is
// what the person wants done, nil mostly; cmd brings completions.
func (m *Model) HandleKey(k tea.KeyPressMsg) (used bool, act Action, cmd tea.Cmd) {
	edits := m.edits
	if m.past.search != nil && m.searchKey(k) {
		m.settle()
		return true, nil, nil
	}
	if m.popup.open() {
		used, act, cmd = m.popupKey(k.String())
	}
	if !used {
		var more tea.Cmd
		m.act(func() { used, act, more = m.press(k) })
		cmd = tea.Batch(cmd, more)
	}
	if used {
		cmd = tea.Batch(cmd, m.offer(m.edits != edits))
	}
	m.settle() // also a key that is none of the editor's may have closed the list
	return used, act, cmd
}

// act runs one action, with what the last one was for those that join.
func (m *Model) act(f func()) {
	last := m.did
	m.did = didOther
	m.ring.growing = last == didKill
	if last != didYank {
		m.ring.yanked = -1
	}
	f()
}

// press does the first action of a key that the editor can do, or types it.
func (m *Model) press(k tea.KeyPressMsg) (used bool, act Action, cmd tea.Cmd) {
	for _, a := range m.keys.Actions(k.String()) {
		if used, act, cmd = m.perform(a); used {
			return used, act, cmd
		}
	}
	if m.keys.Is(k.String(), keymap.FollowUp) { // no turn runs, and it is no key for a new line
		return true, m.send(false), nil
	}
	s := typed(k)
	if s == "" || m.Empty() && m.keys.Is(s, keymap.Help) {
		return false, nil, nil
	}
	m.replace(typing, m.cursor, m.cursor, s)
	return true, nil, nil
}

// typed is the text of a key, empty for a key that types none.
func typed(k tea.KeyPressMsg) string {
	if k.Mod.Contains(tea.ModCtrl) || k.Mod.Contains(tea.ModAlt) {
		return ""
	}
	return strings.ReplaceAll(clean(k.Text), "\n", "")
}

func (m *Model) perform(a keymap.Action) (used bool, act Action, cmd tea.Cmd) {
	if to, ok := m.motion(a); ok {
		m.journal.closed = true
		m.moveTo(to)
		return true, nil, nil
	}
	if d, ok := m.deletion(a); ok {
		m.delete(d)
		return true, nil, nil
	}
	switch a {
	case keymap.Send:
		return true, m.send(false), nil
	case keymap.FollowUp:
		if !m.busy {
			return false, nil, nil
		}
		return true, m.send(true), nil
	case keymap.ExternalEditor:
		return true, OpenExternal{m.Value()}, nil
	case keymap.Complete:
		used, cmd = m.complete()
		return used, nil, cmd
	default:
		return m.edit(a), nil, nil
	}
}

// edit does what changes the text or the place in the history.
func (m *Model) edit(a keymap.Action) (used bool) {
	switch a {
	case keymap.Newline:
		m.replace(single, m.cursor, m.cursor, "\n")
	case keymap.Up:
		m.upOrBack()
	case keymap.Down:
		m.downOrForward()
	case keymap.HistoryPrev:
		m.browse(-1)
	case keymap.HistoryNext:
		m.browse(1)
	case keymap.HistorySearch:
		m.startSearch()
	case keymap.Yank:
		m.yank()
	case keymap.YankPop:
		m.yankPop()
	case keymap.Undo:
		m.undo()
	case keymap.Redo:
		m.redo()
	case keymap.ClearOrQuit:
		if m.Empty() {
			return false
		}
		m.clear()
	default:
		return false
	}
	return true
}

func (m *Model) upOrBack() {
	m.journal.closed = true
	if m.vertical(m.text.above) || m.browse(-1) {
		return
	}
	m.cursor.col = 0 // nothing above: to the start
}

func (m *Model) downOrForward() {
	m.journal.closed = true
	if m.vertical(m.text.below) || m.browse(1) {
		return
	}
	m.cursor = m.text.end()
}

// motion is where a motion leads. In an empty editor the keys that go to an
// end are free for the transcript.
func (m *Model) motion(a keymap.Action) (to pos, ok bool) {
	p := m.cursor
	switch a {
	case keymap.Left:
		return m.leftOf(p), true
	case keymap.Right:
		return m.rightOf(p), true
	case keymap.WordLeft:
		return m.wordLeft(p), true
	case keymap.WordRight:
		return m.wordRight(p), true
	case keymap.LineStart:
		return pos{p.line, 0}, !m.Empty()
	case keymap.LineEnd:
		return pos{p.line, len(m.text.at(p.line))}, !m.Empty()
	case keymap.TextStart:
		return pos{}, !m.Empty()
	case keymap.TextEnd:
		return m.text.end(), !m.Empty()
	default:
		return p, false
	}
}

// deletion is a stretch that goes away: from the cursor to another place.
type deletion struct {
	to   pos
	kill bool // it can be put back
}

func (m *Model) deletion(a keymap.Action) (d deletion, ok bool) {
	p := m.cursor
	switch a {
	case keymap.DeleteBack:
		return deletion{to: m.leftOf(p)}, true
	case keymap.DeleteForward:
		return deletion{to: m.rightOf(p)}, true
	case keymap.QuitIfEmpty: // Ctrl+D quits only an empty editor
		return deletion{to: m.rightOf(p)}, !m.Empty()
	case keymap.DeleteWordBack:
		return deletion{m.wordBackIn(p), true}, true
	case keymap.DeleteWordForward:
		return deletion{m.wordForwardIn(p), true}, true
	case keymap.KillToStart:
		if p.col == 0 {
			return deletion{m.leftOf(p), true}, true
		}
		return deletion{pos{p.line, 0}, true}, true
	case keymap.KillToEnd:
		if end := len(m.text.at(p.line)); p.col < end {
			return deletion{pos{p.line, end}, true}, true
		}
		return deletion{m.rightOf(p), true}, true
	default:
		return d, false
	}
}

func (m *Model) delete(d deletion) {
	from, to, back := m.cursor, d.to, d.to.less(m.cursor)
	if back {
		from, to = to, from
	}
	switch {
	case d.kill:
		m.kill(from, to, back)
	case back:
		m.replace(erasing, from, to, "")
	default:
		m.replace(single, from, to, "")
	}
}

// send is Enter. A backslash before it makes a new line instead; in a shell
// line the backslash stays, for there it means that the line goes on.
func (m *Model) send(followUp bool) Action {
	s := m.text.at(m.cursor.line)
	head := s[:m.cursor.col]
	slashes := len(head) - len(strings.TrimRight(head, `\`))
	if slashes%2 == 0 || m.cursor.col != len(s) {
		return m.submit(followUp)
	}
	from := pos{m.cursor.line, m.cursor.col - 1}
	if m.bang() != notBang {
		from = m.cursor
	}
	m.replace(single, from, m.cursor, "\n")
	return nil
}
