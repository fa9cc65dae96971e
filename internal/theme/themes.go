package theme

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// palette is the colours that a coloured theme is made of.
type palette struct {
	text, dim, rule, output                color.Color
	accent, bash, err, warn, ok            color.Color
	code, typ, fn, number                  color.Color
	addFg, addBg, addWord                  color.Color
	delFg, delBg, delWord                  color.Color
	selectionFg, selectionBg               color.Color
	matchFg, matchBg, currentFg, currentBg color.Color
}

func hex(s string) color.Color { return lipgloss.Color(s) }

// Dark is for dark backgrounds.
func Dark() *Theme {
	return coloured("dark", true, palette{
		text: nil, dim: hex("#9da3ae"), rule: hex("#565c68"), output: hex("#b9bec8"),
		accent: hex("#7fb4ff"), bash: hex("#e79bd0"), err: hex("#ff8585"), warn: hex("#e5b567"), ok: hex("#8fce7e"),
		code: hex("#e0bd8f"), typ: hex("#7fd1c7"), fn: hex("#9ec5ff"), number: hex("#e5a97a"),
		addFg: hex("#b8e6b5"), addBg: hex("#12301a"), addWord: hex("#1f5a30"),
		delFg: hex("#f5c0c0"), delBg: hex("#3a1719"), delWord: hex("#702a2e"),
		selectionFg: hex("#ffffff"), selectionBg: hex("#2f4a75"),
		matchFg: hex("#1a1a1a"), matchBg: hex("#d8b45c"), currentFg: hex("#1a1a1a"), currentBg: hex("#ff9d5c"),
	})
}

// Light is for light backgrounds.
func Light() *Theme {
	return coloured("light", false, palette{
		text: nil, dim: hex("#5a606b"), rule: hex("#a3a9b4"), output: hex("#424853"),
		accent: hex("#1d5fbf"), bash: hex("#9a2c7c"), err: hex("#b3261e"), warn: hex("#7d5200"), ok: hex("#2c6b1f"),
		code: hex("#7a4a00"), typ: hex("#00625a"), fn: hex("#1d5fbf"), number: hex("#8f4300"),
		addFg: hex("#0f4a1d"), addBg: hex("#dff5e1"), addWord: hex("#a9e2b1"),
		delFg: hex("#6e1414"), delBg: hex("#fde4e3"), delWord: hex("#f7b9b6"),
		selectionFg: hex("#10233f"), selectionBg: hex("#c3d9f7"),
		matchFg: hex("#1a1a1a"), matchBg: hex("#f2d577"), currentFg: hex("#1a1a1a"), currentBg: hex("#ffab66"),
	})
}

func coloured(name string, dark bool, p palette) *Theme {
	plain := lipgloss.NewStyle()
	fg := func(c color.Color) lipgloss.Style { return plain.Foreground(c) }
	on := func(f, b color.Color) Style { return NewStyle(plain.Foreground(f).Background(b)) }
	return &Theme{
		Name: name, Dark: dark, Glyphs: glyphs(),
		Syntax: Syntax{
			Keyword: NewStyle(fg(p.bash)), Type: NewStyle(fg(p.typ)), Function: NewStyle(fg(p.fn)),
			String: NewStyle(fg(p.ok)), Number: NewStyle(fg(p.number)), Constant: NewStyle(fg(p.number)),
			Comment: NewStyle(fg(p.dim).Italic(true)), Operator: NewStyle(plain),
			Tag: NewStyle(fg(p.bash)), Attribute: NewStyle(fg(p.fn)),
		},
		Text: NewStyle(plain), Strong: NewStyle(plain.Bold(true)), Dim: NewStyle(fg(p.dim)), Rule: NewStyle(fg(p.rule)),
		Accent: NewStyle(fg(p.accent)),
		Error:  NewStyle(fg(p.err)), Warning: NewStyle(fg(p.warn)), Success: NewStyle(fg(p.ok)),
		User: NewStyle(plain), UserBar: NewStyle(fg(p.accent)), Thinking: NewStyle(fg(p.dim).Italic(true)),
		ToolName: NewStyle(plain.Bold(true)), ToolArg: NewStyle(plain), Output: NewStyle(fg(p.output)),
		BashRule: NewStyle(fg(p.bash)), BashRuleDim: NewStyle(fg(p.dim)), BashCommand: NewStyle(fg(p.bash).Bold(true)),
		DiffAdd: on(p.addFg, p.addBg), DiffDel: on(p.delFg, p.delBg),
		DiffAddWord: on(p.addFg, p.addWord), DiffDelWord: on(p.delFg, p.delWord),
		DiffNumber: NewStyle(fg(p.dim)), DiffHunk: NewStyle(fg(p.dim)),
		Heading: NewStyle(fg(p.accent).Bold(true)), Subheading: NewStyle(plain.Bold(true)),
		Emphasis: NewStyle(plain.Italic(true)), Strike: NewStyle(plain.Strikethrough(true)),
		Link: NewStyle(fg(p.accent).Underline(true)), URL: NewStyle(fg(p.dim)),
		Code: NewStyle(fg(p.code)), Quote: NewStyle(fg(p.output).Italic(true)), Marker: NewStyle(fg(p.accent)),
		Selection: on(p.selectionFg, p.selectionBg),
		Match:     on(p.matchFg, p.matchBg), MatchCurrent: on(p.currentFg, p.currentBg),
		StatusBar: NewStyle(fg(p.dim)), Border: NewStyle(fg(p.rule)), BorderFocus: NewStyle(fg(p.accent)),
		Title: NewStyle(plain.Bold(true)), Key: NewStyle(fg(p.accent)), Placeholder: NewStyle(fg(p.dim)),
	}
}

// Mono has no colours: weight, slant, underlines and reversed video say it all.
func Mono() *Theme {
	plain := lipgloss.NewStyle()
	t, bold, faint := NewStyle(plain), NewStyle(plain.Bold(true)), NewStyle(plain.Faint(true))
	under, reverse, italic := NewStyle(plain.Underline(true)), NewStyle(plain.Reverse(true)), NewStyle(plain.Italic(true))
	return &Theme{
		Name: "mono", Dark: true, Glyphs: glyphs(),
		Syntax: Syntax{
			Keyword: bold, Type: t, Function: t, String: t, Number: t, Constant: t,
			Comment: faint, Operator: t, Tag: bold, Attribute: t,
		},
		Text: t, Strong: bold, Dim: faint, Rule: faint, Accent: bold,
		Error: bold, Warning: bold, Success: t,
		User: t, UserBar: bold, Thinking: NewStyle(plain.Faint(true).Italic(true)),
		ToolName: bold, ToolArg: t, Output: t,
		BashRule: bold, BashRuleDim: faint, BashCommand: bold,
		DiffAdd: t, DiffDel: t, DiffAddWord: under, DiffDelWord: under, DiffNumber: faint, DiffHunk: faint,
		Heading: NewStyle(plain.Bold(true).Underline(true)), Subheading: bold,
		Emphasis: italic, Strike: NewStyle(plain.Strikethrough(true)),
		Link: under, URL: faint, Code: bold, Quote: italic, Marker: t,
		Selection: reverse, Match: under, MatchCurrent: reverse,
		StatusBar: faint, Border: faint, BorderFocus: t, Title: bold, Key: bold, Placeholder: faint,
	}
}

// Plain is Mono for screen readers: words instead of glyphs, no frames, nothing
// that moves, and no styles but the reversed selection.
func Plain() *Theme {
	t, reverse := NewStyle(lipgloss.NewStyle()), NewStyle(lipgloss.NewStyle().Reverse(true))
	return &Theme{
		Name: "plain", Dark: true, Plain: true, Glyphs: plainGlyphs(),
		Syntax: Syntax{t, t, t, t, t, t, t, t, t, t},
		Text:   t, Strong: t, Dim: t, Rule: t, Accent: t, Error: t, Warning: t, Success: t,
		User: t, UserBar: t, Thinking: t, ToolName: t, ToolArg: t, Output: t,
		BashRule: t, BashRuleDim: t, BashCommand: t,
		DiffAdd: t, DiffDel: t, DiffAddWord: t, DiffDelWord: t, DiffNumber: t, DiffHunk: t,
		Heading: t, Subheading: t, Emphasis: t, Strike: t, Link: t, URL: t, Code: t, Quote: t, Marker: t,
		Selection: reverse, Match: reverse, MatchCurrent: reverse,
		StatusBar: t, Border: t, BorderFocus: t, Title: t, Key: t, Placeholder: t,
	}
}
