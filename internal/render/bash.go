package render

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
)

// collapsedRows is how much of a command's output shows while it is collapsed.
const collapsedRows = 10

// collapsedCommand is how many lines of a command show then.
const collapsedCommand = 3

// Bash draws a call of the tool "bash".
func Bash(call chat.ToolCall, result *chat.ToolResult, l Live, o Options) []string {
	b := newBlock(o)
	if o.Width < 1 {
		return nil
	}
	run := runOf(result)
	failed := result != nil && result.IsError
	outcome := run.Outcome
	if result != nil && outcome == "" {
		outcome = chat.Exited
	}
	b.command(b.state(outcome, failed, l), bashLine(call, l))
	text, end := l.Tail, ""
	if result != nil {
		text, end = splitEnd(result, run)
		text = shown(text, run)
	}
	b.outputBlock(text, l, run)
	b.footer(run, result, end, l)
	return b.lines()
}

// shown is what a person sees of an output: of a terminal its screen, in colour.
func shown(output string, run chat.RunInfo) string {
	if run.Screen != "" {
		return run.Screen
	}
	return output
}

func runOf(r *chat.ToolResult) chat.RunInfo {
	if r == nil || r.Details == nil || r.Details.Run == nil {
		return chat.RunInfo{}
	}
	return *r.Details.Run
}

// splitEnd takes the sentence on how the run ended from the text that the model
// got: the footer says it.
func splitEnd(r *chat.ToolResult, run chat.RunInfo) (text, end string) {
	text = r.Text()
	if run.Outcome == "" {
		return text, ""
	}
	at := 0
	if i := strings.LastIndex(text, "\n"); i > 0 && text[i-1] == '\n' {
		at = i + 1
	} else if i >= 0 {
		return text, ""
	}
	for _, sentence := range []string{"Command aborted", "Command timed out after ", "Command exited with code ", "Command was killed by ", "Command failed: missing exit status"} {
		if strings.HasPrefix(text[at:], sentence) {
			return strings.TrimSuffix(text[:at], "\n\n"), text[at:]
		}
	}
	return text, ""
}

// bashArgs are the arguments as far as they are drawn.
type bashArgs struct {
	Command string            `json:"command"`
	Cwd     string            `json:"cwd"`
	Env     map[string]string `json:"env"`
}

// bashLine is the command as a person would type it. While the model still
// writes, it is what there is of it.
func bashLine(call chat.ToolCall, l Live) string {
	var a bashArgs
	if len(call.Args) == 0 || json.Unmarshal(call.Args, &a) != nil {
		a.Command = partial(l.Args, "command")
		a.Cwd = partial(l.Args, "cwd")
	}
	var b strings.Builder
	if a.Cwd != "" {
		b.WriteString("cd " + a.Cwd + " && ")
	}
	names := make([]string, 0, len(a.Env))
	for n := range a.Env {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		fmt.Fprintf(&b, "%s=%q ", n, a.Env[n])
	}
	b.WriteString(strings.TrimSpace(a.Command))
	return b.String()
}

// command draws the head: state, name and the command, of which a collapsed
// block shows the first lines.
func (b *block) command(state span, command string) {
	all := strings.Split(commandText(command), "\n")
	shown := all
	if !b.o.Expanded && len(all) > collapsedCommand {
		shown = all[:collapsedCommand]
	}
	head := []span{state, styled(b.t.ToolName, "Bash "), styled(b.t.Dim, "$ ")}
	indent := spansWidth(head)
	if b.o.Width < 3*indent {
		head, indent = []span{state, styled(b.t.Dim, "$ ")}, 2
	}
	indent = min(indent, b.o.Width-1)
	head = truncate(head, indent, "")
	room := b.o.Width - indent
	for i, l := range shown {
		rows := wrapCells([]span{styled(b.t.ToolArg, clamp(l))}, room)
		if !b.o.Expanded && len(rows) > collapsedCommand {
			more := styled(b.t.Dim, b.t.Glyphs.Ellipsis)
			last := append(truncate(rows[collapsedCommand-1].text, max(0, room-1-textWidth(more.text)), ""), more)
			rows = append(rows[:collapsedCommand-1:collapsedCommand-1], row{text: truncate(last, room, "")})
		}
		for j, r := range rows {
			r.gutter = []span{plain(strings.Repeat(" ", indent))}
			if i == 0 && j == 0 {
				r.gutter = head
			}
			b.rows = append(b.rows, r)
		}
	}
	if n := len(all) - len(shown); n > 0 {
		b.line(plain(strings.Repeat(" ", indent)), styled(b.t.Dim, fmt.Sprintf("%s %s", b.t.Glyphs.Ellipsis, plural(n, "more line"))))
	}
}

// commandText is a command to look at: what a terminal would obey or hide in it
// is written out, since a command that shows as another one deceives.
func commandText(command string) string {
	lines := strings.Split(command, "\n")
	for i, l := range lines {
		lines[i] = sanitize.ForApproval(expandTabs(l))
	}
	return strings.Join(lines, "\n")
}

// outputBlock draws the output beside a thin bar.
func (b *block) outputBlock(text string, l Live, run chat.RunInfo) {
	bar := styled(b.t.Rule, b.t.Glyphs.BarThin+" ")
	width := b.inner(2)
	rows, hidden := b.output(text, width, collapsedRows)
	earlier := int64(hidden)
	if t := run.Meta.Truncation; t != nil {
		earlier += max(0, t.ShownRange.Start-1)
	} else if l.Running && l.Lines > 0 {
		earlier = max(earlier, l.Lines-int64(len(rows)))
	}
	if earlier > 0 && !b.o.Expanded {
		hint := fmt.Sprintf("%s (%d earlier lines, showing %d of %d) (%s to expand)", b.t.Glyphs.Ellipsis, earlier, len(rows), earlier+int64(len(rows)), b.o.ExpandKey)
		b.beside(bar, wrapWords([]span{styled(b.t.Dim, hint)}, width))
	}
	b.beside(bar, rows)
}

// footer says how the run ended, in one line where it fits.
func (b *block) footer(run chat.RunInfo, r *chat.ToolResult, end string, l Live) {
	var facts []span
	dim := func(s string) { facts = append(facts, styled(b.t.Dim, s)) }
	switch {
	case l.Running:
		if s := b.o.since(l); s != "" {
			dim(s)
		}
		dim(b.o.cancel())
	case r == nil:
		return
	case run.Outcome != "":
		dim(chat.Seconds(run.Duration))
		facts = append(facts, b.ending(run, end)...)
	}
	if r != nil {
		for _, n := range r.Notices {
			facts = append(facts, b.remark(n))
		}
	}
	if len(facts) == 0 {
		return
	}
	b.close(facts)
}

// close draws facts beside the corner that ends a block.
func (b *block) close(facts []span) {
	corner := styled(b.t.Rule, b.t.Glyphs.Corner+" ")
	rows := wrapWords(b.facts(facts), b.inner(2))
	for i, r := range rows {
		gutter := corner
		if i > 0 {
			gutter = plain("  ")
		}
		b.beside(gutter, []row{r})
	}
}

// ending is how a run ended, if that is worth a word.
func (b *block) ending(run chat.RunInfo, end string) []span {
	var out []span
	switch run.Outcome {
	case chat.Exited:
		if run.ExitCode != nil && *run.ExitCode != 0 {
			out = append(out, styled(b.t.Error, fmt.Sprintf("exit %d", *run.ExitCode)))
		}
	case chat.Cancelled, chat.TimedOut, chat.Interrupted:
		if end == "" {
			end = string(run.Outcome)
		}
		out = append(out, styled(b.t.Warning, end))
	case chat.NotStarted:
		out = append(out, styled(b.t.Error, "not started"))
	default:
		if end != "" {
			out = append(out, styled(b.t.Error, end))
		}
	}
	if run.Timeout > 0 && run.Outcome == chat.TimedOut && end == "" {
		out = append(out, styled(b.t.Dim, "timeout "+chat.Seconds(run.Timeout)))
	}
	return out
}

func (b *block) remark(n chat.Notice) span {
	style := b.t.Dim
	if n.Kind == "note" || n.Kind == "binary" || n.Kind == "timeoutClamped" {
		style = b.t.Warning
	}
	return styled(style, sanitize.OneLine(n.Text))
}

// partial reads a text out of JSON that is still being written: the value of a
// key, as far as it goes.
func partial(raw, key string) string {
	_, rest, ok := strings.Cut(raw, `"`+key+`"`)
	if !ok {
		return ""
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(strings.TrimLeft(rest, " \n\t"), ":"), "")
	rest = strings.TrimLeft(rest, " \n\t")
	if !ok || !strings.HasPrefix(rest, `"`) {
		return ""
	}
	end := 1
	for end < len(rest) && rest[end] != '"' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	var s string
	for end = min(end, len(rest)); end > 0; end-- { // a cut escape is left out
		if json.Unmarshal([]byte(rest[:end]+`"`), &s) == nil {
			return s
		}
	}
	return ""
}
