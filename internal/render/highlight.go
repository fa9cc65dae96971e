package render

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/seed7484d81d/agent/internal/theme"
)

// maxHighlight is how much code is coloured; more would hold up the screen.
const maxHighlight = 64 << 10

// highlight splits code into lines of spans, coloured if the language is known.
func highlight(source, language string, t *theme.Theme) [][]span {
	source = strings.ReplaceAll(source, "\t", "    ")
	if language == "" || t.Plain || len(source) > maxHighlight {
		return plainCode(source, t)
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		return plainCode(source, t)
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, source)
	if err != nil {
		return plainCode(source, t)
	}
	out := [][]span{nil}
	for token := tokens(); token != chroma.EOF; token = tokens() {
		style := tokenStyle(token.Type, t)
		for i, part := range strings.Split(token.Value, "\n") {
			if i > 0 {
				out = append(out, nil)
			}
			if part != "" {
				out[len(out)-1] = append(out[len(out)-1], styled(style, part))
			}
		}
	}
	if n := strings.Count(source, "\n") + 1; len(out) > n {
		out = out[:n] // a lexer may end the text with a newline
	}
	return out
}

func plainCode(source string, t *theme.Theme) [][]span {
	lines := strings.Split(source, "\n")
	out := make([][]span, len(lines))
	for i, l := range lines {
		if l != "" {
			out[i] = []span{styled(t.Code, clamp(l))}
		}
	}
	return out
}

func tokenStyle(k chroma.TokenType, t *theme.Theme) theme.Style {
	s := t.Syntax
	switch {
	case k.InCategory(chroma.Comment):
		return s.Comment
	case k == chroma.KeywordType, k == chroma.NameClass, k == chroma.NameBuiltin:
		return s.Type
	case k == chroma.KeywordConstant, k == chroma.NameConstant:
		return s.Constant
	case k.InCategory(chroma.Keyword):
		return s.Keyword
	case k.InSubCategory(chroma.LiteralString):
		return s.String
	case k.InSubCategory(chroma.LiteralNumber):
		return s.Number
	case k == chroma.NameFunction, k == chroma.NameFunctionMagic:
		return s.Function
	case k == chroma.NameTag:
		return s.Tag
	case k == chroma.NameAttribute:
		return s.Attribute
	case k.InCategory(chroma.Operator):
		return s.Operator
	default:
		return t.Text
	}
}
