package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
)

// What the model is told in the place of the person. None of it is stored: it
// follows from the entries.
const (
	lostResult   = "no result: this call was not finished"
	cutNote      = "Your answer was cut off at the output limit, and a tool call that was not whole was dropped. Continue, and write less at a time: split large files and long answers over several calls."
	continueNote = "Please continue."
	summaryNote  = "The conversation before this point was summarised to save space. Summary:\n\n"
	noOutput     = "(no output)"
)

// project makes the messages of a request from the entries of a branch. It is a
// pure function and repairs whatever the entries lack, so that a conversation
// can always go on:
//
//   - the results of an answer's calls follow it at once and in their order,
//     each exactly once; a missing one is made up;
//   - what the person said or ran meanwhile comes after them, in its order;
//   - private commands, commands that have not ended, empty answers, answers
//     that only thought and declined exchanges are left out;
//   - thinking, signatures and opaque blocks go back to the very model that made
//     them and to no other;
//   - messages of the user that follow each other are one message.
//
// A longer branch gives the same messages with more behind them (except after a
// compaction or a declined exchange), which keeps the providers' caches warm.
func project(entries []session.Entry, to llm.Model) []chat.Message {
	p := projection{to: to, ran: map[string]bool{}, prompt: -1}
	summary, active := effective(entries)
	if summary != "" {
		p.user(chat.TextPart(summaryNote + summary))
	}
	for _, e := range active {
		if e.Message != nil {
			p.add(*e.Message)
		}
	}
	p.close()
	return p.out
}

// effective is what a compaction leaves: its summary, what it kept and what came
// after it.
func effective(entries []session.Entry) (summary string, active []session.Entry) {
	at := lastCompaction(entries)
	if at < 0 {
		return "", entries
	}
	c := entries[at].Compaction
	kept := slices.IndexFunc(entries[:at], func(e session.Entry) bool { return e.ID == c.FirstKept })
	if kept < 0 {
		kept = at
	}
	return c.Summary, slices.Concat(entries[kept:at], entries[at+1:])
}

func lastCompaction(entries []session.Entry) int {
	for i, e := range slices.Backward(entries) {
		if e.Compaction != nil {
			return i
		}
	}
	return -1
}

type projection struct {
	to  llm.Model
	out []chat.Message
	ran map[string]bool // "!" commands that are in out

	open    []chat.ToolCall // the calls of the last answer that wait for results
	results []*chat.ToolResult
	later   []chat.Message // waits for the results

	// Where the last prompt begins: a message of out and a part of it.
	prompt, promptPart int
}

func (p *projection) add(m chat.Message) {
	switch m.Role {
	case chat.RoleUser, chat.RoleBashExecution:
		if p.open != nil {
			p.later = append(p.later, m)
			return
		}
		p.said(m)
	case chat.RoleAssistant:
		p.close()
		p.answer(m)
	case chat.RoleToolResult:
		if m.Result != nil {
			p.result(*m.Result)
		}
	}
}

// said adds what the person typed.
func (p *projection) said(m chat.Message) {
	if m.Role == chat.RoleUser {
		parts := p.readable(m.Parts)
		if len(parts) == 0 {
			return
		}
		p.prompt, p.promptPart = len(p.out), 0
		if n := len(p.out) - 1; n >= 0 && p.out[n].Role == chat.RoleUser {
			p.prompt, p.promptPart = n, len(p.out[n].Parts)
		}
		p.user(parts...)
		return
	}
	if run := m.Run; run != nil && !run.Private && run.Outcome != chat.Running && !p.ran[run.ID] {
		p.ran[run.ID] = true
		p.user(chat.TextPart(describeRun(*run)))
	}
}

// user adds to the message of the user at the end, or begins one.
func (p *projection) user(parts ...chat.Part) {
	n := len(p.out) - 1
	if n < 0 || p.out[n].Role != chat.RoleUser {
		p.out = append(p.out, chat.Message{Role: chat.RoleUser, Parts: parts})
		return
	}
	p.out[n].Parts = slices.Concat(p.out[n].Parts, parts)
}

func (p *projection) answer(m chat.Message) {
	stop := chat.StopEnd
	if m.Answer != nil {
		stop = m.Answer.Stop
	}
	if stop == chat.StopRefusal {
		p.dropExchange()
		return
	}
	parts := p.own(m, stop)
	if says(parts) {
		p.out = append(p.out, chat.Message{Role: chat.RoleAssistant, Parts: parts, Answer: m.Answer})
		p.expect(chat.Message{Parts: parts}.Calls())
	}
	switch {
	case stop == chat.StopLength && p.open != nil:
		p.later = append(p.later, chat.UserText(cutNote))
	case stop == chat.StopLength:
		p.user(chat.TextPart(cutNote))
	case stop == chat.StopEnd && len(m.Parts) == 0:
		p.user(chat.TextPart(continueNote))
	}
}

// own is what of an answer may go back to the model.
func (p *projection) own(m chat.Message, stop chat.Stop) []chat.Part {
	same := m.Answer != nil && m.Answer.Provider == p.to.Provider && m.Answer.Model == p.to.ID
	cut := stop == chat.StopAborted || stop == chat.StopError
	var parts []chat.Part
	for _, part := range m.Parts {
		if !same {
			part.Signature, part.Raw = "", nil
		}
		signed := part.Signature != "" || part.Raw != nil
		keep := true
		switch part.Kind {
		case chat.PartText:
			keep = strings.TrimSpace(part.Text) != "" || signed
		case chat.PartThinking:
			keep = same && (signed || !cut)
		case chat.PartOpaque:
			keep = same && !cut
		case chat.PartToolCall:
			keep = part.Call != nil && stop != chat.StopError
		case chat.PartImage:
		}
		if keep {
			parts = append(parts, part)
		}
	}
	return parts
}

// says is false for an answer of thinking alone, which no provider takes back.
func says(parts []chat.Part) bool {
	return slices.ContainsFunc(parts, func(p chat.Part) bool { return p.Kind != chat.PartThinking })
}

// dropExchange forgets what the model declined to answer, back to the prompt.
func (p *projection) dropExchange() {
	if p.prompt < 0 || p.prompt >= len(p.out) {
		return
	}
	m := &p.out[p.prompt]
	m.Parts = m.Parts[:p.promptPart:p.promptPart]
	end := p.prompt + 1
	if p.promptPart == 0 {
		end--
	}
	p.out, p.prompt = p.out[:end:end], -1
}

func (p *projection) expect(calls []chat.ToolCall) {
	p.open = calls
	p.results = make([]*chat.ToolResult, len(calls))
}

// result answers the open call with its ID. One that no call waits for, or a
// second one, is left out.
func (p *projection) result(r chat.ToolResult) {
	for i, call := range p.open {
		if call.ID == r.CallID && p.results[i] == nil {
			p.results[i] = &r
			break
		}
	}
	if !slices.Contains(p.results, nil) {
		p.close()
	}
}

// close ends an answer with its results and then adds what waited for them.
func (p *projection) close() {
	for i, call := range p.open {
		r := chat.ToolResult{CallID: call.ID, Name: call.Name, IsError: true}
		if got := p.results[i]; got != nil {
			r.IsError, r.Parts = got.IsError, p.resultParts(*got)
		} else {
			r.Parts = []chat.Part{chat.TextPart(lostResult)}
		}
		p.out = append(p.out, chat.Message{Role: chat.RoleToolResult, Result: &r})
	}
	p.open, p.results = nil, nil
	later := p.later
	p.later = nil
	for _, m := range later {
		p.said(m)
	}
}

// resultParts is a result as the model reads it, with its notices behind it.
func (p *projection) resultParts(r chat.ToolResult) []chat.Part {
	parts := p.readable(tools.ForModel(r))
	if len(parts) == 0 {
		return []chat.Part{chat.TextPart(noOutput)}
	}
	return parts
}

// readable leaves out blank text, which some providers refuse, and says so where
// the model cannot see a picture.
func (p *projection) readable(parts []chat.Part) []chat.Part {
	var out []chat.Part
	for _, part := range parts {
		switch {
		case part.Kind == chat.PartImage && part.Image != nil && !p.to.Images:
			out = append(out, chat.TextPart("[a picture ("+part.Image.MIME+") that this model cannot see]"))
		case part.Kind == chat.PartText && strings.TrimSpace(part.Text) == "":
		default:
			out = append(out, part)
		}
	}
	return out
}

// describeRun tells the model of a command that the person ran.
func describeRun(run chat.BashRun) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Ran %s\n", inline(run.Command))
	output := run.Output
	if output == "" {
		output = noOutput
	}
	fence := strings.Repeat("`", max(3, longestTicks(output)+1))
	fmt.Fprintf(&b, "%s\n%s\n%s", fence, strings.TrimSuffix(output, "\n"), fence)
	if end := runEnd(run); end != "" {
		b.WriteString("\n" + end)
	}
	for _, n := range run.Notices {
		b.WriteString("\n[" + n.Text + "]")
	}
	return b.String()
}

func runEnd(run chat.BashRun) string {
	switch run.Outcome {
	case chat.Exited:
		if run.ExitCode != nil && *run.ExitCode != 0 {
			return fmt.Sprintf("Command exited with code %d", *run.ExitCode)
		}
		return ""
	case chat.Signalled:
		return "Command was killed by " + run.Signal
	case chat.TimedOut:
		return fmt.Sprintf("Command timed out after %d seconds", int(run.Timeout.Seconds()))
	case chat.Cancelled:
		return "Command was cancelled by the user"
	case chat.Interrupted:
		return "Command was interrupted: the session ended while it ran"
	case chat.NotStarted:
		return "Command could not start: " + run.Error
	default:
		return "Command ended without an exit status"
	}
}

// inline quotes s as Markdown code on one line, or as a block if it has several.
func inline(s string) string {
	ticks := strings.Repeat("`", longestTicks(s)+1)
	if strings.Contains(s, "\n") {
		ticks = strings.Repeat("`", max(3, len(ticks)))
		return "\n" + ticks + "\n" + s + "\n" + ticks
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

func longestTicks(s string) int {
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
