package keymap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/nearest"
)

// Binding is an action with its keys and the words that explain it.
type Binding struct {
	Action Action
	// Keys may be empty: then no key does it. The first is shown in hints.
	Keys []string
	// Help is a short phrase without a capital or a period.
	Help string
	// Group is the heading that it stands under in the help.
	Group string
}

// Group is one heading of the help with its bindings.
type Group struct {
	Name     string
	Bindings []Binding
}

// Map says which keys do what. Change it with Bind before the program starts;
// after that it is only read, from any goroutine.
type Map struct {
	entries []entry
	at      map[Action]int
	byKey   map[string][]Action
}

// Default is the map without any change by the person.
func Default() *Map {
	m := &Map{entries: defaults(), at: map[Action]int{}}
	for i, e := range m.entries {
		m.at[e.Action] = i
	}
	m.index()
	return m
}

// Bind gives an action other keys in place of those it has; no keys at all
// means that no key does it. The name of the action is compared without case,
// the keys may be spelled as people do ("Ctrl+O", "escape", "opt+x"). On an
// error nothing changes: an unknown action or key, a key that another action
// in the same place has, a bare letter where text is typed, or an action that
// cannot do without a key.
func (m *Map) Bind(a Action, keys ...string) error {
	i, err := m.find(a)
	if err != nil {
		return err
	}
	e := m.entries[i]
	if len(keys) == 0 && essential(e.Action) {
		return fmt.Errorf("%s needs at least one key", e.Action)
	}
	canonical := make([]string, 0, len(keys))
	for _, k := range keys {
		c, err := Parse(k)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Action, err)
		}
		if err := m.fits(e, c); err != nil {
			return err
		}
		if !slices.Contains(canonical, c) {
			canonical = append(canonical, c)
		}
	}
	m.entries[i].Keys = canonical
	m.index()
	return nil
}

// BindAll applies what stands in the settings: names of actions with their
// keys. It binds all that it can, in such an order that two actions may swap
// their keys, and returns one error for each that it could not.
func (m *Map) BindAll(keys map[string][]string) []error {
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
		if i, err := m.find(Action(name)); err == nil {
			m.entries[i].Keys = nil // its old keys are free for the others
		}
	}
	slices.Sort(names)
	fresh := Default()
	var errs []error
	for _, name := range names {
		if err := m.Bind(Action(name), keys[name]...); err != nil {
			errs = append(errs, err)
			m.restore(Action(name), fresh)
		}
	}
	return errs
}

// restore gives an action that could not be bound those of its default keys
// that nobody else took.
func (m *Map) restore(name Action, fresh *Map) {
	i, err := m.find(name)
	if err != nil {
		return
	}
	for _, k := range fresh.entries[i].Keys {
		if m.fits(m.entries[i], k) == nil {
			m.entries[i].Keys = append(m.entries[i].Keys, k)
		}
	}
	m.index()
}

// Is says whether a key does the action. key is what the terminal library
// calls the key press; two presses in a row are written with a space between.
func (m *Map) Is(key string, a Action) bool {
	return slices.Contains(m.byKey[key], a)
}

// Actions lists what a key may mean, in the order of the help; the component
// that has the focus takes those that are its own.
func (m *Map) Actions(key string) []Action { return m.byKey[key] }

// Key is the first key of an action, for hints such as "ctrl+o to expand"; it
// is empty if the action has none.
func (m *Map) Key(a Action) string {
	if i, ok := m.at[a]; ok && len(m.entries[i].Keys) > 0 {
		return m.entries[i].Keys[0]
	}
	return ""
}

// Keys lists all keys of an action.
func (m *Map) Keys(a Action) []string {
	if i, ok := m.at[a]; ok {
		return slices.Clone(m.entries[i].Keys)
	}
	return nil
}

// Groups is the whole map, in the order in which help shows it.
func (m *Map) Groups() []Group {
	var groups []Group
	for _, e := range m.entries {
		if len(groups) == 0 || groups[len(groups)-1].Name != e.Group {
			groups = append(groups, Group{Name: e.Group})
		}
		last := &groups[len(groups)-1]
		b := e.Binding
		b.Keys = slices.Clone(b.Keys)
		last.Bindings = append(last.Bindings, b)
	}
	return groups
}

// Help is the whole map as plain text: headings, and under each the keys and
// what they do, in columns.
func (m *Map) Help() string {
	wide := 0
	for _, e := range m.entries {
		wide = max(wide, len(e.label()))
	}
	var b strings.Builder
	for i, g := range m.Groups() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, g.Name)
		for _, x := range g.Bindings {
			fmt.Fprintf(&b, "  %-*s  %s\n", wide, x.label(), x.Help)
		}
	}
	return b.String()
}

func (b Binding) label() string {
	if len(b.Keys) == 0 {
		return "(none)"
	}
	return strings.Join(b.Keys, ", ")
}

func (m *Map) find(a Action) (int, error) {
	if i, ok := m.at[a]; ok {
		return i, nil
	}
	names := make([]string, 0, len(m.entries))
	for i, e := range m.entries {
		if strings.EqualFold(string(e.Action), string(a)) {
			return i, nil
		}
		names = append(names, string(e.Action))
	}
	return 0, fmt.Errorf("unknown action %q%s", a, nearest.Suggest(string(a), names))
}

// fits says why an action cannot have a key, or nil.
func (m *Map) fits(e entry, key string) error {
	if typed(key) && e.layers&^prompt == 0 && e.Action != Help {
		return fmt.Errorf("%s: %q is text that is typed; add ctrl or alt", e.Action, key)
	}
	for _, o := range m.entries {
		if o.Action != e.Action && o.layers&e.layers != 0 && slices.Contains(o.Keys, key) && !shared(o.Action, e.Action) {
			return fmt.Errorf("%s: %s is the key of %s (%s)", e.Action, key, o.Action, o.Help)
		}
	}
	return nil
}

func (m *Map) index() {
	m.byKey = make(map[string][]Action)
	for _, e := range m.entries {
		for _, k := range e.Keys {
			m.byKey[k] = append(m.byKey[k], e.Action)
		}
	}
}
