package agent

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/seed7484d81d/agent/internal/chat"
)

// A model that gets the same result for the same call guardLimit times within
// guardSteps steps will not get another one.
const (
	guardLimit = 5
	guardSteps = 10
)

// guard sees when a model goes in circles.
type guard struct {
	steps [][]sighting // of the last guardSteps steps
}

type sighting struct {
	name string
	sum  [sha256.Size]byte
}

func (g *guard) step() {
	g.steps = append(g.steps, nil)
	if len(g.steps) > guardSteps {
		g.steps = g.steps[1:]
	}
}

func (g *guard) saw(call chat.ToolCall, r chat.ToolResult) {
	what, _ := json.Marshal([]any{call.Name, call.Args, r.Parts, r.IsError}) // stored before
	last := len(g.steps) - 1
	g.steps[last] = append(g.steps[last], sighting{call.Name, sha256.Sum256(what)})
}

// looping names the tool that was called in vain too often, or "".
func (g *guard) looping() string {
	count := map[sighting]int{}
	for _, step := range g.steps {
		for _, s := range step {
			if count[s]++; count[s] >= guardLimit {
				return s.name
			}
		}
	}
	return ""
}
