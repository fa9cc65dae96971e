package tui

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Prompt is a text of the person or the project that "/NAME" sends.
type Prompt struct{ Name, About, Text string }

// loadPrompts reads the prompts that there are.
func (a *App) loadPrompts() tea.Cmd {
	if a.o.Prompts == nil {
		return nil
	}
	return later(func() func(a *App) tea.Cmd {
		list := a.o.Prompts()
		return func(a *App) tea.Cmd {
			a.prompts = list
			return nil
		}
	})
}

// sendPrompt sends a prompt with its arguments filled in.
func (a *App) sendPrompt(p Prompt, args string) tea.Cmd {
	a.talk.Agent.Prompt([]chat.Part{chat.TextPart(fill(p.Text, args))})
	return nil
}

// fill puts arguments into a text: $1 to $9 are single words, or what stands in
// quotes, $@ is all of them, $$ a dollar sign. Without any of these the
// arguments are added at the end.
func fill(text, args string) string {
	list := fields(args)
	var b strings.Builder
	used := false
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		switch c := text[i+1]; {
		case c == '$':
			b.WriteByte('$')
		case c == '@':
			used = true
			b.WriteString(args)
		case c >= '1' && c <= '9':
			used = true
			if n, _ := strconv.Atoi(string(c)); n <= len(list) {
				b.WriteString(list[n-1])
			}
		default:
			b.WriteByte('$')
			continue
		}
		i++
	}
	if !used && args != "" {
		return strings.TrimRight(b.String(), "\n") + "\n\n" + args
	}
	return b.String()
}

// fields splits at spaces; quotes keep them.
func fields(s string) []string {
	var list []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t' || r == '\n':
			if inWord {
				list = append(list, word.String())
				word.Reset()
			}
			inWord = false
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	if inWord || quote != 0 {
		list = append(list, word.String())
	}
	return list
}
