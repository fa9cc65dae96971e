package tui

import (
	"errors"
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/tui/editor"
)

// submit does what the person sent: a command of theirs, a command of the
// program, or something for the model.
func (a *App) submit(s editor.Submit) tea.Cmd {
	if a.o.Remember != nil && strings.TrimSpace(s.Text) != "" {
		a.o.Remember(s.Text)
	}
	a.transcript.Bottom()
	switch s.Kind {
	case editor.Bang, editor.PrivateBang:
		private := s.Kind == editor.PrivateBang
		line := strings.TrimPrefix(strings.TrimPrefix(strings.TrimLeft(s.Text, " \t"), "!"), "!")
		if !private {
			line = strings.TrimPrefix(strings.TrimLeft(s.Text, " \t"), "!")
		}
		if strings.TrimSpace(line) != "" {
			a.talk.Agent.Bang(strings.TrimSpace(line), private)
		}
	case editor.Command:
		return a.command(s.Text)
	default:
		a.say(s)
	}
	a.refresh()
	return nil
}

// say sends a message to the model.
func (a *App) say(s editor.Submit) {
	var parts []chat.Part
	if strings.TrimSpace(s.Text) != "" {
		parts = append(parts, chat.TextPart(s.Text))
	}
	for _, img := range s.Images {
		parts = append(parts, chat.Part{Kind: chat.PartImage, Image: &img})
	}
	if len(parts) == 0 {
		return
	}
	if s.FollowUp {
		a.talk.Agent.FollowUp(parts)
		return
	}
	a.talk.Agent.Prompt(parts)
}

// writeDraft puts a text into a file for an editor.
func writeDraft(text string) (string, error) {
	f, err := os.CreateTemp("", "prompt-*.md")
	if err != nil {
		return "", fmt.Errorf("write the prompt for the editor: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write the prompt for the editor: %w", err)
	}
	return f.Name(), nil
}

func readDraft(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("read the prompt from the editor: %w", err)
	}
	_ = os.Remove(file) // a temporary file
	return strings.TrimRight(string(data), "\n"), nil
}
