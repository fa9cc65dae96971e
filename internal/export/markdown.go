package export

import (
	"bytes"
	"html/template"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"github.com/seed7484d81d/agent/internal/sanitize"
)

// markdown draws what the model wrote. HTML in it is text like any other.
func markdown(text string) template.HTML {
	text = sanitize.ForScreen(text)
	first := 100 // before the renderer that leaves HTML out
	md := goldmark.New(goldmark.WithExtensions(extension.GFM),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(asText{}, first))))
	var b bytes.Buffer
	if err := md.Convert([]byte(text), &b); err != nil {
		return template.HTML("<pre>" + template.HTMLEscapeString(text) + "</pre>") //nolint:gosec // escaped
	}
	return template.HTML(b.String()) //nolint:gosec // goldmark escapes what is not Markdown
}

// asText draws HTML as what it reads.
type asText struct{}

// RegisterFuncs says which nodes it draws.
func (asText) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if raw, ok := n.(*ast.RawHTML); ok && entering {
			for i := range raw.Segments.Len() {
				segment := raw.Segments.At(i)
				_, _ = w.Write(util.EscapeHTML(segment.Value(source))) // its error comes with the flush
			}
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		block, ok := n.(*ast.HTMLBlock)
		if !ok {
			return ast.WalkContinue, nil
		}
		if !entering {
			_, _ = w.WriteString("</pre>\n") // its error comes with the flush
			return ast.WalkContinue, nil
		}
		_, _ = w.WriteString("<pre>")
		for i := range block.Lines().Len() {
			line := block.Lines().At(i)
			_, _ = w.Write(util.EscapeHTML(line.Value(source)))
		}
		if block.HasClosure() {
			_, _ = w.Write(util.EscapeHTML(block.ClosureLine.Value(source)))
		}
		return ast.WalkContinue, nil
	})
}
