package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/events"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/session"
)

// Protocol is the version of what is spoken.
const Protocol = 1

// Agent is what the server asks for things. All methods but Wait return at once.
// *agent.Agent is one.
type Agent interface {
	Prompt(parts []chat.Part)
	FollowUp(parts []chat.Part)
	Bang(line string, private bool) string
	AbortBang(id string)
	InterruptTurn()
	InterruptAll()
	Answer(id string, r chat.Reply)
	SetThinking(e llm.Effort)
	SetAutoCompact(on bool)
	AutoCompact() bool
	Compact(hint string)
	GoTo(id string)
	State() agent.State
	Wait(ctx context.Context) error
}

// Conversation is a session and the agent that works on it.
type Conversation struct {
	Session *session.Session
	Agent   Agent
}

// Model is a model that can answer.
type Model struct {
	Provider string `json:"provider"`
	ID       string `json:"id"`
	Name     string `json:"name,omitempty"`
	Needs    string `json:"needs,omitempty"` // the variable of the key that it lacks
}

// Options is what a server is made of. First, In and Out are required. The
// functions lead to other conversations and models, and may take time.
type Options struct {
	First   Conversation
	In      io.Reader
	Out     io.Writer
	Version string

	Open     func(id string) (c Conversation, note string, err error)
	New      func() (Conversation, error)
	Fork     func(from *session.Session, leaf string) (Conversation, error)
	Models   func() []Model
	SetModel func(c Conversation, provider, id string) error
	Export   func(s *session.Session, file string) (path string, err error)
	// Gone says that nobody reads Out any more; nil: that is found out by
	// writing.
	Gone func() bool
}

// Server serves one client.
type Server struct {
	o    Options
	out  *lines
	work sync.WaitGroup // commands that take time, and readers of feeds
	slow chan struct{}  // bounds those commands
	// telling ends when nothing is left to tell; ctx may end before.
	telling context.Context //nolint:containedctx // shared by the readers of all feeds

	mu     sync.Mutex
	talk   Conversation
	bashes map[string]chan chat.BashRun // by run, those that a command waits for
}

// maxSlow bounds the commands that run at once.
const maxSlow = 64

// Serve serves until the input has ended and nothing runs any more, the client
// is gone, or ctx ends. The error is the cause of ctx, or what the input or the
// output says.
func Serve(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &Server{
		o: o, out: &lines{to: json.NewEncoder(o.Out), failed: cancel}, slow: make(chan struct{}, maxSlow),
		talk: o.First, bashes: map[string]chan chat.BashRun{},
	}
	s.out.to.SetEscapeHTML(false)
	feed := s.talk.Session.Subscribe()
	s.out.put(events.Object{
		"type": "ready", "protocol": Protocol, "version": o.Version, "commands": names(),
		"session": events.Object{"id": s.talk.Session.ID(), "cwd": s.talk.Session.Cwd(), "file": s.talk.Session.Path()},
	})
	telling, tellNoMore := context.WithCancel(context.WithoutCancel(ctx))
	defer tellNoMore()
	s.telling = telling
	s.work.Go(func() { s.tell(s.talk.Session, feed) })
	err := s.read(ctx)
	if err == nil {
		err = s.finish(ctx)
	}
	s.end(ctx)
	tellNoMore()
	cancel(nil)
	s.work.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

// end stops what runs, and waits until its end is stored and told.
func (s *Server) end(ctx context.Context) {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	now := s.conversation()
	now.Agent.InterruptAll()
	_ = now.Agent.Wait(ctx) // it ends anyhow
}

func (s *Server) conversation() Conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.talk
}

// tell writes the events of a session until its feed ends, or all is told.
func (s *Server) tell(of *session.Session, feed *session.Feed) {
	ctx := s.telling
	defer feed.Close()
	w := events.New(func(o events.Object) { s.out.put(o) })
	if of != s.o.First.Session {
		w.Session(of)
	}
	for {
		list, err := feed.Next(ctx)
		if err != nil {
			return
		}
		quiet := true
		for _, ev := range list {
			w.Event(ev)
			s.ended(ev)
			_, progress := ev.(session.Progress)
			quiet = quiet && progress
		}
		if quiet {
			pause(ctx)
		}
	}
}

// pause is the time between two looks at what only has more output.
func pause(ctx context.Context) {
	const pace = 100 * time.Millisecond
	t := time.NewTimer(pace)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// ended hands a finished command of the person to whoever waits for it.
func (s *Server) ended(ev session.Event) {
	added, ok := ev.(session.Appended)
	if !ok || added.Entry.Message == nil || added.Entry.Message.Run == nil || added.Entry.Message.Run.Outcome == chat.Running {
		return
	}
	run := *added.Entry.Message.Run
	s.mu.Lock()
	defer s.mu.Unlock()
	if to := s.bashes[run.ID]; to != nil {
		delete(s.bashes, run.ID)
		to <- run
	}
}

// finish lets what runs end once no more commands come, as long as somebody
// reads. A question stays unanswered, so it is answered with no.
func (s *Server) finish(ctx context.Context) error {
	const pace = 200 * time.Millisecond
	every := time.NewTicker(pace)
	defer every.Stop()
	idle := make(chan error, 1)
	agent := s.conversation().Agent
	s.work.Go(func() { idle <- agent.Wait(ctx) })
	for {
		select {
		case err := <-idle:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-every.C:
			if s.o.Gone != nil && s.o.Gone() {
				return nil
			}
			if q := agent.State().Question; q != nil {
				agent.Answer(q.ID, chat.Reply{Decision: chat.Deny, Word: "nobody is there to answer any more"})
			}
		}
	}
}

// lines writes objects, one on a line.
type lines struct {
	failed context.CancelCauseFunc

	mu  sync.Mutex
	to  *json.Encoder
	err error
}

func (l *lines) put(o events.Object) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return
	}
	if l.err = l.to.Encode(o); l.err != nil {
		l.failed(fmt.Errorf("write to the client: %w", l.err))
	}
}
