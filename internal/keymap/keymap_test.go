package keymap

import (
	"strings"
	"testing"
)

func TestEveryActionHasAKeyAndAHelp(t *testing.T) {
	m := Default()
	for _, g := range m.Groups() {
		for _, b := range g.Bindings {
			if len(b.Keys) == 0 || b.Help == "" || m.Key(b.Action) != b.Keys[0] {
				t.Errorf("%s: %v %q", b.Action, b.Keys, b.Help)
			}
			for _, k := range b.Keys {
				if !strings.Contains(k, " ") && !m.Is(k, b.Action) {
					t.Errorf("%s does not mean %s", k, b.Action)
				}
			}
		}
	}
}

func TestBinding(t *testing.T) {
	m := Default()
	if err := m.Bind(ExpandAll, "f5"); err != nil || !m.Is("f5", ExpandAll) || m.Is("ctrl+o", ExpandAll) {
		t.Errorf("%v", err)
	}
	for name, err := range map[string]error{
		"unknown action": m.Bind("expandAl", "f6"), "taken": m.Bind(ToggleThinking, "ctrl+r"), "no key": m.Bind(Send), "nonsense": m.Bind(Help, "strg+q"),
	} {
		if err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := m.Bind("expandAl", "f6"); err == nil || !strings.Contains(err.Error(), "expandAll") {
		t.Errorf("%v", err)
	}
}
