package exec

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// prepare reads the rc file once, if it was asked for. A session without it
// works as well; why it has none is told once.
func (s *Shell) prepare(ctx context.Context) {
	s.once.Do(func() {
		if s.rcHome == "" || s.dialect.driver != bashDriver {
			return
		}
		st, err := s.x.readRC(ctx, s, s.rcHome)
		if err != nil {
			s.note("Your .bashrc was left out, so its aliases and functions are not here: " + err.Error())
			return
		}
		s.mu.Lock()
		s.first, s.state = st, st
		s.mu.Unlock()
	})
}

// readRC starts an interactive bash that reads .bashrc and saves its state as a
// command does. The saving is armed before the file is read, so that one that
// exits gives its state too. There is no terminal and nothing to read.
func (x *Executor) readRC(ctx context.Context, s *Shell, home string) (*state, error) {
	if _, err := os.Stat(filepath.Join(home, ".bashrc")); err != nil {
		return nil, nil //nolint:nilnil // no file is no error and no state
	}
	w, err := x.startRC(s, home)
	if err != nil {
		return nil, err
	}
	state := make(chan stateBytes, 1)
	go func() {
		data, err := w.readState()
		state <- stateBytes{data, err}
	}()
	limit := time.NewTimer(x.o.RCLimit)
	defer limit.Stop()
	late := false
	select {
	case <-w.child.done:
	case <-limit.C: // an interactive bash ignores SIGTERM
		late = true
	case <-ctx.Done():
		late = true
	}
	if late {
		x.killAll(context.WithoutCancel(ctx), w, nil)
		<-w.child.done
	}
	_ = w.fifo.SetReadDeadline(past()) // a FIFO has deadlines
	sb := <-state
	switch {
	case sb.err != nil && late:
		return nil, fmt.Errorf("it did not end within %v", x.o.RCLimit)
	case sb.err != nil:
		return nil, errors.New("it replaced or killed the shell")
	}
	got, err := parseBash(sb.data, parseContext{nonce: w.nonce, base: x.env, hidden: x.hiddenByRC()})
	if err != nil {
		return nil, err
	}
	got.state.prune()
	return got.state, nil
}

func (x *Executor) startRC(s *Shell, home string) (*waiting, error) {
	w := &waiting{x: x, id: "rc-" + newNonce(), nonce: newNonce()}
	if err := w.openState(); err != nil {
		return nil, err
	}
	arm := `{ POSIXLY_CORRECT=y;\eval "$__a_s";} >/dev/null 2>&1`
	wrapper := "__a_ok=" + w.nonce + "\n__a_s=" + quote(s.dialect.saverFor(w.nonce, w.path)) + "\n" +
		`\trap ` + quote(arm) + " EXIT\n" + `. "$HOME/.bashrc"` + "\n" + arm + "\n"
	file := w.path + ".rc"
	if err := os.WriteFile(file, []byte(wrapper), 0o600); err != nil {
		w.drop()
		return nil, fmt.Errorf("rc file: %w", err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		w.drop()
		return nil, fmt.Errorf("rc file: %w", err)
	}
	defer func() { _ = null.Close() }() // nothing was written
	env, _ := startEnv(x.env)
	env = append(env[:len(env):len(env)], "HOME="+home, "TERM=dumb", callVariable+"="+w.id)
	w.child, err = x.launcher.start(spec{
		Path: s.key.Path, Args: toBytes([]string{s.key.Path, "--noprofile", "--rcfile", file, "-ic", ":"}),
		Env: toBytes(env), Dir: home, files: []*os.File{null, null, null},
	})
	if err != nil {
		w.drop()
		return nil, err
	}
	x.watch(w)
	x.spans.begin(w.id)
	go func() {
		<-w.child.done
		x.spans.end(w.id)
		_ = os.Remove(file) // of no more use
	}()
	return w, nil
}

// hiddenByRC are names that only mean something to a person at a prompt.
func (x *Executor) hiddenByRC() map[string]bool {
	m := x.hidden()
	for _, n := range strings.Fields("PS0 PS1 PS2 PROMPT_COMMAND TERM HISTFILE HISTSIZE HISTFILESIZE HISTCONTROL HISTIGNORE HISTTIMEFORMAT") {
		m[n] = true
	}
	return m
}

var (
	functionHead = regexp.MustCompile(`(?m)^([^\s()]+) \(\) ?$`)
	wordInScript = regexp.MustCompile(`[A-Za-z_][\w.:@-]*`)
)

// prune drops the functions that only completion needs: those with a leading _
// that no function, alias or variable mentions.
func (s *state) prune() {
	const export = `\builtin export -f `
	defined, exports := s.functions, ""
	if i := strings.Index(defined, "\n"+export); i >= 0 {
		defined, exports = defined[:i+1], defined[i+1:]
	}
	heads := functionHead.FindAllStringSubmatchIndex(defined, -1)
	body := map[string]string{}
	order := make([]string, 0, len(heads))
	for i, h := range heads {
		end := len(defined)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		name := defined[h[2]:h[3]]
		body[name] = defined[h[0]:end]
		order = append(order, name)
	}
	kept := map[string]bool{}
	todo := []string{s.vars}
	keep := func(name string) {
		if b, ok := body[name]; ok && !kept[name] {
			kept[name] = true
			todo = append(todo, b)
		}
	}
	for _, name := range order {
		if !strings.HasPrefix(name, "_") {
			keep(name)
		}
	}
	for len(todo) > 0 {
		text := todo[0]
		todo = todo[1:]
		for _, w := range wordInScript.FindAllString(text, -1) {
			keep(w)
		}
	}
	var b strings.Builder
	for _, name := range order {
		if kept[name] {
			b.WriteString(body[name])
		}
	}
	for l := range strings.Lines(exports) {
		if kept[strings.TrimSpace(strings.TrimPrefix(l, export))] {
			b.WriteString(l)
		}
	}
	s.functions = b.String()
}
