package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed7484d81d/agent/internal/events"
	"github.com/seed7484d81d/agent/internal/nearest"
)

// maxLine bounds one command: an image fits many times.
const maxLine = 32 << 20

// errTooLong says that a line is no command because of its length.
var errTooLong = errors.New("the line is too long")

// line is one line of the input, or why there is none.
type line struct {
	text []byte
	err  error
}

// read does what the lines say until there are no more.
func (s *Server) read(ctx context.Context) error {
	in := make(chan line)
	go func() { // ends with the input, which nothing else can end
		defer close(in)
		r := bufio.NewReaderSize(s.o.In, 64<<10)
		for {
			text, err := nextLine(r)
			select {
			case in <- line{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, errTooLong) {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case l, open := <-in:
			switch {
			case !open:
				return nil
			case errors.Is(l.err, errTooLong):
				s.respond(command{}, nil, fmt.Errorf("a line of more than %d MB is no command", maxLine>>20))
				continue
			}
			if text := bytes.TrimSpace(l.text); len(text) > 0 {
				s.obey(ctx, text)
			}
			if l.err != nil && !errors.Is(l.err, io.EOF) {
				return fmt.Errorf("read commands: %w", l.err)
			}
		}
	}
}

// nextLine reads up to a newline or the end. A line that is too long is read to
// its end and left out.
func nextLine(r *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(text)+len(part) > maxLine {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			if err != nil {
				return nil, err
			}
			return nil, errTooLong
		}
		text = append(text, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}

// obey does what one line says. What takes time is done beside the lines that
// follow.
func (s *Server) obey(ctx context.Context, text []byte) {
	c, err := parse(text)
	if err != nil {
		s.respond(c, nil, err)
		return
	}
	do := commands()[c.Type]
	if !do.slow {
		data, err := do.run(ctx, s, c)
		s.respond(c, data, err)
		return
	}
	select {
	case s.slow <- struct{}{}:
	default:
		s.respond(c, nil, fmt.Errorf("more than %d commands run already", maxSlow))
		return
	}
	s.work.Go(func() {
		defer func() { <-s.slow }()
		data, err := do.run(ctx, s, c)
		s.respond(c, data, err)
	})
}

// parse reads a command. What was understood of it is returned with an error
// too, so that the response can name it.
func parse(text []byte) (command, error) {
	var c command
	err := json.Unmarshal(text, &c)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return c, fmt.Errorf("%q has to be %s, not a %s", wrong.Field, wanted(wrong), wrong.Value)
	case err != nil:
		return c, fmt.Errorf("the line is no JSON object: %w", err)
	case c.Type == "":
		return c, errors.New(`the command has no "type"`)
	}
	if _, known := commands()[c.Type]; !known {
		if n := nearest.Of(c.Type, names()); n != "" {
			return c, fmt.Errorf("unknown command %q; did you mean %q?", c.Type, n)
		}
		return c, fmt.Errorf("unknown command %q", c.Type)
	}
	return c, nil
}

func wanted(e *json.UnmarshalTypeError) string {
	switch e.Type.Kind().String() {
	case "bool":
		return "true or false"
	case "slice":
		return "a list"
	case "struct":
		return "an object"
	default:
		return "a " + e.Type.Kind().String()
	}
}

func (s *Server) respond(c command, data any, err error) {
	o := events.Object{"type": "response", "command": c.Type, "success": err == nil}
	if len(c.ID) > 0 {
		o["id"] = c.ID
	}
	if err != nil {
		o["error"] = err.Error()
	} else if data != nil {
		o["data"] = data
	}
	s.out.put(o)
}

func names() []string {
	list := make([]string, 0, len(commands()))
	for n := range commands() {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}
