package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/nearest"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/theme"
	"github.com/seed7484d81d/agent/internal/tui/dialog"
	"github.com/seed7484d81d/agent/internal/tui/editor"
)

// command is a word behind "/".
type command struct {
	name, args, help string
	run              func(a *App, args string) tea.Cmd
	options          func(a *App) []string // for completion
}

// commands lists them in the order of the help.
func commands() []command {
	return []command{
		{"help", "", "show commands and keys", func(a *App, _ string) tea.Cmd { a.help(); return nil }, nil},
		{"model", "[name]", "choose who answers", (*App).modelCommand, modelNames},
		{"thinking", "off|low|medium|high", "choose how much the model thinks", (*App).thinkingCommand, words("off", "low", "medium", "high")},
		{"permissions", "ask|edits|all|plan", "choose what runs unasked", (*App).modeCommand, words("ask", "edits", "all", "plan")},
		{"login", "[variable]", "store the key of a provider", (*App).loginCommand, nil},
		{"new", "", "begin a new conversation", func(a *App, _ string) tea.Cmd { return a.begin() }, nil},
		{"resume", "[id]", "go on with an earlier conversation", (*App).resumeCommand, nil},
		{"rewind", "", "go back to an earlier prompt", func(a *App, _ string) tea.Cmd { return a.rewind() }, nil},
		{"rename", "title", "name this conversation", (*App).renameCommand, nil},
		{"compact", "[hint]", "summarise the older part to make room", func(a *App, s string) tea.Cmd { a.talk.Agent.Compact(s); return nil }, nil},
		{"copy", "", "copy the last answer", func(a *App, _ string) tea.Cmd { return a.copyText(a.transcript.CopyFocused()) }, nil},
		{"artifacts", "", "look at outputs that were kept whole", (*App).artifactsCommand, nil},
		{"export", "[file]", "write this conversation as one HTML file", (*App).exportCommand, nil},
		{"fork", "", "go on in a copy of this conversation", (*App).forkCommand, nil},
		{"tree", "", "choose among the branches of this conversation", (*App).treeCommand, nil},
		{"tools", "", "list what the model can call", (*App).toolsCommand, nil},
		{"jobs", "", "list what commands left running, and stop it", (*App).jobsCommand, nil},
		{"context", "", "show what the next request carries", (*App).contextCommand, nil},
		{"init", "[hint]", "let the model write AGENTS.md for this project", (*App).initCommand, nil},
		{"scrollback", "", "print this conversation where the terminal keeps it", (*App).scrollbackCommand, nil},
		{"logout", "variable", "forget the stored key of a provider", (*App).logoutCommand, nil},
		{"doctor", "", "check what the program needs", (*App).doctorCommand, nil},
		{"cost", "", "show tokens and cost of this conversation", func(a *App, _ string) tea.Cmd { a.cost(); return nil }, nil},
		{"theme", "dark|light|mono|plain", "choose the colours", (*App).themeCommand, func(*App) []string { return theme.Names() }},
		{"quit", "", "leave; agent -c comes back here", func(*App, string) tea.Cmd { return tea.Quit }, nil},
	}
}

func words(w ...string) func(*App) []string { return func(*App) []string { return w } }

// aliases are other names that people try.
var aliases = map[string]string{ //nolint:gochecknoglobals // a table that is never written
	"keys": "help", "?": "help", "exit": "quit", "q": "quit", "clear": "new", "mode": "permissions", "continue": "resume", "sessions": "resume", "undo": "rewind", "models": "model",
}

// command runs what stands behind "/".
func (a *App) command(text string) tea.Cmd {
	name, args, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(text), "/"), " ")
	args = strings.TrimSpace(args)
	if real, ok := aliases[name]; ok {
		name = real
	}
	var known []string
	for _, c := range commands() {
		if c.name == name {
			return c.run(a, args)
		}
		known = append(known, c.name)
	}
	for _, p := range a.prompts {
		if p.Name == name {
			return a.sendPrompt(p, args)
		}
		known = append(known, p.Name)
	}
	hint := nearest.Of(name, known)
	if hint != "" {
		hint = "; did you mean /" + hint + "?"
	}
	a.transcript.Remark("warning", fmt.Sprintf("There is no command /%s%s  /help lists them all.", name, hint))
	return nil
}

// exportCommand writes the conversation as a page.
func (a *App) exportCommand(file string) tea.Cmd {
	if a.o.Export == nil {
		return nil
	}
	s, write := a.talk.Session, a.o.Export
	return later(func() func(a *App) tea.Cmd {
		path, err := write(s, file)
		return func(a *App) tea.Cmd {
			if err != nil {
				a.complain(err)
				return nil
			}
			a.transcript.Remark("info", "Written to "+path)
			return nil
		}
	})
}

func (a *App) modelCommand(name string) tea.Cmd {
	if name == "" {
		return a.pickModel()
	}
	if a.o.SetModel == nil {
		return nil
	}
	provider, id, _ := strings.Cut(name, "/")
	var list []Model
	if a.o.Models != nil {
		list = a.o.Models()
	}
	for _, m := range list {
		if m.ID == name || m.Provider == name && id == "" {
			provider, id = m.Provider, m.ID
			break
		}
	}
	return a.setModel(provider, id)
}

func (a *App) setModel(provider, id string) tea.Cmd {
	if err := a.o.SetModel(a.talk, provider, id); err != nil {
		a.complain(err)
		return nil
	}
	return a.tell(provider + "/" + id + " answers from here on")
}

func (a *App) pickModel() tea.Cmd {
	if a.o.Models == nil || a.o.SetModel == nil {
		return nil
	}
	var items []dialog.Item[Model]
	for _, m := range a.o.Models() {
		it := dialog.Item[Model]{Value: m, Title: m.ID, Description: m.Provider, Right: m.Name, Current: m.ID == a.state.Model.ID && m.Provider == a.state.Model.Provider}
		if m.Needs != "" {
			it.Right = "needs " + m.Needs
		}
		items = append(items, it)
	}
	a.open(dialog.NewPicker(dialog.PickerOptions[Model]{Keys: a.o.Keys, Theme: a.o.Theme, Title: "Model", Items: items, Verb: "switch"}), func(act dialog.Action) tea.Cmd {
		picked, ok := act.(dialog.Picked[Model])
		switch {
		case !ok:
			return nil
		case picked.Value.Needs != "" && a.o.StoreKey != nil:
			a.login(picked.Value.Needs, func() tea.Cmd { return a.setModel(picked.Value.Provider, picked.Value.ID) })
			return nil
		}
		return a.setModel(picked.Value.Provider, picked.Value.ID)
	})
	return nil
}

// logoutCommand forgets a key.
func (a *App) logoutCommand(variable string) tea.Cmd {
	switch {
	case a.o.DropKey == nil:
		return nil
	case variable == "":
		return a.tell("Say which key: /logout ANTHROPIC_API_KEY")
	}
	if err := a.o.DropKey(strings.ToUpper(variable)); err != nil {
		a.complain(err)
		return nil
	}
	return a.tell(strings.ToUpper(variable) + " is forgotten here")
}

func (a *App) loginCommand(variable string) tea.Cmd {
	if a.o.StoreKey == nil || a.o.Models == nil {
		return nil
	}
	if variable != "" {
		a.login(strings.ToUpper(variable), nil)
		return nil
	}
	var items []dialog.Item[string]
	var seen []string
	for _, m := range a.o.Models() {
		if m.Needs != "" && !slices.Contains(seen, m.Needs) {
			seen = append(seen, m.Needs)
			items = append(items, dialog.Item[string]{Value: m.Needs, Title: m.Provider, Right: m.Needs})
		}
	}
	a.open(dialog.NewPicker(dialog.PickerOptions[string]{Keys: a.o.Keys, Theme: a.o.Theme, Title: "Store the key of", Items: items, Empty: "every provider has its key"}), func(act dialog.Action) tea.Cmd {
		if picked, ok := act.(dialog.Picked[string]); ok {
			a.login(picked.Value, nil)
		}
		return nil
	})
	return nil
}

// login asks for a key and keeps it.
func (a *App) login(variable string, then func() tea.Cmd) {
	a.open(dialog.NewInput(dialog.InputOptions{
		Keys: a.o.Keys, Theme: a.o.Theme, Title: variable, Secret: true,
		About: "Paste the key. It is kept in keys.yaml of your configuration,\nreadable by you only, and never shown to a command.",
	}), func(act dialog.Action) tea.Cmd {
		entered, ok := act.(dialog.Entered)
		if !ok {
			return nil
		}
		if err := a.o.StoreKey(variable, entered.Text); err != nil {
			a.complain(err)
			return nil
		}
		if then != nil {
			return then()
		}
		return a.tell("Stored; /model chooses who answers")
	})
}

func (a *App) thinkingCommand(s string) tea.Cmd {
	if !slices.Contains([]string{"off", "low", "medium", "high"}, s) {
		return a.tell("/thinking off, low, medium or high")
	}
	e := llm.Effort(s)
	if s == "off" {
		e = llm.EffortOff
	}
	a.talk.Agent.SetThinking(e)
	return a.tell("Thinking: " + s)
}

func (a *App) modeCommand(s string) tea.Cmd {
	m := permission.Mode(s)
	if !slices.Contains(permission.Modes(), m) {
		return a.tell("/permissions ask, edits, all or plan")
	}
	return a.setMode(m)
}

func (a *App) themeCommand(s string) tea.Cmd {
	t, ok := theme.ByName(s)
	if !ok {
		return a.tell("/theme " + strings.Join(theme.Names(), ", "))
	}
	a.o.AutoTheme = false
	a.setTheme(t)
	return nil
}

func (a *App) renameCommand(title string) tea.Cmd {
	if title == "" {
		return a.tell("/rename needs a title")
	}
	s := a.talk.Session
	return later(func() func(*App) tea.Cmd {
		err := s.SetTitle(title)
		return func(a *App) tea.Cmd {
			if err != nil {
				a.complain(err)
				return nil
			}
			return a.tell("Renamed")
		}
	})
}

func (a *App) cost() {
	s := a.talk.Agent.State()
	u := s.Usage
	var b strings.Builder
	fmt.Fprintf(&b, "%d tokens in, %d out", u.Input, u.Output)
	if u.CacheRead+u.CacheWrite > 0 {
		fmt.Fprintf(&b, ", %d read from and %d written to the cache", u.CacheRead, u.CacheWrite)
	}
	if s.CostKnown && s.Cost > 0 {
		fmt.Fprintf(&b, "; $%.4f", s.Cost)
	}
	if p, ok := s.ContextPercent(); ok {
		fmt.Fprintf(&b, ". The context is %.0f%% full", p)
	}
	a.transcript.Remark("info", b.String())
	a.transcript.Bottom()
}

// help shows the commands and every key.
func (a *App) help() {
	t := a.o.Theme
	lines := func(width int) []string {
		var out []string
		head := func(s string) {
			if len(out) > 0 {
				out = append(out, "")
			}
			out = append(out, t.Heading.Render(s))
		}
		row := func(key, help string) {
			const column = 33
			pad := max(2, column-len([]rune(key)))
			if width < 2*column {
				pad = 2
			}
			out = append(out, t.Key.Render(key)+strings.Repeat(" ", pad)+t.Text.Render(help))
		}
		head("Type")
		row("!command", "run it; the model sees it with your next prompt")
		row("!!command", "run it; the model never sees it")
		row("@file", "name a file")
		if a.o.Console != nil {
			head("In a program's terminal")
			row("esc", "stops it, unless it has the whole screen: then esc is its own")
			row("ctrl+]", "then k stops it, esc sends esc, f is full screen, [ scrolls back")
		}
		head("Commands")
		for _, c := range commands() {
			row(strings.TrimSpace("/"+c.name+" "+c.args), c.help)
		}
		for _, p := range a.prompts {
			row("/"+p.Name, p.About)
		}
		for _, g := range a.o.Keys.Groups() {
			head(g.Name)
			for _, b := range g.Bindings {
				row(strings.Join(b.Keys, ", "), b.Help)
			}
		}
		return out
	}
	a.open(dialog.NewText(dialog.TextOptions{Keys: a.o.Keys, Theme: t, Title: "Help", Lines: lines}), func(dialog.Action) tea.Cmd { return nil })
}

// search asks what to look for.
func (a *App) search() {
	a.open(dialog.NewInput(dialog.InputOptions{Keys: a.o.Keys, Theme: a.o.Theme, Title: "Search", Value: a.needle}), func(act dialog.Action) tea.Cmd {
		if entered, ok := act.(dialog.Entered); ok {
			a.needle = entered.Text
			return a.find(-1)
		}
		return nil
	})
}

func (a *App) find(by int) tea.Cmd {
	if !a.transcript.Find(a.needle, by) {
		return a.tell(fmt.Sprintf("%q is not in this conversation", a.needle))
	}
	return nil
}

// rewind offers the earlier prompts of the conversation.
func (a *App) rewind() tea.Cmd {
	var items []dialog.Item[[2]string]
	for _, e := range a.talk.Session.Branch() {
		if e.Message == nil || e.Message.Role != chat.RoleUser {
			continue
		}
		text := e.Message.Text()
		items = append(items, dialog.Item[[2]string]{Value: [2]string{e.ParentID, text}, Title: text, Right: e.Timestamp.Local().Format("15:04")})
	}
	slices.Reverse(items)
	a.open(dialog.NewPicker(dialog.PickerOptions[[2]string]{Keys: a.o.Keys, Theme: a.o.Theme, Title: "Go back to before", Items: items, Empty: "there is no earlier prompt", Verb: "go back"}), func(act dialog.Action) tea.Cmd {
		if picked, ok := act.(dialog.Picked[[2]string]); ok {
			a.talk.Agent.GoTo(picked.Value[0])
			a.editor.SetValue(picked.Value[1])
		}
		return nil
	})
	return nil
}

func modelNames(a *App) []string {
	if a.o.Models == nil {
		return nil
	}
	var names []string
	for _, m := range a.o.Models() {
		names = append(names, m.Provider+"/"+m.ID)
	}
	return names
}

// withCommands completes commands itself and leaves the rest to the program.
type withCommands struct {
	a    *App
	rest editor.Completer
}

// Complete offers commands, their arguments, and what the program knows.
func (w withCommands) Complete(q editor.Query) (have []editor.Candidate, more tea.Cmd) {
	switch q.Subject {
	case editor.Commands:
		for _, c := range commands() {
			have = append(have, editor.Candidate{Text: c.name, Detail: c.help, Final: c.args == "" || strings.HasPrefix(c.args, "[")})
		}
		for _, p := range w.a.prompts {
			have = append(have, editor.Candidate{Text: p.Name, Detail: p.About})
		}
		return have, nil
	case editor.Arguments:
		for _, c := range commands() {
			if c.name == q.Command && c.options != nil {
				for _, o := range c.options(w.a) {
					have = append(have, editor.Candidate{Text: o, Final: true})
				}
			}
		}
		return have, nil
	default:
		if w.rest == nil {
			return nil, nil
		}
		return w.rest.Complete(q)
	}
}
