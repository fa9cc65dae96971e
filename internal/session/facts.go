package session

import (
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Settings is what a conversation goes on with when it is resumed. Empty fields
// were never set in it.
type Settings struct{ Provider, Model, Thinking string }

// Settings returns the last values on the branch.
func (s *Session) Settings() Settings {
	var now Settings
	for _, e := range s.Branch() {
		switch e.Type {
		case TypeModel:
			now.Provider, now.Model = e.Provider, e.Model
		case TypeThinking:
			now.Thinking = e.Thinking
		default:
		}
	}
	return now
}

// Cwd is the conversation's directory: where it began, or where the last Move
// on the branch went.
func (s *Session) Cwd() string {
	cwd := s.head.Cwd
	for _, e := range s.Branch() {
		if e.Type == TypeDir {
			cwd = e.Dir
		}
	}
	return cwd
}

// Move makes dir the conversation's directory and tells so. Moving to where it
// is does nothing.
func (s *Session) Move(dir string) error {
	if dir == s.Cwd() {
		return nil
	}
	if _, err := s.Append(Entry{Type: TypeDir, Dir: dir}); err != nil {
		return err
	}
	s.Publish(Moved{dir})
	return nil
}

// Title is the session's name, or the first words of it, or "".
func (s *Session) Title() string {
	var t titleFinder
	for _, e := range s.Entries() {
		t.see(e)
	}
	return t.title()
}

// SetTitle names the session.
func (s *Session) SetTitle(title string) error {
	_, err := s.Append(Entry{Type: TypeTitle, Text: title})
	return err
}

// repeatTitle says a title that lies far back once more, so that a listing
// finds it near the end of the file.
func (s *Session) repeatTitle() {
	if s.titled < tailBytes/2 {
		return
	}
	for i := len(s.tree.entries) - 1; i >= 0; i-- {
		if e := s.tree.entries[i]; e.Type == TypeTitle {
			_, _ = s.append(Entry{Type: TypeTitle, Text: e.Text}) // a copy of what was encoded
			return
		}
	}
}

// titleFinder finds the title of a session: the last one given, else what the
// person said first, else the first command.
type titleFinder struct{ given, said, ran string }

func (t *titleFinder) see(e Entry) {
	switch {
	case e.Type == TypeTitle:
		t.given = e.Text
	case e.Message == nil:
	case e.Message.Role == chat.RoleUser && t.said == "":
		t.said = firstWords(e.Message.Text())
		if t.said == "" {
			t.said = "[image]"
		}
	case e.run() != nil && t.ran == "":
		t.ran = "!" + firstWords(e.run().Command)
	}
}

func (t *titleFinder) title() string {
	for _, s := range []string{t.given, t.said, t.ran} {
		if s != "" {
			return s
		}
	}
	return ""
}

// firstWords makes one line of the beginning of s.
func firstWords(s string) string {
	const most = 80
	s = s[:min(len(s), 4*most)]
	line := strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
	if r := []rune(line); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return line
}
