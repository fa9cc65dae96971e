package dialog

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// grace is how long there must be silence before a key can answer a question.
const grace = 300 * time.Millisecond

// guard keeps a question from being answered by keys that were meant for the
// prompt: a question comes while somebody types, and half a word such as
// "always" would allow what nobody read.
//
// No key counts until there was silence for the length of the grace, from the
// moment the question is there. Each other key makes it start again; the same
// key pressed over and over does not, for that is a person who wants an
// answer taken. Once keys were eaten that look like text, a letter alone
// decides nothing for the rest of the question: it chooses, and the accept key
// confirms.
type guard struct {
	now    func() time.Time
	since  time.Time // the silence began
	last   string    // the key that was eaten before
	typing bool      // somebody was in the middle of a text
}

func newGuard(now func() time.Time) guard { return guard{now: now, since: now()} }

// early says that it is not yet the time for answers.
func (g *guard) early() bool { return g.now().Sub(g.since) < grace }

// eats says that a key is not for the question. answer says that the key would
// mean something to it.
func (g *guard) eats(k tea.KeyPressMsg, answer bool) bool {
	key, text := k.String(), k.Text != "" && !k.Mod.Contains(tea.ModCtrl|tea.ModAlt)
	switch {
	case g.early():
		if text && (!answer || g.last != "" && g.last != key) {
			g.typing = true
		}
		if key != g.last || g.typing {
			g.restart(key)
		}
		return true
	case text && !answer:
		g.typing = true
		g.restart(key)
		return true
	default:
		return false
	}
}

// restart waits for silence again.
func (g *guard) restart(key string) { g.since, g.last = g.now(), key }
