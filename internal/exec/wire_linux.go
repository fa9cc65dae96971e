package exec

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// message is what the agent and its supervisor say to each other. Descriptors
// travel beside it.
type message struct {
	Op     string `json:"op"` // "start", "group"; "started", "done", "exit"
	ID     int    `json:"id,omitempty"`
	Spec   *spec  `json:"spec,omitempty"`
	PID    int    `json:"pid,omitempty"`
	Signal int    `json:"signal,omitempty"`
	Status int    `json:"status,omitempty"`
	Error  string `json:"error,omitempty"`
}

const (
	headSize   = 4
	maxMessage = 64 << 20 // an environment fits many times
	maxFiles   = 16
)

// send writes a message as its length and its JSON, the files with the length.
func send(c *net.UnixConn, m message, files []*os.File) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	head := make([]byte, headSize)
	binary.LittleEndian.PutUint32(head, uint32(len(body))) //nolint:gosec // far below the limit
	var rights []byte
	if len(files) > 0 {
		fds := make([]int, len(files))
		for i, f := range files {
			raw, err := f.SyscallConn() // f.Fd would make the file blocking
			if err != nil {
				return fmt.Errorf("descriptor: %w", err)
			}
			if err := raw.Control(func(fd uintptr) { fds[i] = int(fd) }); err != nil {
				return fmt.Errorf("descriptor: %w", err)
			}
		}
		rights = unix.UnixRights(fds...)
	}
	if _, _, err := c.WriteMsgUnix(head, rights, nil); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	_, err = c.Write(body)
	runtime.KeepAlive(files)
	if err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

// receive reads one message and the descriptors that came with it.
func receive(c *net.UnixConn) (m message, fds []int, err error) {
	head := make([]byte, headSize)
	oob := make([]byte, unix.CmsgSpace(maxFiles*headSize))
	n, oobn, _, _, err := c.ReadMsgUnix(head, oob)
	if err != nil || n == 0 {
		return m, nil, io.EOF
	}
	if oobn > 0 {
		control, err := unix.ParseSocketControlMessage(oob[:oobn])
		if err == nil && len(control) > 0 {
			fds, _ = unix.ParseUnixRights(&control[0])
		}
	}
	if _, err := io.ReadFull(c, head[n:]); err != nil {
		return m, fds, fmt.Errorf("receive: %w", err)
	}
	size := binary.LittleEndian.Uint32(head)
	if size > maxMessage {
		return m, fds, fmt.Errorf("receive: a message of %d bytes", size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c, body); err != nil {
		return m, fds, fmt.Errorf("receive: %w", err)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fds, fmt.Errorf("receive: %w", err)
	}
	return m, fds, nil
}
