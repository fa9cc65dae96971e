package theme

import "slices"

// Theme is a style for each meaning, and the glyphs that go with them.
type Theme struct {
	// Name is what settings call it: "dark", "light", "mono" or "plain".
	Name string
	// Dark says that the styles are made for a dark background.
	Dark bool
	// Plain says that there are no borders, spinners and symbols: a screen
	// reader reads the screen. Words stand where glyphs would.
	Plain bool

	// Glyphs are the symbols of the chrome.
	Glyphs Glyphs
	// Syntax colours code.
	Syntax Syntax

	// Text is the terminal's own colour; Strong stands out of it, Dim is beside
	// the point but meant to be read, Rule is for lines that are only seen.
	Text, Strong, Dim, Rule Style
	// Accent is the one colour that says "here".
	Accent Style
	// Error, Warning and Success are outcomes.
	Error, Warning, Success Style

	// User is what the person said, UserBar the bar beside it. Thinking is the
	// model's reasoning.
	User, UserBar, Thinking Style
	// ToolName and ToolArg head a tool block, Output is what the tool printed.
	ToolName, ToolArg, Output Style
	// BashRule frames a command of the person (and the editor while one is
	// typed), BashRuleDim one that the model never sees. BashCommand is the
	// command itself.
	BashRule, BashRuleDim, BashCommand Style

	// DiffAdd and DiffDel are changed lines, DiffAddWord and DiffDelWord the
	// words in them that changed. DiffNumber is a line number, DiffHunk the gap
	// between two places.
	DiffAdd, DiffDel, DiffAddWord, DiffDelWord, DiffNumber, DiffHunk Style

	// Heading, Subheading, Emphasis, Strike, Link, URL, Code, Quote and Marker
	// (bullets and numbers of lists) are the parts of Markdown.
	Heading, Subheading, Emphasis, Strike, Link, URL, Code, Quote, Marker Style

	// Selection is the chosen row of a list or text under the mouse, Match a
	// search hit and MatchCurrent the one the search stands on.
	Selection, Match, MatchCurrent Style
	// StatusBar is the line at the bottom; Border a frame, BorderFocus the frame
	// that has the keys; Title heads a frame; Key is a key in a hint;
	// Placeholder is text that goes away when one types.
	StatusBar, Border, BorderFocus, Title, Key, Placeholder Style
}

// Syntax is the styles of code by kind of token. What has no style of its own
// is plain.
type Syntax struct {
	Keyword, Type, Function, String, Number, Constant, Comment, Operator, Tag, Attribute Style
}

// Names lists the themes that ByName knows.
func Names() []string { return []string{"dark", "light", "mono", "plain"} }

// ByName finds a theme by the name that settings use.
func ByName(name string) (*Theme, bool) {
	i := slices.Index(Names(), name)
	if i < 0 {
		return nil, false
	}
	return [...]func() *Theme{Dark, Light, Mono, Plain}[i](), true
}
