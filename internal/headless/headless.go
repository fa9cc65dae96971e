package headless

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

// Agent works on a prompt and tells what happens through the session's feed.
// *agent.Agent is one; it must be running.
type Agent interface {
	Prompt(parts []chat.Part)
}

// Options is what a face without a screen is made of.
type Options struct {
	Session *session.Session
	Agent   Agent
	Schema  *Schema   // what the answer has to fit; nil: anything
	Out     io.Writer // the answer, and nothing else
	Err     io.Writer // warnings and errors that a person should see
}

// ErrFailed says that the model gave no whole answer. Why was printed to
// Options.Err, or told as an event.
var ErrFailed = errors.New("no answer")

// Text sends the prompt, waits for the end of the turn and prints the last
// answer. It returns ErrFailed without a whole answer, the cause of ctx when it
// ends first, or what Out says.
func Text(ctx context.Context, o Options, prompt []chat.Part) error {
	feed := o.Session.Subscribe()
	defer feed.Close()
	o.Agent.Prompt(append(prompt, o.Schema.demand()...))
	answer, again := chat.Message{}, true
	for {
		events, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		for _, ev := range events {
			switch ev := ev.(type) {
			case session.Appended:
				if m := ev.Entry.Message; m != nil && m.Role == chat.RoleAssistant {
					answer = *m
				}
			case session.Notice:
				if ev.Level != session.Info {
					o.complain(ev.Text)
				}
			case session.TurnEnded:
				if why := o.Schema.misfit(answer, ev); why != "" && again {
					again = false
					o.Agent.Prompt([]chat.Part{chat.TextPart(why)})
					continue
				}
				return o.finish(answer, ev)
			default:
			}
		}
	}
}

// finish prints the answer and says what is missing of it.
func (o Options) finish(m chat.Message, end session.TurnEnded) error {
	if end.Reason == session.EndError {
		o.complain(end.Error)
		return ErrFailed
	}
	if why := o.Schema.misfit(m, end); why != "" {
		o.complain(why)
		return ErrFailed
	}
	if text := o.Schema.value(m.Text()); text != "" {
		if _, err := io.WriteString(o.Out, withNewline(text)); err != nil {
			return fmt.Errorf("print the answer: %w", err)
		}
	}
	if why := shortfall(m); why != "" {
		o.complain(why)
		return ErrFailed
	}
	return nil
}

// shortfall says what keeps an answer from being whole; "" for a whole one.
func shortfall(m chat.Message) string {
	if m.Answer == nil {
		return "the model gave no answer"
	}
	switch m.Answer.Stop {
	case chat.StopLength:
		return "the answer ran into the model's output limit and is cut"
	case chat.StopRefusal:
		return "the model declined to answer"
	case chat.StopAborted:
		return "the answer was interrupted"
	case chat.StopContext:
		return "the conversation no longer fits into the model's context"
	case chat.StopError:
		return m.Answer.Error
	default:
		return ""
	}
}

func (o Options) complain(text string) {
	_, _ = fmt.Fprintf(o.Err, "agent: %s\n", text) // nobody is left to tell
}

func withNewline(s string) string {
	if s[len(s)-1] == '\n' {
		return s
	}
	return s + "\n"
}
