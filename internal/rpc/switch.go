package rpc

import (
	"fmt"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/events"
)

// turnTo makes a conversation the one that commands are about. The feed of the
// one before ends with its session.
func (s *Server) turnTo(c Conversation, note string) events.Object {
	feed := c.Session.Subscribe()
	s.mu.Lock()
	s.talk = c
	s.mu.Unlock()
	s.work.Go(func() { s.tell(c.Session, feed) })
	o := events.Object{"session": c.Session.ID(), "cwd": c.Session.Cwd(), "file": c.Session.Path()}
	if note != "" {
		o["note"] = note
	}
	return o
}

func (s *Server) newSession(command) (any, error) {
	c, err := s.o.New()
	if err != nil {
		return nil, err
	}
	return s.turnTo(c, ""), nil
}

func (s *Server) switchSession(c command) (any, error) {
	if err := need("session", c.Session); err != nil {
		return nil, err
	}
	next, note, err := s.o.Open(c.Session)
	if err != nil {
		return nil, err
	}
	return s.turnTo(next, note), nil
}

// fork copies the conversation up to before a message of the person, which can
// then be said in another way; without an entry it copies all of it.
func (s *Server) fork(c command) (any, error) {
	now := s.conversation()
	leaf, text := now.Session.Leaf(), ""
	if c.Entry != "" {
		found := false
		for _, e := range now.Session.Branch() {
			if e.ID == c.Entry && e.Message != nil && e.Message.Role == chat.RoleUser {
				leaf, text, found = e.ParentID, e.Message.Text(), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no message of the user with the entry id %q; get_fork_points lists them", c.Entry)
		}
	}
	next, err := s.o.Fork(now.Session, leaf)
	if err != nil {
		return nil, err
	}
	o := s.turnTo(next, "")
	o["text"] = text
	return o, nil
}

func (s *Server) forkPoints(command) (any, error) {
	list := []events.Object{}
	for _, e := range s.conversation().Session.Branch() {
		if e.Message != nil && e.Message.Role == chat.RoleUser {
			list = append(list, events.Object{"entryId": e.ID, "text": e.Message.Text()})
		}
	}
	return events.Object{"points": list}, nil
}

func (s *Server) export(c command) (any, error) {
	path, err := s.o.Export(s.conversation().Session, c.File)
	if err != nil {
		return nil, err
	}
	return events.Object{"file": path}, nil
}
