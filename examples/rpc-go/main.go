// Command rpc-go drives the agent from Go: it sends one prompt, prints the
// answer as it comes, and answers every question of permission with yes.
//
//	go run ./examples/rpc-go "why does make fail?" [flags of agent…]
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// line is a line of the agent. Type says which fields are set.
type line struct {
	Type    string `json:"type"`
	ID      string `json:"id"`
	Command string `json:"command"`
	Success bool   `json:"success"`
	Error   string `json:"error"`
	Kind    string `json:"kind"`
	Text    string `json:"text"`
	Reason  string `json:"reason"`
	Message struct {
		Role  string `json:"role"`
		Parts []struct {
			Kind string `json:"kind"`
			Text string `json:"text"`
		} `json:"parts"`
	} `json:"message"`
}

// text is what a whole message says.
func (l line) text() string {
	text := ""
	for _, p := range l.Message.Parts {
		if p.Kind == "text" {
			text += p.Text
		}
	}
	return text
}

// client is an agent that runs.
type client struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Reader
}

func start(args ...string) (*client, error) {
	program := os.Getenv("AGENT")
	if program == "" {
		program = "agent"
	}
	cmd := exec.Command(program, append([]string{"--mode", "rpc"}, args...)...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &client{cmd: cmd, in: in, lines: bufio.NewReader(out)}, cmd.Start()
}

func (c *client) send(command map[string]any) error {
	return json.NewEncoder(c.in).Encode(command)
}

func (c *client) next() (line, error) {
	var l line
	raw, err := c.lines.ReadBytes('\n')
	if err != nil {
		return l, err
	}
	return l, json.Unmarshal(raw, &l)
}

// say sends a prompt and prints the answer.
func (c *client) say(message string) error {
	if err := c.send(map[string]any{"type": "prompt", "message": message}); err != nil {
		return err
	}
	printed := 0 // of the message that comes in; what was told late comes with its end
	for {
		l, err := c.next()
		if err != nil {
			return err
		}
		switch {
		case l.Type == "response" && !l.Success:
			return fmt.Errorf("%s: %s", l.Command, l.Error)
		case l.Type == "message_update" && l.Kind == "text":
			fmt.Print(l.Text)
			printed += len(l.Text)
		case l.Type == "message_end" && l.Message.Role == "assistant":
			if text := l.text(); len(text) > printed {
				fmt.Print(text[printed:])
			}
			printed = 0
		case l.Type == "permission":
			if err := c.send(map[string]any{"type": "answer_permission", "permissionId": l.ID, "decision": "once"}); err != nil {
				return err
			}
		case l.Type == "agent_end":
			fmt.Println()
			if l.Reason != "done" {
				return fmt.Errorf("%s: %s", l.Reason, l.Error)
			}
			return nil
		}
	}
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: rpc-go PROMPT [flags of agent…]")
		os.Exit(2)
	}
	c, err := start(os.Args[2:]...)
	if err == nil {
		err = c.say(os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "rpc-go:", err)
		os.Exit(1)
	}
	_ = c.in.Close() // the agent ends when its input does
	if err := c.cmd.Wait(); err != nil {
		fmt.Fprintln(os.Stderr, "rpc-go:", err)
		os.Exit(1)
	}
}
