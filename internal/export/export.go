// Package export writes a conversation as one HTML file that needs nothing else:
// it looks like the screen, folds like it, and runs no script. Everything in it
// is text to the browser, whatever a model or a program wrote.
package export

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"time"

	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/session"
)

//go:embed page.html style.css
var files embed.FS

// Conversation is what is written.
type Conversation struct {
	ID      string
	Title   string // "" if it has none
	Dir     string
	Created time.Time
	// Entries are those of the branch, from the root to the leaf.
	Entries []session.Entry
}

// Of is the conversation of a session as it is.
func Of(s *session.Session) Conversation {
	return Conversation{ID: s.ID(), Title: s.Title(), Dir: s.Cwd(), Created: s.Created(), Entries: s.Branch()}
}

// HTML writes a conversation. The error is what w says.
func HTML(w io.Writer, c Conversation) error {
	page, err := template.New("page.html").ParseFS(files, "page.html")
	if err != nil {
		return fmt.Errorf("page: %w", err)
	}
	style, err := files.ReadFile("style.css")
	if err != nil {
		return fmt.Errorf("style: %w", err)
	}
	title := sanitize.OneLine(c.Title)
	if title == "" {
		title = "Session " + c.ID
	}
	err = page.Execute(w, map[string]any{
		"Title": title, "Dir": c.Dir, "ID": c.ID, "Created": c.Created.Format("2006-01-02 15:04"),
		"Style": template.CSS(style), "Blocks": blocks(c.Entries), //nolint:gosec // our own file
	})
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}
