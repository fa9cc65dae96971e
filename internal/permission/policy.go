package permission

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Mode says what runs unasked.
type Mode string

// The modes.
const (
	Ask   Mode = "ask"   // reading inside the project runs
	Edits Mode = "edits" // and editing the project's files
	All   Mode = "all"   // everything but what is destructive
	Plan  Mode = "plan"  // reading; everything else is refused
)

// Modes lists the modes in the order in which a key goes through them.
func Modes() []Mode { return []Mode{Ask, Edits, All, Plan} }

// Decision is the kind of a Verdict.
type Decision int

// The decisions.
const (
	Allow Decision = iota
	AskFirst
	Deny
)

// Verdict is the policy's answer about a call.
type Verdict struct {
	Decision Decision
	Question chat.Question // for AskFirst, without ID, Call and Access
	Reason   string        // for Deny, a sentence for the model
}

// Options is what a policy starts from.
type Options struct {
	Mode Mode   // Ask if empty
	Root string // the project's directory
	Home string
	// Allow and Deny are rules: Bash(git status), Bash(npm test *),
	// Edit(src/**), Read(/etc/hosts).
	Allow, Deny []string
}

// Policy judges calls. It is safe for concurrent use.
type Policy struct {
	root, home string

	mu          sync.RWMutex
	mode        Mode
	allow, deny []rule
}

// New makes a policy. A rule that cannot be read is an error that names it.
func New(o Options) (*Policy, error) {
	p := &Policy{root: o.Root, home: o.Home, mode: o.Mode}
	if p.mode == "" {
		p.mode = Ask
	}
	if !slices.Contains(Modes(), p.mode) {
		return nil, fmt.Errorf("permission mode %q: there are ask, edits, all and plan", o.Mode)
	}
	var err error
	if p.allow, err = parseRules("permission.allow", o.Allow); err != nil {
		return nil, err
	}
	if p.deny, err = parseRules("permission.deny", o.Deny); err != nil {
		return nil, err
	}
	return p, nil
}

// Mode is the mode that holds now.
func (p *Policy) Mode() Mode {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.mode
}

// SetMode changes the mode from the next call on. An unknown one changes
// nothing.
func (p *Policy) SetMode(m Mode) {
	if !slices.Contains(Modes(), m) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode = m
}

// Grant adds allow rules, as Question.Rules has them, for as long as the policy
// lives. A decision that allows once adds nothing.
func (p *Policy) Grant(rules []string, d chat.Decision) {
	if d != chat.AllowSession && d != chat.AllowAlways {
		return
	}
	more, err := parseRules("grant", rules)
	if err != nil {
		return // they come from a Question of ours
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allow = append(p.allow, more...)
}

// Check judges a call by what it declares to touch.
func (p *Policy) Check(_ chat.ToolCall, access []chat.Access) Verdict {
	p.mu.RLock()
	j := judge{Policy: p, mode: p.mode}
	defer p.mu.RUnlock()
	for _, a := range access {
		switch a.Kind {
		case chat.AccessRead:
			j.read(a.Path)
		case chat.AccessWrite:
			j.write(a.Path, a.Path)
		case chat.AccessRun:
			j.run(a)
		default:
			j.object(objection{reason: "it wants something unknown"})
		}
	}
	return j.verdict()
}

// objection is one thing that needs a question.
type objection struct {
	part        string // as it stands in the command, or the path
	reason      string
	rule        string // that would allow it; "" if none can
	destructive bool
}

// judge collects what speaks against one call.
type judge struct {
	*Policy
	mode       Mode
	denied     string
	objections []objection
}

func (j *judge) object(o objection) { j.objections = append(j.objections, o) }

func (j *judge) deny(format string, args ...any) {
	if j.denied == "" {
		j.denied = fmt.Sprintf(format, args...)
	}
}

func (j *judge) verdict() Verdict {
	switch {
	case j.denied != "":
		return Verdict{Decision: Deny, Reason: j.denied}
	case len(j.objections) == 0:
		return Verdict{Decision: Allow}
	case j.mode == Plan:
		return Verdict{Decision: Deny, Reason: "this is plan mode, in which only reading is allowed (" + j.objections[0].reason + "). Describe what you would do."}
	}
	q := chat.Question{}
	var reasons []string
	storable := true
	for _, o := range j.objections {
		if o.part != "" && !slices.Contains(q.Parts, o.part) {
			q.Parts = append(q.Parts, o.part)
		}
		if !slices.Contains(reasons, o.reason) {
			reasons = append(reasons, o.reason)
		}
		if o.rule == "" {
			storable = false
		} else if !slices.Contains(q.Rules, o.rule) {
			q.Rules = append(q.Rules, o.rule)
		}
		q.Destructive = q.Destructive || o.destructive
	}
	if !storable {
		q.Rules = nil // allowing a part for ever would not be enough
	}
	q.Reason = strings.Join(reasons, "; ")
	return Verdict{Decision: AskFirst, Question: q}
}
