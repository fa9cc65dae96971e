package chat

import "time"

// Outcome says how a command ended.
type Outcome string

// The outcomes. They are data: none of them is a Go error.
const (
	Running     Outcome = "running"     // has not ended
	Exited      Outcome = "exited"      // ExitCode is set
	Signalled   Outcome = "signalled"   // Signal is set
	TimedOut    Outcome = "timedOut"    // stopped at the deadline
	Cancelled   Outcome = "cancelled"   // stopped by the person
	NotStarted  Outcome = "notStarted"  // Error says why
	NoStatus    Outcome = "noStatus"    // ended, but nobody knows how
	Interrupted Outcome = "interrupted" // the agent died while it ran
)

// RunInfo is what is known of one run of a shell line, by the model's tool and
// by the person's "!" alike.
type RunInfo struct {
	Outcome  Outcome       `json:"outcome"`
	ExitCode *int          `json:"exitCode,omitempty"`
	Signal   string        `json:"signal,omitempty"` // "SIGKILL"
	Error    string        `json:"error,omitempty"`  // one line, when it could not start
	Duration time.Duration `json:"durationNs,omitempty"`
	Timeout  time.Duration `json:"timeoutNs,omitempty"` // 0: none
	Dir      string        `json:"dir,omitempty"`       // where it ran
	PTY      bool          `json:"pty,omitempty"`
	// Screen is what a terminal held at the end, with its colours as SGR
	// sequences; it is drawn in the place of the output. "" without a terminal.
	Screen string `json:"screen,omitempty"`
	// Survivors are children that still ran when the command ended.
	Survivors []Process `json:"survivors,omitempty"`
	Meta      RunMeta   `json:"meta,omitzero"`
}

// RunMeta is the bookkeeping of a run's output.
type RunMeta struct {
	Truncation *Truncation `json:"truncation,omitempty"`
}

// Process names a process that outlived its command.
type Process struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
}

// Truncation says what part of an output is shown. It is nil when all of it is.
type Truncation struct {
	Direction   string `json:"direction"`   // "tail": the end was kept
	TruncatedBy string `json:"truncatedBy"` // "bytes" or "lines"
	TotalLines  int64  `json:"totalLines"`  // a final newline makes no phantom line
	TotalBytes  int64  `json:"totalBytes"`
	OutputLines int64  `json:"outputLines"`
	OutputBytes int64  `json:"outputBytes"`
	MaxBytes    int64  `json:"maxBytes"`
	// ShownRange is in lines of the true stream, 1-based and inclusive.
	ShownRange Range `json:"shownRange"`
	// ArtifactID is the number behind "artifact://", 0 if nothing was saved.
	ArtifactID int `json:"artifactId,omitempty"`
	// Incomplete says that the artifact does not hold all of the output.
	Incomplete bool `json:"incomplete,omitempty"`
}

// Range counts lines from 1, both ends inclusive.
type Range struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// BashRun is a command that the person ran with "!". It is stored twice, when
// it starts (Outcome Running) and when it ends; both records have the same ID
// and the last one counts.
type BashRun struct {
	ID      string `json:"id"`
	Command string `json:"command"`
	Output  string `json:"output"` // cleaned, at most the output window
	RunInfo
	Cancelled bool     `json:"cancelled"`
	Truncated bool     `json:"truncated"`
	Notices   []Notice `json:"notices,omitempty"`
	// Private marks a run by "!!": shown and stored, never sent to a model.
	Private bool `json:"excludeFromContext,omitempty"`
}
