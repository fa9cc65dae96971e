package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/nearest"
)

// Registry is the set of tools of a conversation. It never changes.
type Registry struct{ tools []Tool } // sorted by name

// NewRegistry makes a registry. Of two tools with one name the last counts.
func NewRegistry(list ...Tool) *Registry {
	r := &Registry{}
	for _, t := range list {
		r.tools = slices.DeleteFunc(r.tools, func(o Tool) bool { return o.Spec().Name == t.Spec().Name })
		r.tools = append(r.tools, t)
	}
	slices.SortFunc(r.tools, func(a, b Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	return r
}

// Specs describes the tools to a model, sorted by name, so that the same tools
// read the same in every request.
func (r *Registry) Specs() []chat.ToolSpec {
	specs := make([]chat.ToolSpec, len(r.tools))
	for i, t := range r.tools {
		specs[i] = t.Spec()
	}
	return specs
}

// Get finds a tool by its name.
func (r *Registry) Get(name string) (Tool, bool) {
	for _, t := range r.tools {
		if t.Spec().Name == name {
			return t, true
		}
	}
	return nil, false
}

// Names lists the names, sorted.
func (r *Registry) Names() []string {
	names := make([]string, len(r.tools))
	for i, t := range r.tools {
		names[i] = t.Spec().Name
	}
	return names
}

// Only is the registry of the tools with these names. A name that there is not
// is an error.
func (r *Registry) Only(names []string) (*Registry, error) {
	out := &Registry{}
	for _, t := range r.tools {
		if slices.Contains(names, t.Spec().Name) {
			out.tools = append(out.tools, t)
		}
	}
	for _, n := range names {
		if _, ok := r.Get(n); !ok {
			hint := nearest.Suggest(n, r.Names())
			if hint == "" {
				hint = "; there are " + strings.Join(r.Names(), ", ")
			}
			return nil, fmt.Errorf("unknown tool %q%s", n, hint)
		}
	}
	return out, nil
}
