package bash

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/exec"
	"github.com/seed7484d81d/agent/internal/tools"
)

// shaped is a run as facts: what model, person and session get of it.
type shaped struct {
	output  string // cleaned, at most the window
	info    chat.RunInfo
	failed  bool
	notices []chat.Notice
}

// shape makes facts of how a run ended and what it printed.
func (out *output) shape(res exec.Result, timeout time.Duration) shaped {
	return out.shapeView(out.sink.View(), res, timeout)
}

func (out *output) shapeView(v exec.View, res exec.Result, timeout time.Duration) shaped {
	s := shaped{output: v.Text, info: chat.RunInfo{Duration: res.Duration, Timeout: timeout, Dir: res.Dir}}
	s.outcome(res)
	if v.Truncated {
		t := out.truncation(v)
		s.info.Meta.Truncation = &t
		s.notices = append(s.notices, tools.TruncationNotice(t))
	} else if f := out.file.Load(); f != nil {
		s.note("artifact", "Whole raw output: "+artifact.Ref(f.ID()))
	}
	if v.Binary {
		s.note("binary", "The output is binary: bytes that are no text are shown as \uFFFD")
	}
	for _, p := range res.Survivors {
		s.info.Survivors = append(s.info.Survivors, chat.Process{PID: p.PID, Command: p.Command})
	}
	if len(res.Survivors) > 0 {
		s.note("survivors", survivors(res.Survivors))
	}
	for _, n := range res.Notes {
		s.note("note", n)
	}
	return s
}

func (s *shaped) note(kind, text string) {
	s.notices = append(s.notices, chat.Notice{Kind: kind, Text: text})
}

// outcome fills in how the run ended.
func (s *shaped) outcome(res exec.Result) {
	s.failed = true
	switch res.Outcome {
	case exec.Exited:
		code := res.Code
		s.info.Outcome, s.info.ExitCode, s.failed = chat.Exited, &code, code != 0
	case exec.Signalled:
		s.info.Outcome, s.info.Signal = chat.Signalled, res.SignalName()
	case exec.TimedOut:
		s.info.Outcome = chat.TimedOut
	case exec.Cancelled:
		s.info.Outcome = chat.Cancelled
	case exec.Lost:
		s.info.Outcome = chat.NoStatus
	case exec.NotStarted:
		s.info.Outcome = chat.NotStarted
		if res.Err != nil {
			s.info.Error = res.Err.Error()
		}
	}
}

func (out *output) truncation(v exec.View) chat.Truncation {
	maxBytes := out.o.MaxBytes
	if maxBytes == 0 {
		maxBytes = 50 << 10
	}
	t := chat.Truncation{
		Direction: "tail", TruncatedBy: v.By, TotalLines: v.TotalLines, TotalBytes: v.TotalBytes,
		OutputLines: v.OutputLines, OutputBytes: v.OutputBytes, MaxBytes: int64(maxBytes),
		ShownRange: chat.Range{Start: v.First, End: v.Last}, Incomplete: v.Incomplete,
	}
	if f := out.file.Load(); f != nil {
		t.ArtifactID = f.ID()
	}
	return t
}

func survivors(list []exec.Process) string {
	const most = 5
	var names []string
	for i, p := range list {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		names = append(names, fmt.Sprintf("%s (pid %d)", clip(p.Command), p.PID))
	}
	return "Still running: " + strings.Join(names, ", ")
}

func clip(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// forModel is the text of a tool result.
func (s *shaped) forModel() string {
	end := ""
	switch s.info.Outcome {
	case chat.Cancelled:
		end = "Command aborted"
	case chat.TimedOut:
		end = fmt.Sprintf("Command timed out after %s seconds", seconds0(s.info.Timeout))
	case chat.NotStarted:
		end = s.info.Error
	case chat.NoStatus:
		end = "Command failed: missing exit status"
	case chat.Signalled:
		end = "Command was killed by " + s.info.Signal
	case chat.Exited:
		if s.failed {
			end = fmt.Sprintf("Command exited with code %d", *s.info.ExitCode)
		}
	default:
	}
	switch {
	case end == "" && s.output == "":
		return "(no output)"
	case end == "":
		return s.output
	case s.output == "":
		return end
	default:
		return strings.TrimRight(s.output, "\n") + "\n\n" + end
	}
}

// seconds0 writes a duration in seconds, without zeros behind it.
func seconds0(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
