package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/seed7484d81d/agent/internal/config"
	"github.com/seed7484d81d/agent/internal/headless"
	"github.com/seed7484d81d/agent/internal/prompt"
)

// start is the main command: it opens the screen, or answers once.
func (p *program) start(ctx context.Context, o options) error {
	at, err := p.place(o.dir)
	if err != nil {
		return err
	}
	if o.listModels {
		return p.listModels(o, at)
	}
	if o.export != "" {
		return p.export(o, at)
	}
	typed, restore := "", func() {}
	if o.onScreen() {
		if err := p.needsTerminal(); err != nil {
			return err
		}
		typed, restore = typeahead(p.in)
		defer restore()
	}
	piped := ""
	if o.print {
		if piped, err = p.piped(ctx, o); err != nil {
			return err
		}
	}
	store, err := openStore(o, at)
	if err != nil {
		return err
	}
	s, note, err := chooseSession(o, store, at.dir)
	if err != nil {
		return err
	}
	h, err := p.build(o, at, s.Cwd())
	if err != nil {
		return errors.Join(err, s.Close())
	}
	h.store = store
	h.warn(note)
	_, errs := prompt.ContextFiles(at.dirs.Config, config.ProjectRoot(s.Cwd(), at.home), s.Cwd())
	for _, e := range errs {
		h.warn(e.Error())
	}
	c, err := h.converse(ctx, s)
	if err != nil {
		return errors.Join(err, s.Close(), h.close(ctx))
	}
	if o.print {
		err = p.print(ctx, h, c, strings.TrimSpace(piped+"\n\n"+o.prompt))
		return errors.Join(err, h.close(ctx))
	}
	if o.mode == modeRPC {
		return errors.Join(p.serve(ctx, h, c), h.close(ctx))
	}
	return p.screen(ctx, h, c, typed, restore)
}

func (p *program) listModels(o options, at place) error {
	loaded, err := p.settings(o, at, at.dir)
	if err != nil {
		return err
	}
	keys, err := openKeys(at.dirs.Config, p.getenv)
	if err != nil {
		p.warn(err.Error())
	}
	return p.printModels(newModels(loaded.Config, p.getenv, keys, at.dir))
}

// needsTerminal says so where there is none.
func (p *program) needsTerminal() error {
	for _, f := range []*os.File{p.in, p.out} {
		if !term.IsTerminal(int(f.Fd())) { //nolint:gosec // a descriptor
			return usagef("the screen needs a terminal for input and output; to answer once without one, use: agent -p \"…\"")
		}
	}
	return nil
}

// input is what was read from a pipe.
type input struct {
	data []byte
	err  error
}

// firstByte is how long a pipe may be silent, where there is a prompt without
// it.
const firstByte = 3 * time.Second

// read reads the pipe to its end. came is false if nothing at all came for a
// while and may be left out, or if ctx ended. The reader ends with the program:
// nothing interrupts a read from a pipe.
func (p *program) read(ctx context.Context, mayLeaveOut bool) (got input, came bool) {
	begun, read := make(chan struct{}), make(chan input, 1)
	go func() {
		r := bufio.NewReader(p.in)
		_, _ = r.Peek(1) // ReadAll tells the error
		close(begun)
		data, err := io.ReadAll(io.LimitReader(r, maxPiped+1))
		read <- input{data, err}
	}()
	if mayLeaveOut {
		silence := time.NewTimer(firstByte)
		defer silence.Stop()
		select {
		case <-begun:
		case <-silence.C:
			return input{}, false
		case <-ctx.Done():
			return input{}, false
		}
	}
	select {
	case got = <-read:
		return got, true
	case <-ctx.Done():
		return input{}, false
	}
}

// maxPiped bounds what is read from a pipe.
const maxPiped = 10 << 20

// piped reads what was piped in. With a prompt on the command line, input that
// does not come from a pipe or a file is left alone.
func (p *program) piped(ctx context.Context, o options) (string, error) {
	info, err := p.in.Stat()
	if err != nil || term.IsTerminal(int(p.in.Fd())) || info.Mode()&os.ModeCharDevice != 0 { //nolint:gosec // a descriptor
		if o.prompt == "" {
			return "", usagef("--print needs a prompt: agent -p \"…\", or text from a pipe")
		}
		return "", nil
	}
	got, came := p.read(ctx, o.prompt != "")
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	if !came {
		p.warn("nothing came through the pipe, so the prompt goes without it")
		return "", nil
	}
	if got.err != nil {
		return "", fmt.Errorf("read the piped input: %w", got.err)
	}
	if len(got.data) > maxPiped {
		return "", usagef("the piped input is larger than %d MB; name the file instead", maxPiped>>20)
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(got.data), "\uFFFD"))
	if text == "" && o.prompt == "" {
		return "", usagef("--print needs a prompt: agent -p \"…\", or text from a pipe")
	}
	return text, nil
}

// readSchema reads what an answer has to fit; "" is nothing.
func readSchema(file, dir string) (*headless.Schema, error) {
	if file == "" {
		return nil, nil //nolint:nilnil // no schema is fitted by everything
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, usagef("--output-schema: %w", err)
	}
	s, err := headless.NewSchema(text)
	if err != nil {
		return nil, usagef("--output-schema: %s: %w", file, err)
	}
	return s, nil
}

// print answers once.
func (p *program) print(ctx context.Context, h *house, c *conversation, prompt string) error {
	for _, w := range h.warnings {
		p.warn(w)
	}
	schema, err := readSchema(h.o.schema, h.at.dir)
	if err != nil {
		return err
	}
	face := headless.Text
	if h.o.mode == "json" {
		face = headless.JSON
	}
	return face(ctx, headless.Options{Session: c.session, Agent: c.agent, Schema: schema, Out: p.out, Err: p.err}, text(prompt))
}
