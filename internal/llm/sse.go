package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// Frame is one event of a stream of server-sent events.
type Frame struct {
	Event string
	Data  string
	// Bare says that the whole body is Data: the server did not stream.
	Bare bool
	// Open says that the stream ended before the event did.
	Open bool
}

// maxLine bounds a line of a stream; images and encrypted reasoning are the
// longest ones, with a few megabytes.
const maxLine = 64 << 20

var errLongLine = errors.New("a line of the answer is longer than 64 MiB")

// frames reads the events of a body. Comments are left out; a body that is no
// stream comes as one bare frame.
func frames(r *bufio.Reader) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		bare, err := startsBare(r)
		if err == nil && bare {
			body, err := io.ReadAll(io.LimitReader(r, maxLine))
			yield(Frame{Data: string(body), Bare: true}, err)
			return
		}
		var f Frame
		var data []byte
		has := false
		for err == nil {
			var line []byte
			line, err = readLine(r)
			switch {
			case len(line) > 0:
				has = f.field(line, &data, has) || has
			case has:
				f.Data, f.Open = string(data), err != nil
				if !yield(f, nil) {
					return
				}
				fallthrough
			default:
				f, data, has = Frame{}, data[:0], false
			}
		}
		if has {
			f.Data, f.Open = string(data), true
			if !yield(f, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(Frame{}, err)
		}
	}
}

// field takes one line of an event and says whether it brought data.
func (f *Frame) field(line []byte, data *[]byte, more bool) bool {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		f.Event = string(value)
	case "data":
		if more {
			*data = append(*data, '\n')
		}
		*data = append(*data, value...)
		return true
	}
	return false
}

// startsBare skips white space and a byte order mark, and says whether JSON or
// a web page follows.
func startsBare(r *bufio.Reader) (bool, error) {
	if mark, _ := r.Peek(3); string(mark) == "\ufeff" {
		_, _ = r.Discard(len(mark)) // just peeked
	}
	for {
		b, err := r.ReadByte()
		if err != nil {
			return false, err
		}
		if b == ' ' || b == '\t' || b == '\r' || b == '\n' {
			continue
		}
		return b == '{' || b == '[' || b == '<', r.UnreadByte()
	}
}

// readLine returns a line without its end. At the end of the input it returns
// what is left together with the error.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		line = append(line, piece...)
		if len(line) > maxLine {
			return nil, errLongLine
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return bytes.TrimRight(line, "\r\n"), err
	}
}
