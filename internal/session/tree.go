package session

import (
	"slices"

	"github.com/seed7484d81d/agent/internal/chat"
)

// tree is the entries of a session in memory: all of them in the order of the
// file, and the leaf that the conversation goes on from.
type tree struct {
	entries []Entry
	index   map[string]int // entry ID to its place in entries
	runs    map[string]int // run ID to the place of its newest record
	leaf    string
}

func newTree() tree {
	return tree{index: map[string]int{}, runs: map[string]int{}}
}

// add makes e the leaf.
func (t *tree) add(e Entry) {
	t.index[e.ID] = len(t.entries)
	if run := e.run(); run != nil {
		t.runs[run.ID] = len(t.entries)
	}
	t.entries = append(t.entries, e)
	t.leaf = e.ID
}

func (t *tree) has(id string) bool {
	_, ok := t.index[id]
	return ok
}

// branch lists the entries from the root to the leaf. A run that ended on
// another branch, or after the leaf, is shown as it ended.
func (t *tree) branch(leaf string) []Entry {
	var path []Entry
	ended := map[string]bool{}
	for id := leaf; id != ""; {
		e := t.entries[t.index[id]]
		id = e.ParentID
		if run := e.run(); run != nil {
			if run.Outcome != chat.Running {
				ended[run.ID] = true
			} else if !ended[run.ID] {
				e.Message = t.entries[t.runs[run.ID]].Message
			}
		}
		path = append(path, e)
	}
	slices.Reverse(path)
	return path
}

// run is the entry's record of a "!" command, or nil.
func (e Entry) run() *chat.BashRun {
	if e.Message == nil || e.Message.Role != chat.RoleBashExecution {
		return nil
	}
	return e.Message.Run
}
