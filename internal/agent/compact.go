package agent

import (
	"context"
	_ "embed" // the prompt
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/session"
)

//go:embed compact.md
var compactPrompt string

// errNothingToCompact says that the conversation has no older part.
var errNothingToCompact = errors.New("there is nothing to compact")

// How much of a conversation a compaction deals with.
const (
	reserve     = 16_000 // tokens that stay free for the answer
	keepTokens  = 20_000 // of recent turns when the window is unknown
	longestText = 2_000  // bytes of one result in what is summarised
	blindWindow = 100_000
)

// compactIfFull makes room before a request that would hardly fit.
func (t *turn) compactIfFull(ctx context.Context) {
	m := t.a.thinker().model
	if t.a.manual.Load() || t.compacted || m.Window <= 0 {
		return
	}
	free := min(max(reserve, m.Window/10), m.Window/4)
	size := measure(t.a.o.Session.Branch(), t.system)
	t.a.books.setContext(size)
	if size <= m.Window-free {
		return
	}
	// If it does not work the provider has the last word on what fits.
	if err := t.compact(ctx, "", false); err != nil && !errors.Is(err, errNothingToCompact) && ctx.Err() == nil {
		t.a.notice(session.Warning, "The conversation is nearly full and could not be compacted: "+sentence(err))
	}
}

// compactAsked does what the person asked for.
func (t *turn) compactAsked(ctx context.Context, hint string) {
	err := t.compact(ctx, hint, true)
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.Is(err, errNothingToCompact):
		t.a.notice(session.Info, "There is nothing to compact.")
	default:
		t.a.notice(session.Failure, "The conversation could not be compacted: "+sentence(err))
	}
}

// compact lets the model summarise all but the recent turns. Nothing is lost:
// the entries stay, and only requests leave them out. must summarises also when
// all of it counts as recent.
func (t *turn) compact(ctx context.Context, hint string, must bool) error {
	m := t.a.thinker()
	if m.provider == nil {
		return errors.New("no model is chosen")
	}
	window := m.model.Window
	if window <= 0 {
		window = blindWindow
	}
	entries := t.a.o.Session.Branch()
	before := measure(entries, t.system)
	summary, active := effective(entries)
	cut := cutAt(active, min(keepTokens, window/4))
	for must && !answered(active[:cut]) && cut < len(active) {
		cut = nextTurn(active, cut)
	}
	if !answered(active[:cut]) {
		return errNothingToCompact
	}
	t.compacted = true
	t.a.o.Session.Publish(session.Compacting{})
	text, err := t.summarise(ctx, m, hint, transcript(summary, active[:cut], window*bytesPerToken/2))
	if err != nil {
		return err
	}
	c := &session.Compaction{Summary: text, TokensBefore: before}
	if cut < len(active) {
		c.FirstKept = active[cut].ID
	}
	if _, err = t.a.o.Session.Append(session.Entry{Type: session.TypeCompaction, Compaction: c}); err != nil {
		return err
	}
	t.a.books.setContext(measure(t.a.o.Session.Branch(), t.system))
	return nil
}

func (t *turn) summarise(ctx context.Context, m mind, hint, text string) (string, error) {
	if hint = strings.TrimSpace(hint); hint != "" {
		text += "\n\nThe user asks to mind this in the summary: " + hint
	}
	d, err := t.persist(ctx, func() (*draft, error) {
		return t.stream(ctx, m.provider, llm.Request{
			Model: m.model.ID, System: compactPrompt, Messages: []chat.Message{chat.UserText(text)},
			MaxTokens: m.model.MaxOutput, CacheKey: t.a.o.Session.ID() + "-compact",
		}, false)
	})
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil {
		return "", errors.New(explain(err))
	}
	msg := m.message(d.all(), d.stop)
	msg.Answer.Usage = d.usage
	t.a.books.count(*msg.Answer, t.a.describe)
	if s := strings.TrimSpace(msg.Text()); s != "" {
		return s, nil
	}
	return "", errors.New("the model gave no summary")
}

// cutAt finds where the part begins that stays whole: the oldest turn from which
// on everything fits into keep tokens or, if the last turn alone is larger, the
// oldest such answer in it. len(entries) keeps nothing.
func cutAt(entries []session.Entry, keep int) int {
	size, turn, answer := 0, -1, -1
	for i := len(entries) - 1; i >= 0; i-- {
		m := entries[i].Message
		if m == nil {
			continue
		}
		if size += sizeOf(*m); size > keep {
			break
		}
		switch m.Role {
		case chat.RoleUser:
			turn = i
		case chat.RoleAssistant:
			answer = i
		default:
		}
	}
	switch {
	case turn >= 0:
		return turn
	case answer >= 0:
		return answer
	}
	return len(entries)
}

// nextTurn is where the next turn after entry i begins, or the end.
func nextTurn(entries []session.Entry, i int) int {
	for i++; i < len(entries); i++ {
		if m := entries[i].Message; m != nil && m.Role == chat.RoleUser {
			return i
		}
	}
	return len(entries)
}

// answered says that a model has said something in entries.
func answered(entries []session.Entry) bool {
	return slices.ContainsFunc(entries, func(e session.Entry) bool {
		return e.Message != nil && e.Message.Role == chat.RoleAssistant
	})
}

// transcript writes a conversation down for the model that summarises it. Long
// results lose their middle; if the whole is longer than most bytes, so does it.
func transcript(summary string, entries []session.Entry, most int) string {
	var b strings.Builder
	if summary != "" {
		fmt.Fprintf(&b, "[Summary of what came before]\n%s\n\n", summary)
	}
	p := projection{to: llm.Model{}, ran: map[string]bool{}, prompt: -1}
	for _, e := range entries {
		if e.Message != nil {
			p.add(*e.Message)
		}
	}
	p.close()
	for _, m := range p.out {
		writeMessage(&b, m)
	}
	return "<conversation>\n" + middleOut(b.String(), most) + "</conversation>"
}

func writeMessage(b *strings.Builder, m chat.Message) {
	switch m.Role {
	case chat.RoleUser:
		fmt.Fprintf(b, "[User]\n%s\n\n", m.Text())
	case chat.RoleAssistant:
		if text := m.Text(); text != "" {
			fmt.Fprintf(b, "[Assistant]\n%s\n\n", text)
		}
		for _, c := range m.Calls() {
			fmt.Fprintf(b, "[Call of %s]\n%s\n\n", c.Name, middleOut(string(c.Args), longestText))
		}
	case chat.RoleToolResult:
		fmt.Fprintf(b, "[Result of %s]\n%s\n\n", m.Result.Name, middleOut(m.Result.Text(), longestText))
	case chat.RoleBashExecution: // a projection has none
	}
}

// middleOut cuts the middle of s so that about most bytes are left.
func middleOut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := most/2, len(s)-most/2
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", s[:head], tail-head, s[tail:])
}

// SetAutoCompact says whether a conversation that no longer fits is summarised
// by itself, from the next request on.
func (a *Agent) SetAutoCompact(on bool) { a.manual.Store(!on) }

// AutoCompact says what SetAutoCompact set.
func (a *Agent) AutoCompact() bool { return !a.manual.Load() }
