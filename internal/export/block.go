package export

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/session"
)

// block is a piece of the page. Kind is a class of the style.
type block struct {
	Kind    string // "user", "answer", "thinking", "tool", "bang", "note"
	Head    string // of what folds
	State   string // "ok", "failed", "stopped" or ""
	Text    string
	HTML    template.HTML // in place of Text
	Diff    []diffLine
	Images  []template.URL
	Facts   []string
	Open    bool
	Private bool
}

type diffLine struct{ Kind, Text string }

// blocks are the pieces of a conversation in their order.
func blocks(entries []session.Entry) []block {
	results := map[string]*chat.ToolResult{}
	ends := map[string]chat.BashRun{}
	for _, e := range entries {
		if m := e.Message; m != nil && m.Result != nil {
			results[m.Result.CallID] = m.Result
		} else if m != nil && m.Run != nil {
			ends[m.Run.ID] = *m.Run
		}
	}
	var list []block
	for _, e := range entries {
		switch {
		case e.Compaction != nil:
			list = append(list, block{Kind: "note", Head: "What came before was summarised for the model", Text: sanitize.ForScreen(e.Compaction.Summary)})
		case e.Message == nil:
		case e.Message.Run != nil:
			if end, first := ends[e.Message.Run.ID]; first {
				list = append(list, bang(end))
				delete(ends, end.ID)
			}
		case e.Message.Role != chat.RoleToolResult:
			list = append(list, said(*e.Message, results)...)
		}
	}
	return list
}

// said is a message of the person or the model.
func said(m chat.Message, results map[string]*chat.ToolResult) []block {
	var list []block
	for _, p := range m.Parts {
		switch p.Kind {
		case chat.PartText:
			if m.Role == chat.RoleUser {
				list = append(list, block{Kind: "user", Text: sanitize.ForScreen(p.Text)})
			} else if strings.TrimSpace(p.Text) != "" {
				list = append(list, block{Kind: "answer", HTML: markdown(p.Text)})
			}
		case chat.PartThinking:
			if p.Text != "" {
				list = append(list, block{Kind: "thinking", Head: "Thinking", Text: sanitize.ForScreen(p.Text)})
			}
		case chat.PartImage:
			list = append(list, block{Kind: "user", Images: images([]chat.Part{p})})
		case chat.PartToolCall:
			list = append(list, tool(*p.Call, results[p.Call.ID]))
		default:
		}
	}
	if m.Answer != nil && m.Answer.Error != "" {
		list = append(list, block{Kind: "note", Text: sanitize.OneLine(m.Answer.Error), State: "failed"})
	}
	return list
}

func tool(call chat.ToolCall, r *chat.ToolResult) block {
	b := block{Kind: "tool", Head: head(call)}
	if r == nil {
		return b
	}
	b.State, b.Text, b.Images = "ok", sanitize.ForScreen(r.Text()), images(r.Parts)
	if r.IsError {
		b.State = "failed"
	}
	if d := r.Details; d != nil && d.Run != nil {
		b.Facts = runFacts(*d.Run)
		if d.Run.Screen != "" {
			b.Text, b.HTML = "", coloured(d.Run.Screen)
		}
	} else if d != nil && d.Change != nil {
		b.Text, b.Diff, b.Open = "", diff(d.Change.Diff), true
		b.Facts = []string{fmt.Sprintf("+%d −%d", d.Change.Added, d.Change.Removed)}
	}
	for _, n := range r.Notices {
		b.Facts = append(b.Facts, n.Text)
	}
	return b
}

// head is a call in one line: what its first telling argument says.
func head(call chat.ToolCall) string {
	var args map[string]any
	_ = json.Unmarshal(call.Args, &args) // what is no object has no telling argument
	for _, name := range []string{"command", "path", "pattern"} {
		if v, ok := args[name].(string); ok {
			if name == "command" {
				v = "$ " + v
			}
			return sanitize.OneLine(call.Name) + "  " + sanitize.OneLine(v)
		}
	}
	return sanitize.OneLine(call.Name)
}

func bang(run chat.BashRun) block {
	b := block{Kind: "bang", Head: "$ " + sanitize.OneLine(run.Command), State: "ok", Text: sanitize.ForScreen(run.Output), Facts: runFacts(run.RunInfo), Open: true, Private: run.Private}
	if run.Outcome != chat.Exited || run.ExitCode != nil && *run.ExitCode != 0 {
		b.State = "failed"
	}
	if run.Screen != "" {
		b.Text, b.HTML = "", coloured(run.Screen)
	}
	for _, n := range run.Notices {
		b.Facts = append(b.Facts, n.Text)
	}
	return b
}

func runFacts(run chat.RunInfo) []string {
	facts := []string{chat.Seconds(run.Duration)}
	switch run.Outcome {
	case chat.Exited:
		if run.ExitCode != nil && *run.ExitCode != 0 {
			facts = append(facts, fmt.Sprintf("exit %d", *run.ExitCode))
		}
	case chat.Signalled:
		facts = append(facts, "killed by "+run.Signal)
	case chat.TimedOut:
		facts = append(facts, "timed out")
	case chat.Cancelled:
		facts = append(facts, "cancelled")
	case chat.Interrupted:
		facts = append(facts, "interrupted")
	case chat.NotStarted:
		facts = append(facts, "not started: "+sanitize.OneLine(run.Error))
	default:
		facts = append(facts, "exit status unknown")
	}
	return facts
}

func diff(text string) []diffLine {
	var list []diffLine
	for l := range strings.Lines(sanitize.ForScreen(text)) {
		kind := ""
		switch {
		case strings.HasPrefix(l, "+"):
			kind = "add"
		case strings.HasPrefix(l, "-"):
			kind = "del"
		case strings.HasPrefix(l, "@"):
			kind = "hunk"
		}
		list = append(list, diffLine{kind, strings.TrimSuffix(l, "\n")})
	}
	return list
}

// images are pictures as addresses that hold them.
func images(parts []chat.Part) []template.URL {
	var list []template.URL
	for _, p := range parts {
		if p.Kind != chat.PartImage || p.Image == nil {
			continue
		}
		switch p.Image.MIME {
		case "image/png", "image/jpeg", "image/gif", "image/webp":
			list = append(list, template.URL("data:"+p.Image.MIME+";base64,"+base64.StdEncoding.EncodeToString(p.Image.Data))) //nolint:gosec // of a known kind
		}
	}
	return list
}
