package exec

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"
)

// spec is what to start. Files become fd 0 and up; all other descriptors are
// closed in the child, which leads a session of its own.
type spec struct {
	Path     string
	Args     []bytesText
	Env      []bytesText
	Dir      string
	Terminal bool // fd 0 becomes the controlling terminal

	files []*os.File
}

// child is a process that was started. The fields below done are valid once it
// is closed.
type child struct {
	pid     int
	started uint64 // clock ticks, 0 if unknown
	done    chan struct{}
	status  syscall.WaitStatus
	lost    bool // its parent died, so nobody knows how it ended

	signalGroup func(sig syscall.Signal) // never reaches a reaped process
}

func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// bytesText is a string that may be no UTF-8 and travels as its bytes.
type bytesText string

// MarshalJSON writes the bytes, not the text.
func (b bytesText) MarshalJSON() ([]byte, error) { return json.Marshal([]byte(b)) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (b *bytesText) UnmarshalJSON(data []byte) error {
	var raw []byte
	if err := json.Unmarshal(data, &raw); err != nil {
		return fmt.Errorf("bytes: %w", err)
	}
	*b = bytesText(raw)
	return nil
}

func toBytes(list []string) []bytesText {
	out := make([]bytesText, len(list))
	for i, s := range list {
		out[i] = bytesText(s)
	}
	return out
}

func toStrings(list []bytesText) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}
