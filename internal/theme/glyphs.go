package theme

import "charm.land/bubbles/v2/spinner"

// Glyphs is the table of every symbol that the chrome draws. Each is one cell
// wide in every terminal: no emoji and no variation selectors. In a plain theme
// the states are words and the decoration is empty.
type Glyphs struct {
	// Success, Failure, Running, Waiting and Stopped are states. Stopped is for
	// what the person or a deadline ended.
	Success, Failure, Running, Waiting, Stopped string
	// Spinner is the frames of a running thing, shown in turn.
	Spinner []string
	// Rule repeats to a horizontal line, RuleVertical to a vertical one.
	Rule, RuleVertical string
	// Cross is where the lines of a table meet.
	Cross string
	// Bar stands beside what the person said, BarThin beside a tool's output
	// and Corner closes it.
	Bar, BarThin, Corner string
	// Ellipsis stands for text that is left out.
	Ellipsis string
	// Bullets mark list items by depth.
	Bullets []string
	// Checked and Unchecked are the boxes of task lists.
	Checked, Unchecked string
	// Collapsed and Expanded say whether a block shows all that it has.
	Collapsed, Expanded string
	// Prompt heads the editor, Pointer the chosen row of a list.
	Prompt, Pointer string
	// Thinking marks reasoning, Queued a message that waits, Notice a remark.
	Thinking, Queued, Notice string
	// Separator stands between facts in one line.
	Separator string
	// TopLeft … BottomRight are the corners of frames.
	TopLeft, TopRight, BottomLeft, BottomRight string
}

func glyphs() Glyphs {
	return Glyphs{
		Success: "✓", Failure: "✗", Running: "●", Waiting: "◌", Stopped: "■",
		Spinner: spinner.MiniDot.Frames,
		Rule:    "─", RuleVertical: "│", Cross: "┼",
		Bar: "▌", BarThin: "│", Corner: "╰",
		Ellipsis: "…",
		Bullets:  []string{"•", "◦", "▪"},
		Checked:  "[✓]", Unchecked: "[ ]",
		Collapsed: "▸", Expanded: "▾",
		Prompt: "›", Pointer: "›",
		Thinking: "∴", Queued: "↳", Notice: "•",
		Separator: " · ",
		TopLeft:   "╭", TopRight: "╮", BottomLeft: "╰", BottomRight: "╯",
	}
}

func plainGlyphs() Glyphs {
	return Glyphs{
		Success: "ok:", Failure: "failed:", Running: "running:", Waiting: "waiting:", Stopped: "stopped:",
		Ellipsis: "...",
		Bullets:  []string{"-"},
		Checked:  "[x]", Unchecked: "[ ]",
		Prompt: ">", Pointer: ">",
		Thinking: "thinking:", Queued: "queued:", Notice: "note:",
		Separator: ", ",
	}
}

// Frame is the spinner's picture after n ticks, empty where nothing spins.
func (g Glyphs) Frame(n int) string {
	if len(g.Spinner) == 0 {
		return ""
	}
	return g.Spinner[((n%len(g.Spinner))+len(g.Spinner))%len(g.Spinner)]
}

// Bullet is the mark of a list item, depth counting from 0.
func (g Glyphs) Bullet(depth int) string {
	if len(g.Bullets) == 0 {
		return "-"
	}
	return g.Bullets[min(depth, len(g.Bullets)-1)]
}
