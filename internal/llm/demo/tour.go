package demo

import (
	"regexp"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

const introduction = `Hello! I am the **demo**: a script, not an AI. Everything around me is real, though: the tools that I call, the questions before they run, your ` + "`!`" + ` commands, and the session that is kept.

Try one of these:

| type | and see |
|---|---|
| ` + "`list`" + ` | a command of mine |
| ` + "`slow`" + ` | output while it runs; **Esc** stops it |
| ` + "`long`" + ` | output that is folded; **Ctrl+O** shows it |
| ` + "`write`" + ` | a file, with its diff |
| ` + "`markdown`" + ` | code, lists and tables |
| ` + "`run make test`" + ` | any command you like |
| ` + "`!git status`" + ` | a command of your own |
| ` + "`!vim notes.txt`" + ` | a program in a terminal of its own |

For a real model set ` + "`ANTHROPIC_API_KEY`" + ` or ` + "`OPENAI_API_KEY`" + ` and start again.`

const markdown = `Here is some **bold**, some *emphasis*, some ` + "`code`" + ` and a [link](https://go.dev).

## A list

1. Numbers
   - nested points, which wrap when the line is longer than the screen is wide, as this one is sooner or later
   - [x] done
   - [ ] to do
2. And a quote:

> Simplicity is prerequisite for reliability.

` + "```go" + `
// Hello greets whoever is there.
func Hello(name string) string {
	if name == "" {
		return "hello, world"
	}
	return fmt.Sprintf("hello, %s", name)
}
` + "```" + `

| shell | state kept | speed |
|---|:-:|--:|
| bash | all of it | fast |
| zsh | directory and exports | fast |
`

var (
	runs  = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:run|execute)\s+(.+)$`)
	reads = regexp.MustCompile(`(?is)^\s*(?:please\s+)?(?:read|show|open)\s+(\S+)\s*$`)
)

// tour decides what to say to what was typed last, or to the result of a call.
func tour(r llm.Request) ([]step, error) {
	prompt, results := situation(r.Messages)
	if len(results) > 0 {
		return afterTools(results), nil
	}
	return toPrompt(strings.TrimSpace(prompt), r), nil
}

// situation finds the last text of the person and the results since then.
func situation(messages []chat.Message) (prompt string, results []chat.ToolResult) {
	for _, m := range messages {
		switch m.Role {
		case chat.RoleUser:
			prompt, results = lastText(m), nil
		case chat.RoleToolResult:
			if m.Result != nil {
				results = append(results, *m.Result)
			}
		default:
		}
	}
	return prompt, results
}

// lastText is the last text of a message: what stands before it is told along
// with it, such as "!" commands.
func lastText(m chat.Message) string {
	for i := len(m.Parts) - 1; i >= 0; i-- {
		if m.Parts[i].Kind == chat.PartText {
			return m.Parts[i].Text
		}
	}
	return ""
}

func toPrompt(prompt string, r llm.Request) []step {
	words := strings.ToLower(prompt)
	if m := runs.FindStringSubmatch(prompt); m != nil {
		return callOf(r, "I run it.", "bash", map[string]any{"command": strings.Trim(strings.TrimSpace(m[1]), "`")})
	}
	if m := reads.FindStringSubmatch(prompt); m != nil {
		return callOf(r, "I read it.", "read", map[string]any{"path": strings.Trim(m[1], "`@\"'")})
	}
	switch {
	case strings.HasPrefix(prompt, "Ran `"):
		return []step{{text: "I see the command that you ran. A real model would know what to do with it."}}
	case has(words, "slow", "sleep", "server", "wait"):
		return callOf(r, "Ten steps, one each second. Press **Esc** whenever you have seen enough.", "bash",
			map[string]any{"command": "for i in $(seq 10); do\n  echo \"step $i of 10\"\n  sleep 1\ndone"})
	case has(words, "long", "many", "artifact"):
		return callOf(r, "Here come many lines.", "bash",
			map[string]any{"command": "for i in $(seq 1 4000); do echo \"line $i: all of this is kept on disk, whatever the screen shows\"; done"})
	case has(words, "fail", "error"):
		return callOf(r, "This one fails.", "bash", map[string]any{"command": "ls /no/such/directory"})
	case has(words, "write", "edit", "file", "change"):
		return callOf(r, "I would like to write a file, with your permission.", "write",
			map[string]any{"path": "agent-demo.txt", "content": "This file was written by the demo of agent.\nYou can delete it.\n"})
	case has(words, "list", "ls", "look", "tour", "files"):
		return callOf(r, "Let me look around here.", "bash", map[string]any{"command": "ls -la | head -20"})
	case has(words, "markdown", "table", "code"):
		return []step{{text: markdown}}
	case has(words, "think"):
		return []step{{thinking: "The person wants to see how thinking looks. I cannot think, but I can show it."}, {text: "That was thinking; **Ctrl+T** shows it and hides it again."}}
	case prompt == "" || has(words, "hello", "hi", "hey", "help", "what", "who", "how"):
		return []step{{text: introduction}}
	default:
		return []step{{text: "I am only the demo, a script, so I cannot answer that.\n\n" + introduction}}
	}
}

// has says whether one of the words stands in a text by itself.
func has(text string, words ...string) bool {
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) {
		for _, w := range words {
			if f == w {
				return true
			}
		}
	}
	return false
}

// callOf says something and calls a tool, if it is there.
func callOf(r llm.Request, say, tool string, args map[string]any) []step {
	for _, t := range r.Tools {
		if t.Name == tool {
			return []step{{text: say}, {call: tool, args: args}}
		}
	}
	return []step{{text: sprintf("I would call the tool `%s`, but it is not among the tools of this run.", tool)}}
}

func afterTools(results []chat.ToolResult) []step {
	last := results[len(results)-1]
	var said string
	switch {
	case strings.Contains(last.Text(), "did not allow"):
		said = "You said no, so nothing happened. A real model would look for another way."
	case last.IsError && strings.Contains(last.Text(), "aborted"):
		said = "You stopped it. What it had printed by then is kept, and so is the session: go on with whatever you like."
	case last.IsError:
		said = "That failed, and I was told why:\n\n```\n" + tail(last.Text()) + "\n```"
	case last.Name == "bash" && artifactOf(last.Text()) != "":
		return []step{
			{text: "Only the end of it came to me, but I can read any part of the whole:"},
			{call: "read", args: map[string]any{"path": artifactOf(last.Text()), "offset": 2000, "limit": 3}},
		}
	case last.Name == "bash":
		said = "Done. The state of the shell carries over: the next command, mine or your own `!`, starts where this one ended."
	case last.Name == "write":
		said = "Done; the block above shows the diff. `rm agent-demo.txt` removes it again."
	case last.Name == "read":
		said = "That is what stands there, with the numbers of the lines."
	default:
		said = "Done."
	}
	return []step{{text: said}}
}

var artifacts = regexp.MustCompile(`artifact://\d+`)

func artifactOf(text string) string { return artifacts.FindString(text) }

// tail is the end of a text that is too long to say again.
func tail(s string) string {
	const most = 400
	s = strings.TrimSpace(s)
	if len(s) > most {
		s = "…" + strings.ToValidUTF8(s[len(s)-most:], "")
	}
	return s
}
