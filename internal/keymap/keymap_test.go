package keymap

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
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

// TestDefaultsDoNotStandInEachOthersWay binds every action to its own keys.
func TestDefaultsDoNotStandInEachOthersWay(t *testing.T) {
	m := Default()
	seen := map[Action]bool{}
	for _, g := range m.Groups() {
		for _, b := range g.Bindings {
			if seen[b.Action] {
				t.Errorf("%s is bound twice", b.Action)
			}
			seen[b.Action] = true
			if err := m.Bind(b.Action, b.Keys...); err != nil {
				t.Errorf("%v", err)
			}
			if !slices.Equal(m.Keys(b.Action), b.Keys) {
				t.Errorf("%s: %q is written %q", b.Action, b.Keys, m.Keys(b.Action))
			}
		}
	}
}

// TestKeysAreNamedAsTheTerminalNamesThem presses keys as the library reports
// them.
func TestKeysAreNamedAsTheTerminalNamesThem(t *testing.T) {
	m := Default()
	for _, tt := range []struct {
		key  tea.KeyPressMsg
		want Action
	}{
		{tea.KeyPressMsg{Code: tea.KeyEnter}, Send},
		{tea.KeyPressMsg{Code: tea.KeyEnter, Mod: tea.ModShift}, Newline},
		{tea.KeyPressMsg{Code: tea.KeyEnter, Mod: tea.ModAlt}, FollowUp},
		{tea.KeyPressMsg{Code: 'j', Mod: tea.ModCtrl}, Newline},
		{tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}, CycleMode},
		{tea.KeyPressMsg{Code: tea.KeyEscape}, Interrupt},
		{tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, ToggleBlock},
		{tea.KeyPressMsg{Code: '?', Text: "?"}, Help},
		{tea.KeyPressMsg{Code: 'g', ShiftedCode: 'G', Mod: tea.ModShift, Text: "G"}, Bottom},
		{tea.KeyPressMsg{Code: 'n', ShiftedCode: 'N', Mod: tea.ModShift, Text: "N"}, SearchPrev},
		{tea.KeyPressMsg{Code: '_', Mod: tea.ModCtrl}, Undo},
		{tea.KeyPressMsg{Code: '/', Mod: tea.ModCtrl}, Undo},
		{tea.KeyPressMsg{Code: '-', Mod: tea.ModCtrl | tea.ModShift}, Undo},
		{tea.KeyPressMsg{Code: 'z', Mod: tea.ModCtrl | tea.ModShift}, Redo},
		{tea.KeyPressMsg{Code: '<', Mod: tea.ModAlt}, TextStart},
		{tea.KeyPressMsg{Code: ',', Mod: tea.ModAlt | tea.ModShift}, TextStart},
		{tea.KeyPressMsg{Code: tea.KeyBackspace, Mod: tea.ModAlt}, DeleteWordBack},
		{tea.KeyPressMsg{Code: tea.KeyPgUp}, PageUp},
		{tea.KeyPressMsg{Code: tea.KeyUp, Mod: tea.ModAlt}, TakeBack},
		{tea.KeyPressMsg{Code: tea.KeyF1}, Help},
		{tea.KeyPressMsg{Code: 'o', Mod: tea.ModCtrl}, ExpandAll},
		{tea.KeyPressMsg{Code: 'd', Mod: tea.ModCtrl}, QuitIfEmpty},
	} {
		if !m.Is(tt.key.String(), tt.want) {
			t.Errorf("%s is %v, want %s", tt.key, m.Actions(tt.key.String()), tt.want)
		}
	}
}

func TestSpellingsOfKeys(t *testing.T) {
	for in, want := range map[string]string{
		"Ctrl+O": "ctrl+o", "control+o": "ctrl+o", "shift+ctrl+a": "ctrl+shift+a", "Alt+Ctrl+Left": "ctrl+alt+left",
		"Escape": "esc", "Return": "enter", "opt+Return": "alt+enter", "Option+x": "alt+x", "cmd+k": "super+k",
		"del": "delete", "PageUp": "pgup", "pgdn": "pgdown", "F12": "f12", "shift+a": "A", "G": "G", "?": "?",
		"ctrl++": "ctrl++", "ctrl+plus": "ctrl++", "+": "+", "esc esc": "esc esc", "Escape  ESC": "esc esc",
		" ": "space", "space": "space", "ctrl+space": "ctrl+space", "é": "é", "日": "日",
	} {
		if got, err := Parse(in); err != nil || got != want {
			t.Errorf("Parse(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
	for in, says := range map[string]string{
		"": "empty", "strg+q": "unknown modifier", "ctrl": "unknown key", "entre": `"enter"`, "f0": "unknown key", "f64": "unknown key",
		"f": "", "ctrl+x ctrl+s": "pressed twice", "shfit+a": `"shift"`, "\x01": "unknown key", "ab": "unknown key", "ctrl+\xff": "unknown key",
	} {
		got, err := Parse(in)
		if says == "" {
			if err != nil {
				t.Errorf("Parse(%q): %v", in, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Parse(%q) = %q, %v; want an error that says %s", in, got, err, says)
		}
	}
}

// FuzzParse checks that what Parse returns is a form that it keeps.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"ctrl+o", "Shift+Ctrl+A", "esc esc", "ctrl++", "+", "é", "shift+ß", "f1", " ", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(once); err != nil || again != once {
			t.Errorf("%q becomes %q and then %q, %v", s, once, again, err)
		}
	})
}

func TestWhatCannotBeBound(t *testing.T) {
	for _, tt := range []struct {
		action Action
		keys   []string
		says   string
	}{
		{"expandal", []string{"f5"}, `"expandAll"`},
		{"xyzzy", []string{"f5"}, "unknown action"},
		{ToggleThinking, []string{"ctrl+o"}, "expandAll"},
		{DialogUp, []string{"enter"}, "dialogAccept"},
		{AllowOnce, []string{"n"}, "refuse"},
		{Undo, []string{"u"}, "text that is typed"},
		{Undo, []string{"space"}, "text that is typed"},
		{Undo, []string{"f5", "nonsense"}, "nonsense"},
		{Send, nil, "at least one key"},
		{Interrupt, nil, "at least one key"},
		{DialogCancel, nil, "at least one key"},
	} {
		m := Default()
		before := m.Keys(tt.action)
		err := m.Bind(tt.action, tt.keys...)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s to %q: %v, want an error that says %s", tt.action, tt.keys, err, tt.says)
		}
		if !slices.Equal(m.Keys(tt.action), before) {
			t.Errorf("%s to %q: an error changed the keys to %q", tt.action, tt.keys, m.Keys(tt.action))
		}
	}
}

func TestWhatCanBeBound(t *testing.T) {
	for _, tt := range []struct {
		action Action
		keys   []string
		want   []string
	}{
		{"EXPANDALL", []string{"F5"}, []string{"f5"}},
		{Undo, []string{"ctrl+q", "Ctrl+Q"}, []string{"ctrl+q"}},
		{Undo, nil, nil},
		{Search, []string{"s"}, []string{"s"}},                // of the transcript: nobody types there
		{ToggleBlock, []string{"ctrl+r"}, []string{"ctrl+r"}}, // another place
		{Newline, []string{"alt+enter"}, []string{"alt+enter"}},
		{DeleteForward, []string{"ctrl+d"}, []string{"ctrl+d"}},
	} {
		m := Default()
		if err := m.Bind(tt.action, tt.keys...); err != nil {
			t.Errorf("%s to %q: %v", tt.action, tt.keys, err)
		}
		i, _ := m.find(tt.action)
		if got := m.entries[i].Keys; !slices.Equal(got, tt.want) {
			t.Errorf("%s to %q: %q, want %q", tt.action, tt.keys, got, tt.want)
		}
	}
}

func TestSettingsSwapKeys(t *testing.T) {
	m := Default()
	errs := m.BindAll(map[string][]string{"expandAll": {"ctrl+t"}, "toggleThinking": {"ctrl+o"}})
	if len(errs) > 0 || m.Key(ExpandAll) != "ctrl+t" || m.Key(ToggleThinking) != "ctrl+o" || m.Is("ctrl+o", ExpandAll) {
		t.Errorf("%v, %q, %q", errs, m.Key(ExpandAll), m.Key(ToggleThinking))
	}
}

// TestOneBadLineInTheSettings leaves the others and its own default.
func TestOneBadLineInTheSettings(t *testing.T) {
	m := Default()
	errs := m.BindAll(map[string][]string{
		"undo": {"nonsense"}, "expandAll": {"f5"}, "bogus": {"f6"}, "send": {}, "pickModel": {"ctrl+o"}, "redo": {"ctrl+l"},
	})
	if len(errs) != 3 {
		t.Errorf("%v", errs)
	}
	for a, want := range map[Action]string{Undo: "ctrl+_", ExpandAll: "f5", Send: "enter", PickModel: "ctrl+o", Redo: "ctrl+l"} {
		if m.Key(a) != want {
			t.Errorf("%s: %q, want %q", a, m.Key(a), want)
		}
	}
}

// TestADefaultThatWasTakenIsNotGivenBack: nobody else's key is taken when an
// action falls back.
func TestADefaultThatWasTakenIsNotGivenBack(t *testing.T) {
	m := Default()
	errs := m.BindAll(map[string][]string{"expandAll": {"ctrl+t"}, "toggleThinking": {"nonsense"}})
	if len(errs) != 1 || m.Key(ExpandAll) != "ctrl+t" || m.Key(ToggleThinking) != "" {
		t.Errorf("%v, %q, %q", errs, m.Key(ExpandAll), m.Key(ToggleThinking))
	}
}

func TestHelpNamesEveryKey(t *testing.T) {
	m := Default()
	_ = m.Bind(Undo)
	help := m.Help()
	for _, g := range m.Groups() {
		if !strings.Contains(help, g.Name+"\n") {
			t.Errorf("no %s", g.Name)
		}
		for _, b := range g.Bindings {
			if !strings.Contains(help, b.Help) || len(b.Keys) > 0 && !strings.Contains(help, "  "+strings.Join(b.Keys, ", ")+" ") {
				t.Errorf("%s is missing", b.Action)
			}
		}
	}
	if !strings.Contains(help, "(none)") {
		t.Error("an action without a key is not marked")
	}
}

// TestWhatIsReturnedIsACopy: nobody changes the map by changing an answer.
func TestWhatIsReturnedIsACopy(t *testing.T) {
	m := Default()
	m.Keys(Send)[0] = "x"
	m.Groups()[0].Bindings[0].Keys[0] = "x"
	if m.Key(Send) != "enter" || !m.Is("enter", Send) {
		t.Errorf("%q", m.Key(Send))
	}
}
