package main

import (
	"context"
	"errors"
	"fmt"
	osexec "os/exec"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/ptyoverlay"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/theme"
	"github.com/seed7484d81d/agent/internal/tui"
)

// screen opens the interactive face and says afterwards how to come back.
func (p *program) screen(ctx context.Context, h *house, c *conversation, typed string, restore func()) error {
	keys := keymap.Default()
	for action, bound := range h.loaded.Config.Keys {
		if err := bindKey(keys, action, bound); err != nil {
			h.warn(err.Error())
		}
	}
	look, auto := p.theme(h.loaded.Config.Theme)
	past, err := openHistory(h.at.dirs.Data, h.at.dir)
	if err != nil {
		h.warn(err.Error())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var background sync.WaitGroup
	background.Add(1)
	go func() { // the first command finds a shell that waits
		defer background.Done()
		h.warm(ctx, c)
	}()
	width, height, err := term.GetSize(int(p.out.Fd())) //nolint:gosec // a descriptor
	if err != nil {
		width, height = 0, 0
	}
	last, err := tui.Run(ctx, tui.Options{
		First: tui.Conversation{Session: c.session, Agent: c.agent}, Keys: keys, Theme: look, AutoTheme: auto,
		Open: func(id string) (tui.Conversation, string, error) {
			next, note, err := h.reopen(ctx, id)
			return next.onScreen(), note, err
		},
		New: func() (tui.Conversation, error) {
			next, err := h.renew(ctx)
			return next.onScreen(), err
		},
		Sessions: func() ([]session.Summary, error) { return h.store.List(h.here()) },
		Models:   h.listed,
		SetModel: func(c tui.Conversation, provider, id string) error {
			a, ok := c.Agent.(*agent.Agent)
			if !ok {
				return errors.New("this conversation cannot change its model")
			}
			return h.setModel(a, provider, id)
		},
		Export: func(s *session.Session, file string) (string, error) { return exportTo(s, file, h.here(), h.at.home) },
		Fork: func(c tui.Conversation) (tui.Conversation, error) {
			next, err := h.fork(ctx, c.Session, c.Session.Leaf())
			return next.onScreen(), err
		},
		Tools: h.toolFacts, Doctor: func() []tui.Fact { return p.doctorFacts(ctx) }, ContextFiles: h.contextFiles,
		Jobs: h.jobs, StopJob: func(j tui.Job) { h.exec.Kill(ctx, j.Run) }, Prompts: h.prompts, DropKey: h.keys.drop,
		Console: h.console, Esc: escRule(h.loaded.Config.Bash.VirtualTerminalEsc),
		StoreKey: h.keys.store, Branch: branch(ctx),
		History: past, Remember: past.add, Completer: newCompleter(ctx, h), Editor: p.editor(),
		Welcome: h.welcome(), Warnings: h.warnings, Prompt: h.o.prompt, Typed: typed, Taking: restore, Pick: h.o.resume == pickSession,
		Home: h.at.home, In: p.in, Out: p.out, Environ: p.environ, Width: width, Height: height,
	})
	cancel()
	background.Wait()
	past.close()
	err = errors.Join(err, h.close(context.WithoutCancel(ctx)))
	if err == nil {
		p.farewell(last.Session)
	}
	return err
}

// escRule reads bash.virtualTerminalEsc.
func escRule(setting string) ptyoverlay.EscRule {
	switch setting {
	case "kill":
		return ptyoverlay.EscKill
	case "forward":
		return ptyoverlay.EscForward
	default:
		return ptyoverlay.EscAuto
	}
}

// afterFirstPicture is when work begins that the first picture does not need.
const afterFirstPicture = 150 * time.Millisecond

// warm reads the rc file and starts a shell before the first command.
func (h *house) warm(ctx context.Context, c *conversation) {
	t := time.NewTimer(afterFirstPicture)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		return
	}
	h.exec.Shell(h.shellKey(c.session), c.session.Cwd()).Warm(ctx)
}

// here is the directory of the conversation that is open.
func (h *house) here() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.current != nil {
		return h.current.session.Cwd()
	}
	return h.dirNow
}

// onScreen is a conversation as the screen knows it; nil is none.
func (c *conversation) onScreen() tui.Conversation {
	if c == nil {
		return tui.Conversation{}
	}
	return tui.Conversation{Session: c.session, Agent: c.agent}
}

// listed are the models that can be chosen.
func (h *house) listed() []tui.Model {
	known := h.models.list()
	list := make([]tui.Model, 0, len(known))
	for _, m := range known {
		list = append(list, tui.Model{Provider: m.Provider, ID: m.ID, Name: m.Name, Needs: h.models.missing(m.Provider)})
	}
	return list
}

// farewell says how to come back, if there is something to come back to.
func (p *program) farewell(s *session.Session) {
	if s == nil || !s.Saved() || len(s.Entries()) == 0 {
		return
	}
	_, _ = fmt.Fprintf(p.out, "Session %s is kept. Go on with: agent -c, or agent -r %s\n", s.ID(), s.ID()) // a courtesy
}

// theme is the look of the settings, and whether the terminal's background may
// change it.
func (p *program) theme(setting string) (*theme.Theme, bool) {
	switch {
	case p.getenv("AGENT_PLAIN") == "1":
		return theme.Plain(), false
	case p.getenv("NO_COLOR") != "" && setting == "auto":
		return theme.Mono(), false
	}
	if t, ok := theme.ByName(setting); ok {
		return t, false
	}
	return theme.Dark(), true
}

// editor is the person's own editor.
func (p *program) editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if f := strings.Fields(p.getenv(name)); len(f) > 0 {
			return f
		}
	}
	return nil
}

// bindKey gives an action of the settings its keys. viper writes names in small
// letters.
func bindKey(m *keymap.Map, action string, keys []string) error {
	for _, g := range m.Groups() {
		for _, b := range g.Bindings {
			if strings.EqualFold(string(b.Action), action) {
				return m.Bind(b.Action, keys...)
			}
		}
	}
	return m.Bind(keymap.Action(action), keys...) // says which are known
}

// branch asks git for the branch of a directory.
func branch(ctx context.Context) func(dir string) string {
	return func(dir string) string {
		const patience = 2 * time.Second
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		out, err := osexec.CommandContext(ctx, "git", "-C", dir, "--no-optional-locks", "rev-parse", "--abbrev-ref", "HEAD").Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
}

// welcome is what stands on the screen before the first word.
func (h *house) welcome() []string {
	lines := []string{"agent " + version}
	m := h.current.agent.State().Model
	if m.Provider == demoName {
		lines = append(lines,
			"The built-in demo answers: a script that calls the real tools. It is no AI.",
			"For a real model set ANTHROPIC_API_KEY or OPENAI_API_KEY, or type /login.",
			"",
			"Say hello, or try: list, slow, long, write, markdown.")
	} else {
		lines = append(lines, m.ID+" answers ("+m.Provider+").", "")
	}
	return append(lines, "!command runs a command, @ names a file, / lists commands, ? shows all keys.")
}
