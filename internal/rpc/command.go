package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/events"
	"github.com/seed7484d81d/agent/internal/llm"
)

// command is what a client sends. Type says which other fields count.
type command struct {
	ID   json.RawMessage `json:"id"`
	Type string          `json:"type"`

	Message  string       `json:"message"` // prompt, steer, follow_up
	Images   []chat.Image `json:"images"`
	Command  string       `json:"command"` // bash
	Private  bool         `json:"excludeFromContext"`
	Run      string       `json:"runId"` // abort_bash
	Session  string       `json:"session"`
	Entry    string       `json:"entryId"`
	Provider string       `json:"provider"`
	Model    string       `json:"model"`
	Level    string       `json:"level"`
	Hint     string       `json:"hint"`
	Enabled  *bool        `json:"enabled"`
	File     string       `json:"file"`
	Name     string       `json:"name"`
	Question string       `json:"permissionId"`
	Decision string       `json:"decision"`
	Word     string       `json:"word"`
}

// action is what a command does. A slow one waits for something.
type action struct {
	slow bool
	run  func(ctx context.Context, s *Server, c command) (any, error)
}

// commands lists what can be asked for.
func commands() map[string]action {
	quick := func(run func(s *Server, c command) (any, error)) action {
		return action{run: func(_ context.Context, s *Server, c command) (any, error) { return run(s, c) }}
	}
	slow := func(run func(s *Server, c command) (any, error)) action {
		return action{slow: true, run: func(_ context.Context, s *Server, c command) (any, error) { return run(s, c) }}
	}
	return map[string]action{
		"prompt": quick((*Server).prompt), "steer": quick((*Server).prompt), "follow_up": quick((*Server).followUp),
		"abort": quick((*Server).abort), "answer_permission": quick((*Server).answer),
		"bash":       {slow: true, run: func(ctx context.Context, s *Server, c command) (any, error) { return s.bash(ctx, c) }},
		"abort_bash": quick((*Server).abortBash),

		"get_state": quick((*Server).state), "get_messages": quick((*Server).messages), "get_session_stats": quick((*Server).stats),
		"get_last_assistant_text": quick((*Server).lastText), "get_fork_points": quick((*Server).forkPoints),
		"set_session_name": quick((*Server).setName), "compact": quick((*Server).compact), "set_auto_compaction": quick((*Server).setAutoCompact),

		"get_available_models": slow((*Server).models), "set_model": slow((*Server).chooseModel), "cycle_model": slow((*Server).cycleModel),
		"set_thinking_level": quick((*Server).setThinking),

		"new_session": slow((*Server).newSession), "switch_session": slow((*Server).switchSession),
		"fork": slow((*Server).fork), "export_html": slow((*Server).export),
	}
}

// need says which field a command lacks.
func need(name, value string) error {
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%q is missing", name)
	}
	return nil
}

func parts(c command) ([]chat.Part, error) {
	var list []chat.Part
	if strings.TrimSpace(c.Message) != "" {
		list = append(list, chat.TextPart(c.Message))
	}
	for i, img := range c.Images {
		if len(img.Data) == 0 || !strings.HasPrefix(img.MIME, "image/") {
			return nil, fmt.Errorf(`"images[%d]" needs "mime" such as "image/png", and "data" in base64`, i)
		}
		list = append(list, chat.Part{Kind: chat.PartImage, Image: &c.Images[i]})
	}
	if len(list) == 0 {
		return nil, errors.New(`"message" is missing`)
	}
	return list, nil
}

// prompt starts a turn, or goes with the next request of the one that runs.
func (s *Server) prompt(c command) (any, error) {
	p, err := parts(c)
	if err != nil {
		return nil, err
	}
	s.conversation().Agent.Prompt(p)
	return nil, nil
}

func (s *Server) followUp(c command) (any, error) {
	p, err := parts(c)
	if err != nil {
		return nil, err
	}
	s.conversation().Agent.FollowUp(p)
	return nil, nil
}

// abort stops the turn. Commands by "bash" go on; abort_bash stops those.
func (s *Server) abort(command) (any, error) {
	s.conversation().Agent.InterruptTurn()
	return nil, nil
}

func (s *Server) answer(c command) (any, error) {
	if err := need("permissionId", c.Question); err != nil {
		return nil, err
	}
	d := chat.Decision(c.Decision)
	if known := []chat.Decision{chat.AllowOnce, chat.AllowSession, chat.AllowAlways, chat.Deny}; !slices.Contains(known, d) {
		return nil, fmt.Errorf(`"decision" has to be one of %v`, known)
	}
	a := s.conversation().Agent
	if q := a.State().Question; q == nil || q.ID != c.Question {
		return nil, fmt.Errorf("no question %q is open", c.Question)
	}
	a.Answer(c.Question, chat.Reply{Decision: d, Word: c.Word})
	return nil, nil
}

func (s *Server) state(command) (any, error) {
	t := s.conversation()
	st := t.Agent.State()
	o := events.Object{
		"session": events.Object{"id": t.Session.ID(), "name": t.Session.Title(), "cwd": t.Session.Cwd(), "file": t.Session.Path(), "saved": t.Session.Saved()},
		"busy":    st.Busy, "turn": st.Turn, "bashRuns": st.Bangs, "toolCalls": orEmpty(st.Calls),
		"model": Model{Provider: st.Provider, ID: st.Model.ID, Name: st.Model.Name}, "thinking": st.Thinking, "permissionMode": st.Mode,
		"steer": orEmpty(st.Steer), "followUp": orEmpty(st.FollowUp), "autoCompaction": t.Agent.AutoCompact(),
		"contextTokens": st.Context,
	}
	if p, ok := st.ContextPercent(); ok {
		o["contextPercent"] = p
	}
	if st.Question != nil {
		o["permissionId"] = st.Question.ID
	}
	return o, nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (s *Server) messages(command) (any, error) {
	list := []events.Object{}
	for _, e := range s.conversation().Session.Branch() {
		if e.Message != nil {
			list = append(list, events.Object{"entryId": e.ID, "timestamp": e.Timestamp, "message": e.Message})
		}
	}
	return events.Object{"messages": list}, nil
}

func (s *Server) stats(command) (any, error) {
	t := s.conversation()
	count := map[chat.Role]int{}
	calls := 0
	for _, e := range t.Session.Branch() {
		if e.Message != nil {
			count[e.Message.Role]++
			calls += len(e.Message.Calls())
		}
	}
	st := t.Agent.State()
	o := events.Object{
		"session": t.Session.ID(), "userMessages": count[chat.RoleUser], "assistantMessages": count[chat.RoleAssistant],
		"toolCalls": calls, "toolResults": count[chat.RoleToolResult], "bashRuns": count[chat.RoleBashExecution], "usage": st.Usage,
	}
	if st.CostKnown {
		o["costUSD"] = st.Cost
	}
	return o, nil
}

func (s *Server) lastText(command) (any, error) {
	text := ""
	for _, e := range s.conversation().Session.Branch() {
		if e.Message != nil && e.Message.Role == chat.RoleAssistant && e.Message.Text() != "" {
			text = e.Message.Text()
		}
	}
	return events.Object{"text": text}, nil
}

func (s *Server) setName(c command) (any, error) {
	if err := need("name", c.Name); err != nil {
		return nil, err
	}
	return nil, s.conversation().Session.SetTitle(strings.TrimSpace(c.Name))
}

func (s *Server) compact(c command) (any, error) {
	s.conversation().Agent.Compact(c.Hint)
	return nil, nil
}

// setAutoCompact holds for this session and is written nowhere.
func (s *Server) setAutoCompact(c command) (any, error) {
	if c.Enabled == nil {
		return nil, errors.New(`"enabled" is missing`)
	}
	s.conversation().Agent.SetAutoCompact(*c.Enabled)
	return nil, nil
}

func (s *Server) models(command) (any, error) {
	list := []Model{}
	if s.o.Models != nil {
		list = append(list, s.o.Models()...)
	}
	return events.Object{"models": list}, nil
}

func (s *Server) chooseModel(c command) (any, error) { return s.setModel(c.Provider, c.Model) }

func (s *Server) setModel(provider, id string) (any, error) {
	if err := errors.Join(need("provider", provider), need("model", id)); err != nil {
		return nil, err
	}
	if err := s.o.SetModel(s.conversation(), provider, id); err != nil {
		return nil, err
	}
	return Model{Provider: provider, ID: id}, nil
}

// cycleModel goes to the next model that can answer.
func (s *Server) cycleModel(command) (any, error) {
	var ready []Model
	at := -1
	now := s.conversation().Agent.State()
	for _, m := range s.o.Models() {
		if m.Needs != "" {
			continue
		}
		if m.Provider == now.Provider && m.ID == now.Model.ID {
			at = len(ready)
		}
		ready = append(ready, m)
	}
	if len(ready) == 0 {
		return nil, errors.New("no model can answer: set a key")
	}
	next := ready[(at+1)%len(ready)]
	return s.setModel(next.Provider, next.ID)
}

func (s *Server) setThinking(c command) (any, error) {
	levels := []string{"off", "low", "medium", "high"}
	if !slices.Contains(levels, c.Level) {
		return nil, fmt.Errorf(`"level" has to be one of %v`, levels)
	}
	e := llm.Effort(c.Level)
	if c.Level == "off" {
		e = llm.EffortOff
	}
	s.conversation().Agent.SetThinking(e)
	return nil, nil
}
