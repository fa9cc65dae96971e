package chat

// AccessKind says what a tool call would do to the world.
type AccessKind string

// The kinds of access.
const (
	AccessRead  AccessKind = "read"  // reads Path
	AccessWrite AccessKind = "write" // creates, changes or removes Path
	AccessRun   AccessKind = "run"   // runs the shell line Command in Dir
)

// Access is one thing that a tool call needs permission for. A tool declares
// all of them before it runs.
type Access struct {
	Kind    AccessKind
	Path    string // absolute, for read and write
	Command string // the whole shell line, for run
	Dir     string // where Command would run
	Env     map[string]string
}

// Question is put to the person before a call that the policy does not allow
// by itself.
type Question struct {
	ID     string
	Call   ToolCall
	Access []Access
	// Reason says in one line why it asks and which part needs it.
	Reason string
	// Parts are the offending parts of a command, as they stand in it.
	Parts []string
	// Rules are what "always" would store, such as "Bash(git status)".
	Rules []string
	// Destructive marks calls that ask even under an allow rule.
	Destructive bool
}

// Decision is the person's answer to a Question.
type Decision string

// The decisions.
const (
	AllowOnce    Decision = "once"
	AllowSession Decision = "session"
	AllowAlways  Decision = "always"
	Deny         Decision = "no"
)

// Reply answers a Question. Word is what the person adds for the model when
// the answer is Deny; it may be empty.
type Reply struct {
	Decision Decision
	Word     string
}
