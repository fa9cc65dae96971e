package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/rpc"
	"github.com/seed7484d81d/agent/internal/session"
)

// serve lets another program be the face, over stdin and stdout. A client that
// is gone is no failure.
func (p *program) serve(ctx context.Context, h *house, c *conversation) error {
	for _, w := range h.warnings {
		p.warn(w)
	}
	closed := make(chan os.Signal, 1)
	signal.Notify(closed, syscall.SIGPIPE) // caught, so that writing tells it
	defer signal.Stop(closed)
	err := rpc.Serve(ctx, rpc.Options{
		First: c.served(), In: p.in, Out: p.out, Version: version, Gone: p.unread,
		Open: func(id string) (rpc.Conversation, string, error) {
			next, note, err := h.reopen(ctx, id)
			return next.served(), note, err
		},
		New: func() (rpc.Conversation, error) {
			next, err := h.renew(ctx)
			return next.served(), err
		},
		Fork: func(from *session.Session, leaf string) (rpc.Conversation, error) {
			next, err := h.fork(ctx, from, leaf)
			return next.served(), err
		},
		Export: func(s *session.Session, file string) (string, error) { return exportTo(s, file, h.here(), h.at.home) },
		Models: func() []rpc.Model {
			known := h.models.list()
			list := make([]rpc.Model, 0, len(known))
			for _, m := range known {
				list = append(list, rpc.Model{Provider: m.Provider, ID: m.ID, Name: m.Name, Needs: h.models.missing(m.Provider)})
			}
			return list
		},
		SetModel: func(c rpc.Conversation, provider, id string) error {
			a, ok := c.Agent.(*agent.Agent)
			if !ok {
				return errors.New("this conversation cannot change its model")
			}
			return h.setModel(a, provider, id)
		},
	})
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}

// served is a conversation as a client knows it; nil is none.
func (c *conversation) served() rpc.Conversation {
	if c == nil {
		return rpc.Conversation{}
	}
	return rpc.Conversation{Session: c.session, Agent: c.agent}
}

// unread says that nobody reads the output any more.
func (p *program) unread() bool {
	fds := []unix.PollFd{{Fd: int32(p.out.Fd())}} //nolint:gosec // a descriptor
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}
