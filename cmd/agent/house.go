package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/config"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/prompt"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/tools"
	"github.com/seed7484d81d/agent/internal/tools/bash"
	"github.com/seed7484d81d/agent/internal/tools/edit"
	"github.com/seed7484d81d/agent/internal/tools/find"
	"github.com/seed7484d81d/agent/internal/tools/grep"
	"github.com/seed7484d81d/agent/internal/tools/ls"
	"github.com/seed7484d81d/agent/internal/tools/read"
	"github.com/seed7484d81d/agent/internal/tools/write"
	"github.com/seed7484d81d/agent/internal/tui"
)

// house is what all conversations of one run of the program share.
type house struct {
	o      options
	at     place
	loaded *config.Loaded
	store  *session.Store
	keys   *keyring
	models *models
	exec   *exec.Executor
	shell  string // path
	// warnings are sentences for the person about what is not as it should be.
	warnings []string
	headless bool         // nobody is there to answer a question
	console  *tui.Console // nil: commands get no terminal
	getenv   func(string) string

	agents  sync.WaitGroup // the agents that run
	mu      sync.Mutex
	dirNow  string // of the conversation that was opened last
	current *conversation
}

// conversation is a session with everything that works on it.
type conversation struct {
	session *session.Session
	agent   *agent.Agent
	tools   *tools.Registry
	stop    context.CancelFunc
	done    chan struct{}
}

// build makes the house for a directory. It starts nothing.
func (p *program) build(o options, at place, dir string) (*house, error) {
	loaded, err := p.settings(o, at, dir)
	if err != nil {
		return nil, err
	}
	c := loaded.Config
	h := &house{o: o, at: at, loaded: loaded, warnings: loaded.Warnings, headless: o.print, dirNow: dir, getenv: p.getenv}
	shell, note, err := exec.FindShell(c.ShellPath, p.getenv("SHELL"), osexec.LookPath)
	if err != nil {
		return nil, usageError{err}
	}
	h.shell = shell
	h.warn(note)
	if h.keys, err = openKeys(at.dirs.Config, p.getenv); err != nil {
		h.warn(err.Error())
	}
	h.models = newModels(c, p.getenv, h.keys, dir)
	if o.onScreen() && !p.withoutPTY(o) {
		h.console = tui.NewConsole()
	}
	h.exec = exec.New(exec.Options{Env: p.environ, Hide: h.secrets()})
	return h, nil
}

// withoutPTY says that the person wants no terminals.
func (p *program) withoutPTY(o options) bool {
	return o.noPTY || p.getenv("AGENT_NO_PTY") == "1" || p.getenv("PI_NO_PTY") == "1"
}

func (h *house) warn(text string) {
	if text != "" {
		h.warnings = append(h.warnings, text)
	}
}

// secrets are variables that hold keys of models.
func (h *house) secrets() []string {
	var names []string
	for _, s := range h.models.services {
		if s.KeyEnv != "" {
			names = append(names, s.KeyEnv)
		}
	}
	for _, s := range llm.Services() {
		if s.KeyEnv != "" {
			names = append(names, s.KeyEnv)
		}
	}
	return names
}

// converse puts an agent to work on a session, until ctx ends or the
// conversation is left.
func (h *house) converse(ctx context.Context, s *session.Session) (*conversation, error) {
	c := h.loaded.Config
	provider, model, err := h.models.choose(c, s.Settings())
	if err != nil {
		return nil, err
	}
	root := config.ProjectRoot(s.Cwd(), h.at.home)
	always, err := openGrants(h.at.dirs.Data, root)
	if err != nil {
		h.warn(err.Error())
	}
	policy, err := permission.New(permission.Options{
		Mode: permission.Mode(c.Permission.Mode), Root: root, Home: h.at.home,
		Allow: slices.Concat(c.Permission.Allow, always.rules), Deny: c.Permission.Deny,
	})
	if err != nil {
		return nil, usageError{err}
	}
	set, bang, err := h.tools(s)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	conv := &conversation{session: s, tools: set, stop: stop, done: make(chan struct{})}
	conv.agent = agent.New(agent.Options{
		Session: s, Provider: provider, Model: model, Thinking: effort(c.Thinking, s.Settings().Thinking), Tools: set, Policy: policy,
		System: func() string { return h.system(s, root) }, Shell: bang, AskNobody: h.headless, Lookup: h.models.lookup,
		Remember: always.remember,
	})
	h.agents.Add(1)
	go func() {
		defer h.agents.Done()
		defer close(conv.done)
		_ = conv.agent.Run(ctx) // ends with its context
	}()
	h.mu.Lock()
	h.current = conv
	h.mu.Unlock()
	return conv, nil
}

// reopen leaves the conversation for one that is on disk.
func (h *house) reopen(ctx context.Context, id string) (*conversation, string, error) {
	s, note, err := resume(h.store, id)
	if err != nil {
		return nil, "", err
	}
	next, err := h.change(ctx, s)
	return next, note, err
}

// renew leaves the conversation for an empty one in the same directory.
func (h *house) renew(ctx context.Context) (*conversation, error) {
	s, _, err := chooseSession(options{noSession: h.o.noSession}, h.store, h.here())
	if err != nil {
		return nil, err
	}
	return h.change(ctx, s)
}

// fork leaves the conversation for a copy of it, up to an entry.
func (h *house) fork(ctx context.Context, from *session.Session, leaf string) (*conversation, error) {
	s, err := h.store.ForkAt(from, leaf, h.here())
	if err != nil {
		return nil, err
	}
	return h.change(ctx, s)
}

// change leaves the conversation for another one.
func (h *house) change(ctx context.Context, s *session.Session) (*conversation, error) {
	h.mu.Lock()
	before := h.current
	h.mu.Unlock()
	next, err := h.converse(ctx, s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if before != nil {
		if err := before.leave(); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// effort is how much the model thinks: the settings say so, or the session did.
func effort(setting, before string) llm.Effort {
	if setting == "off" || setting == "" {
		setting = before
	}
	if setting == "off" {
		return llm.EffortOff
	}
	return llm.Effort(setting)
}

// tools makes the tools of a conversation, and the way in for "!".
func (h *house) tools(s *session.Session) (*tools.Registry, *bash.Bang, error) {
	c := h.loaded.Config
	key := h.shellKey(s)
	shell := h.exec.Shell(key, s.Cwd())
	shell.UseRC(h.at.home)
	store := artifact.Open(s.Dir(), artifact.Options{MaxBytes: int64(c.Artifacts.MaxBytes), MaxTotal: int64(c.Artifacts.MaxTotal)})
	seen := &tools.Seen{}
	where := tools.Place{Dir: s.Cwd, Home: h.at.home}
	o := bash.Options{
		Exec: h.exec, Shell: shell, Artifacts: store, Home: h.at.home, Timeout: c.CommandTimeout(),
		MaxBytes: int(c.Bash.Output.MaxBytes), HeadBytes: int(c.Bash.Output.HeadBytes), MaxLines: c.Bash.Output.MaxLines,
		Moved:    func(dir string) { _ = s.Move(dir) }, // a session that takes no entry says so itself
		Terminal: c.Bash.VirtualTerminal, Interactive: c.Bash.InteractivePrograms,
	}
	if h.console != nil {
		o.Console = h.console
	}
	mine := o
	if !c.Bash.ShareState {
		key.Session += "!"
		mine.Shell = h.exec.Shell(key, s.Cwd())
		mine.Shell.UseRC(h.at.home)
		o.Moved = nil // only the person's own shell is where the conversation is
	}
	all := tools.NewRegistry(
		read.New(read.Options{Place: where, Seen: seen, Artifacts: store}), write.New(write.Options{Place: where, Seen: seen}),
		edit.New(edit.Options{Place: where, Seen: seen}), grep.New(grep.Options{Place: where, Artifacts: store}), find.New(where), ls.New(where), bash.New(o),
	)
	set := all
	if len(h.o.tools) > 0 {
		var err error
		if set, err = all.Only(h.o.tools); err != nil {
			return nil, nil, usageError{fmt.Errorf("--tools: %w", err)}
		}
	}
	if c.Interceptor.Enabled {
		set = h.intercept(set, o)
	}
	return set, bash.NewBang(mine), nil
}

// shellKey names the shell session of a conversation.
func (h *house) shellKey(s *session.Session) exec.Key {
	return exec.Key{Path: h.shell, Prefix: h.loaded.Config.Bash.Prefix, Session: s.ID()}
}

// rulesOf are the rules of the settings; a missing list means the built-in one.
func rulesOf(c config.Config) []bash.Rule {
	if c.Interceptor.Patterns == nil {
		return bash.DefaultRules()
	}
	list := make([]bash.Rule, 0, len(c.Interceptor.Patterns))
	for _, r := range c.Interceptor.Patterns {
		list = append(list, bash.Rule{Pattern: r.Pattern, Flags: r.Flags, Tool: r.Tool, Message: r.Message})
	}
	return list
}

// intercept gives the bash tool the rules that point to the other tools.
func (h *house) intercept(set *tools.Registry, o bash.Options) *tools.Registry {
	if _, ok := set.Get("bash"); !ok {
		return set
	}
	rules, errs := bash.CompileRules(rulesOf(h.loaded.Config))
	for _, err := range errs {
		h.warn(err.Error())
	}
	o.Rules = rules
	o.Has = func(name string) bool {
		_, ok := set.Get(name)
		return ok
	}
	var names []tools.Tool
	for _, n := range set.Names() {
		if t, ok := set.Get(n); ok {
			names = append(names, t)
		}
	}
	return tools.NewRegistry(append(names, bash.New(o))...)
}

// system is the system prompt of a conversation as things are now.
func (h *house) system(s *session.Session, root string) string {
	files, _ := prompt.ContextFiles(h.at.dirs.Config, root, s.Cwd()) // told at the start
	_, err := os.Stat(filepath.Join(root, ".git"))
	return prompt.Build(prompt.Facts{
		Dir: s.Cwd(), Root: root, OS: runtime.GOOS, Shell: h.shell, Date: time.Now().Format(time.DateOnly), Git: err == nil, Files: files,
	})
}

// setModel lets another model answer.
func (h *house) setModel(a *agent.Agent, provider, id string) error {
	p, m, err := h.models.open(provider, id)
	if err != nil {
		return err
	}
	a.SetModel(p, m)
	return nil
}

// leave ends a conversation and what it runs.
func (c *conversation) leave() error {
	c.stop()
	<-c.done
	if err := c.session.Close(); err != nil {
		return fmt.Errorf("close the session: %w", err)
	}
	return nil
}

// close ends everything that runs.
func (h *house) close(ctx context.Context) error {
	h.mu.Lock()
	c := h.current
	h.mu.Unlock()
	var err error
	if c != nil {
		err = c.leave()
	}
	h.agents.Wait()
	const patience = 3 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if e := h.exec.Close(ctx); e != nil && err == nil {
		err = e
	}
	return err
}

func text(s string) []chat.Part { return []chat.Part{chat.TextPart(s)} }
