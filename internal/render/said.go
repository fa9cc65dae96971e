package render

import (
	"fmt"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
)

// User draws what the person said, pictures as their label.
func User(m chat.Message, o Options) []string {
	b := newBlock(o)
	if o.Width < 1 {
		return nil
	}
	bar := styled(b.t.UserBar, b.t.Glyphs.Bar+" ")
	if b.t.Glyphs.Bar == "" {
		bar = styled(b.t.UserBar, "you: ")
	}
	width := b.inner(textWidth(bar.text))
	for _, p := range m.Parts {
		switch {
		case p.Kind == chat.PartText:
			for l := range strings.SplitSeq(strings.TrimRight(sanitize.ForScreen(p.Text), "\n"), "\n") {
				b.beside(bar, wrapWords([]span{styled(b.t.User, expandTabs(clamp(l)))}, width))
			}
		case p.Kind == chat.PartImage && p.Image != nil:
			b.beside(bar, []row{{text: truncate([]span{styled(b.t.Dim, fmt.Sprintf("[picture, %s, %d KB]", p.Image.MIME, (len(p.Image.Data)+1023)/1024))}, width, "")}})
		}
	}
	return b.lines()
}

// Thinking draws a model's reasoning: whole if expanded, else one line.
func Thinking(text string, o Options) []string {
	b := newBlock(o)
	if o.Width < 1 {
		return nil
	}
	text = strings.TrimSpace(sanitize.ForScreen(text))
	mark := styled(b.t.Thinking, b.t.Glyphs.Thinking+" ")
	if !o.Expanded {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		if last == "" {
			last = "thinking"
		}
		b.line(mark, styled(b.t.Thinking, expandTabs(last)))
		return b.lines()
	}
	for i, l := range strings.Split(text, "\n") {
		gutter := mark
		if i > 0 {
			gutter = plain("  ")
		}
		for j, r := range wrapWords([]span{styled(b.t.Thinking, expandTabs(clamp(l)))}, b.inner(textWidth(mark.text))) {
			if j > 0 {
				gutter = plain("  ")
			}
			b.beside(gutter, []row{r})
		}
	}
	return b.lines()
}

// Remark draws a line of the program itself. level is "info", "warning" or
// "error".
func Remark(level, text string, o Options) []string {
	b := newBlock(o)
	if o.Width < 1 {
		return nil
	}
	style := b.t.Dim
	switch level {
	case "warning":
		style = b.t.Warning
	case "error":
		style = b.t.Error
	}
	mark := styled(style, b.t.Glyphs.Notice+" ")
	for i, l := range strings.Split(strings.TrimSpace(sanitize.ForScreen(text)), "\n") {
		for j, r := range wrapWords([]span{styled(style, expandTabs(l))}, b.inner(textWidth(mark.text))) {
			gutter := mark
			if i+j > 0 {
				gutter = plain("  ")
			}
			b.beside(gutter, []row{r})
		}
	}
	return b.lines()
}
