package render

import (
	"fmt"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
)

// collapsedRun is how much of the output of a person's command shows while it
// is collapsed.
const collapsedRun = 20

// BashRun draws a command that the person ran with "!".
func BashRun(run chat.BashRun, l Live, o Options) []string {
	b := newBlock(o)
	if o.Width < 1 {
		return nil
	}
	rule, command := b.t.BashRule, b.t.BashCommand
	label := ""
	if run.Private {
		rule, command, label = b.t.BashRuleDim, b.t.Dim, " not sent to the model "
	}
	b.rule(rule.Open(), label)
	for i, line := range strings.Split(commandText(run.Command), "\n") {
		prompt := "$ "
		if i > 0 {
			prompt = "  "
		}
		b.rows = append(b.rows, wrapCells([]span{styled(command, prompt+clamp(line))}, o.Width)...)
	}
	text := shown(run.Output, run.RunInfo)
	if l.Running {
		text = l.Tail
	}
	rows, hidden := b.output(text, o.Width, collapsedRun)
	b.rows = append(b.rows, rows...)
	b.runEnd(run, l, hidden)
	return b.lines()
}

// rule draws a line over the width, with a label near its start.
func (b *block) rule(open, label string) {
	g := b.t.Glyphs.Rule
	if g == "" {
		if label != "" {
			b.line(span{open: open, text: strings.TrimSpace(label)})
		}
		return
	}
	w := textWidth(label)
	if label == "" || w+4 > b.o.Width {
		b.line(span{open: open, text: strings.Repeat(g, b.o.Width)})
		return
	}
	b.line(span{open: open, text: strings.Repeat(g, 2)}, styled(b.t.Dim, label), span{open: open, text: strings.Repeat(g, b.o.Width-2-w)})
}

func (b *block) runEnd(run chat.BashRun, l Live, hidden int) {
	if l.Running {
		facts := "Running" + b.t.Glyphs.Ellipsis
		if s := b.o.since(l); s != "" {
			facts += " " + s
		}
		spin := b.t.Glyphs.Frame(l.Spinner)
		if spin != "" {
			spin += " "
		}
		b.line(styled(b.t.BashRule, spin), styled(b.t.Dim, facts+" ("+b.o.cancel()+")"))
		return
	}
	var facts []span
	if hidden > 0 {
		facts = append(facts, styled(b.t.Dim, fmt.Sprintf("%s %d more lines (%s to expand)", b.t.Glyphs.Ellipsis, hidden, b.o.ExpandKey)))
	}
	switch run.Outcome {
	case chat.Exited:
		if run.ExitCode != nil && *run.ExitCode != 0 {
			facts = append(facts, styled(b.t.Error, fmt.Sprintf("(exit %d)", *run.ExitCode)))
		}
	case chat.Cancelled:
		facts = append(facts, styled(b.t.Warning, "(cancelled)"))
	case chat.Signalled:
		facts = append(facts, styled(b.t.Error, "(killed by "+run.Signal+")"))
	case chat.TimedOut:
		facts = append(facts, styled(b.t.Warning, "(timed out)"))
	case chat.Interrupted:
		facts = append(facts, styled(b.t.Warning, "(interrupted: the agent ended while it ran)"))
	case chat.NotStarted:
		facts = append(facts, styled(b.t.Error, "(not started: "+sanitize.OneLine(run.Error)+")"))
	case chat.NoStatus:
		facts = append(facts, styled(b.t.Error, "(exit status unknown)"))
	default:
	}
	for _, n := range run.Notices {
		facts = append(facts, b.remark(n))
	}
	if len(facts) > 0 {
		b.rows = append(b.rows, wrapWords(b.facts(facts), b.o.Width)...)
	}
}
