package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
)

// Tool draws a tool call and its result, if it has one by now.
func Tool(call chat.ToolCall, result *chat.ToolResult, l Live, o Options) []string {
	if o.Width < 1 {
		return nil
	}
	if call.Name == "bash" {
		return Bash(call, result, l, o)
	}
	b := newBlock(o)
	failed := result != nil && result.IsError
	outcome := chat.Outcome("")
	if result != nil {
		outcome = chat.Exited
	}
	b.head(call, result, b.state(outcome, failed, l), l)
	switch {
	case result == nil:
	case failed:
		b.failure(result)
	case result.Details != nil && result.Details.Change != nil:
		b.change(*result.Details.Change)
	case b.o.Expanded:
		rows, _ := b.output(result.Text(), b.inner(2), 0)
		b.beside(styled(b.t.Rule, b.t.Glyphs.BarThin+" "), rows)
	}
	if result != nil {
		var facts []span
		for _, n := range result.Notices {
			if b.o.Expanded || n.Kind != "truncated" {
				facts = append(facts, b.remark(n))
			}
		}
		if len(facts) > 0 {
			b.close(facts)
		}
	}
	return b.lines()
}

// head is one row: state, name, what the call is about, and what came of it.
func (b *block) head(call chat.ToolCall, r *chat.ToolResult, state span, l Live) {
	spans := []span{state, styled(b.t.ToolName, title(call.Name))}
	if about := subject(call, l); about != "" {
		spans = append(spans, plain(" "), styled(b.t.ToolArg, about))
	}
	if what := came(r); what != "" {
		spans = append(spans, styled(b.t.Dim, "  "+what))
	}
	if l.Running {
		if s := b.o.since(l); s != "" {
			spans = append(spans, styled(b.t.Dim, "  "+s))
		}
	}
	b.line(spans...)
}

func title(name string) string {
	if name == "" {
		return "…"
	}
	return strings.ToUpper(name[:1]) + sanitize.OneLine(name[1:])
}

// subject is what a call is about: its path, its pattern, or whatever texts its
// arguments hold.
func subject(call chat.ToolCall, l Live) string {
	raw := string(call.Args)
	if raw == "" {
		raw = l.Args
	}
	var args map[string]any
	if json.Unmarshal([]byte(raw), &args) != nil {
		args = map[string]any{}
		for _, k := range []string{"path", "pattern"} {
			if v := partial(raw, k); v != "" {
				args[k] = v
			}
		}
	}
	text := func(k string) string {
		s, _ := args[k].(string)
		return sanitize.OneLine(s)
	}
	path := text("path")
	switch call.Name {
	case "read":
		if from, ok := args["offset"].(float64); ok && from > 1 {
			path += fmt.Sprintf(":%d", int(from))
		}
		return path
	case "write", "edit", "ls":
		return path
	case "grep", "find":
		s := text("pattern")
		if path != "" {
			s += " in " + path
		}
		if g := text("glob"); g != "" {
			s += " (" + g + ")"
		}
		return s
	}
	keys := make([]string, 0, len(args))
	for k := range args {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var parts []string
	for _, k := range keys {
		if s, ok := args[k].(string); ok {
			parts = append(parts, sanitize.OneLine(s))
			continue
		}
		v, _ := json.Marshal(args[k])
		parts = append(parts, k+"="+sanitize.OneLine(string(v)))
	}
	return strings.Join(parts, " ")
}

// came is what came of a call, in a few words.
func came(r *chat.ToolResult) string {
	if r == nil || r.IsError || r.Details == nil {
		return ""
	}
	switch d := r.Details; {
	case d.Change != nil && d.Change.Created:
		return "created, " + plural(d.Change.Added, "line")
	case d.Change != nil:
		return fmt.Sprintf("+%d -%d", d.Change.Added, d.Change.Removed)
	case d.Listing != nil && r.Name == "read" && d.Listing.Total > 0:
		if d.Listing.Shown == d.Listing.Total {
			return plural(d.Listing.Total, "line")
		}
		return fmt.Sprintf("%d of %s", d.Listing.Shown, plural(d.Listing.Total, "line"))
	case d.Listing != nil && r.Name == "grep":
		if d.Listing.Total == 1 {
			return "1 match"
		}
		return fmt.Sprintf("%d matches", d.Listing.Total)
	case d.Listing != nil && r.Name == "find":
		return plural(d.Listing.Total, "path")
	case d.Listing != nil && r.Name == "ls":
		if d.Listing.Total == 1 {
			return "1 entry"
		}
		return fmt.Sprintf("%d entries", d.Listing.Total)
	}
	return ""
}

// failure shows why a call failed, its first rows only while collapsed.
func (b *block) failure(r *chat.ToolResult) {
	const collapsed = 4
	var rows []row
	for l := range strings.SplitSeq(strings.TrimRight(sanitize.ForScreen(r.Text()), "\n"), "\n") {
		rows = append(rows, wrapWords([]span{styled(b.t.Error, expandTabs(clamp(l)))}, b.inner(2))...)
	}
	hidden := 0
	if !b.o.Expanded && len(rows) > collapsed {
		hidden, rows = len(rows)-collapsed, rows[:collapsed]
	}
	bar := styled(b.t.Rule, b.t.Glyphs.BarThin+" ")
	b.beside(bar, rows)
	if hidden > 0 {
		b.more(bar, hidden)
	}
}

func (b *block) more(bar span, hidden int) {
	text := fmt.Sprintf("%s %d more lines (%s to expand)", b.t.Glyphs.Ellipsis, hidden, b.o.ExpandKey)
	b.beside(bar, []row{{text: truncate([]span{styled(b.t.Dim, text)}, b.inner(2), b.t.Glyphs.Ellipsis)}})
}
