package render

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/seed7484d81d/agent/internal/sanitize"
)

// margin is how far an answer stands from the left edge, so that it lines up
// with what the person said.
const margin = 2

// Markdown draws a model's text.
func Markdown(source string, o Options) []string {
	b := newBlock(o)
	if o.Width < 1 {
		return nil
	}
	m := markdown{block: b, source: []byte(sanitize.ForScreen(source))}
	doc := goldmark.New(goldmark.WithExtensions(extension.Strikethrough, extension.Table, extension.TaskList)).
		Parser().Parse(text.NewReader(m.source))
	width, indent := o.Width, 0
	if o.Width > 3*minGuttered {
		width, indent = o.Width-margin, margin
	}
	for _, r := range m.children(doc, width, 0) {
		if indent > 0 && len(r.gutter)+len(r.text) > 0 {
			r.gutter = append([]span{plain(strings.Repeat(" ", indent))}, r.gutter...)
		}
		b.rows = append(b.rows, r)
	}
	return b.lines()
}

// markdown draws the blocks of one document.
type markdown struct {
	*block
	source []byte
}

// children draws the blocks inside a node, with a blank row between them.
func (m *markdown) children(n ast.Node, width, depth int) []row {
	var rows []row
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		part := m.node(c, max(1, width), depth)
		if len(part) == 0 {
			continue
		}
		if len(rows) > 0 && !tight(n) {
			rows = append(rows, row{})
		}
		rows = append(rows, part...)
	}
	return rows
}

// tight says that no blank rows stand between the blocks of a node.
func tight(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.List:
		return n.IsTight
	case *ast.ListItem:
		l, ok := n.Parent().(*ast.List)
		return ok && l.IsTight
	default:
		return false
	}
}

func (m *markdown) node(n ast.Node, width, depth int) []row {
	switch n := n.(type) {
	case *ast.Heading:
		style := m.t.Subheading
		if n.Level <= 2 {
			style = m.t.Heading
		}
		return wrapLines(m.inline(n, style.Open(), ""), width)
	case *ast.Paragraph, *ast.TextBlock:
		return wrapLines(m.inline(n, m.t.Text.Open(), ""), width)
	case *ast.List:
		return m.list(n, width, depth)
	case *ast.Blockquote:
		return prefixed(m.children(n, width-2, depth), []span{styled(m.t.Rule, cmpOr(m.t.Glyphs.BarThin, ">")+" ")}, width)
	case *ast.FencedCodeBlock:
		return m.code(blockText(n, m.source), string(n.Language(m.source)), width)
	case *ast.CodeBlock:
		return m.code(blockText(n, m.source), "", width)
	case *ast.ThematicBreak:
		g := cmpOr(m.t.Glyphs.Rule, "-")
		return []row{{text: []span{styled(m.t.Rule, strings.Repeat(g, min(width, 40)))}}}
	case *ast.HTMLBlock:
		return m.verbatim(blockText(n, m.source), width)
	case *extast.Table:
		return m.table(n, width)
	default:
		if n.Type() == ast.TypeBlock && n.HasChildren() {
			return m.children(n, width, depth)
		}
		return nil
	}
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// prefixed puts a gutter beside rows, where there is room.
func prefixed(rows []row, gutter []span, width int) []row {
	if width <= minGuttered {
		return rows
	}
	for i := range rows {
		rows[i].gutter = append(append([]span{}, gutter...), rows[i].gutter...)
	}
	return rows
}

func blockText(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(source))
	}
	return strings.TrimRight(b.String(), "\n")
}

// list draws the items of a list. The mark is part of the text, so that copying
// keeps it; what hangs below it is not.
func (m *markdown) list(l *ast.List, width, depth int) []row {
	var rows []row
	number := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := m.t.Glyphs.Bullet(depth) + " "
		if l.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		indent := textWidth(mark)
		if width < 2*indent+4 {
			mark, indent = "", 0
		}
		part := m.children(item, width-indent, depth+1)
		if len(part) == 0 {
			part = []row{{}}
		}
		for i := range part {
			if i == 0 {
				part[i].text = append([]span{styled(m.t.Marker, mark)}, append(part[i].gutter, part[i].text...)...)
				part[i].gutter = nil
				continue
			}
			if len(part[i].text)+len(part[i].gutter) > 0 {
				part[i].gutter = append([]span{plain(strings.Repeat(" ", indent))}, part[i].gutter...)
			}
		}
		if len(rows) > 0 && !l.IsTight {
			rows = append(rows, row{})
		}
		rows = append(rows, part...)
	}
	return rows
}

// code draws a block of code beside a bar, in colour if its language is known.
func (m *markdown) code(source, language string, width int) []row {
	bar := []span{styled(m.t.Rule, m.t.Glyphs.BarThin+" ")}
	inner := width
	if width > minGuttered {
		inner = width - 2
	}
	code := highlight(source, language, m.t)
	rows := make([]row, 0, len(code))
	for _, line := range code {
		rows = append(rows, wrapCells(line, inner)...)
	}
	return prefixed(rows, bar, width)
}

func (m *markdown) verbatim(source string, width int) []row {
	var rows []row
	for l := range strings.SplitSeq(source, "\n") {
		rows = append(rows, wrapWords([]span{styled(m.t.Dim, expandTabs(clamp(l)))}, width)...)
	}
	return rows
}

// wrapLines wraps spans in which a newline is a break.
func wrapLines(spans []span, width int) []row {
	var rows []row
	var line []span
	for _, s := range spans {
		for i, part := range strings.Split(s.text, "\n") {
			if i > 0 {
				rows = append(rows, wrapWords(line, width)...)
				line = nil
			}
			if part != "" {
				p := s
				p.text = part
				line = append(line, p)
			}
		}
	}
	return append(rows, wrapWords(line, width)...)
}
