package render

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// inline makes spans of what stands inside a block of text. open is the style
// around it and link where it leads. A break of a line is a newline.
func (m *markdown) inline(n ast.Node, open, link string) []span {
	var out []span
	add := func(open, text string) {
		if text != "" {
			out = append(out, span{open: open, link: link, text: strings.ReplaceAll(text, "\t", "    ")})
		}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			add(open, string(c.Segment.Value(m.source)))
			switch {
			case c.HardLineBreak():
				add(open, "\n")
			case c.SoftLineBreak():
				add(open, " ")
			}
		case *ast.String:
			add(open, string(c.Value))
		case *ast.CodeSpan:
			add(open+m.t.Code.Open(), codeText(c, m.source))
		case *ast.Emphasis:
			style := m.t.Emphasis
			if c.Level > 1 {
				style = m.t.Strong
			}
			out = append(out, m.inline(c, open+style.Open(), link)...)
		case *extast.Strikethrough:
			out = append(out, m.inline(c, open+m.t.Strike.Open(), link)...)
		case *extast.TaskCheckBox:
			box := m.t.Glyphs.Unchecked
			if c.IsChecked {
				box = m.t.Glyphs.Checked
			}
			add(open+m.t.Marker.Open(), box+" ")
		case *ast.Link:
			out = append(out, m.link(c, string(c.Destination), open)...)
		case *ast.Image:
			add(open+m.t.Dim.Open(), "[picture: ")
			out = append(out, m.link(c, string(c.Destination), open)...)
			add(open+m.t.Dim.Open(), "]")
		case *ast.AutoLink:
			url := string(c.URL(m.source))
			out = append(out, span{open: open + m.t.Link.Open(), link: safeURL(url), text: string(c.Label(m.source))})
		case *ast.RawHTML:
			for i := range c.Segments.Len() {
				s := c.Segments.At(i)
				add(open+m.t.Dim.Open(), string(s.Value(m.source)))
			}
		default:
			out = append(out, m.inline(c, open, link)...)
		}
	}
	return out
}

// link shows where a link leads, unless its text says so: a terminal may not
// show what is behind it.
func (m *markdown) link(n ast.Node, destination, open string) []span {
	url := safeURL(destination)
	text := m.inline(n, open+m.t.Link.Open(), url)
	said := ""
	for _, s := range text {
		said += s.text
	}
	if said == destination || destination == "" || strings.HasPrefix(destination, "#") {
		return text
	}
	return append(text, span{open: open + m.t.URL.Open(), link: url, text: " (" + destination + ")"})
}

func codeText(n *ast.CodeSpan, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.WriteString(strings.ReplaceAll(string(t.Segment.Value(source)), "\n", " "))
		}
	}
	return b.String()
}
