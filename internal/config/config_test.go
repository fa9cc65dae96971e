package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func load(t *testing.T, o Options) *Loaded {
	t.Helper()
	l, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *Loaded) origin(t *testing.T, path string) string {
	t.Helper()
	for _, s := range l.Settings {
		if s.Path == path {
			return s.Origin
		}
	}
	t.Fatalf("no setting %s", path)
	return ""
}

func TestDefaultsSetEverySetting(t *testing.T) {
	l := load(t, Options{})
	for _, s := range l.Settings {
		if s.Path == "bashInterceptor.patterns" {
			continue // missing means the built-in rules
		}
		if s.Origin != "default" {
			t.Errorf("%s is not in default.yaml", s.Path)
		}
	}
	c := l.Config
	if !c.Bash.ShareState || c.Bash.Timeout != 300 || c.Bash.Output.MaxBytes != 50<<10 || c.Artifacts.MaxBytes != 1<<30 || c.Permission.Mode != "ask" {
		t.Errorf("defaults = %+v", c)
	}
	if len(c.Bash.InteractivePrograms) == 0 || c.Bash.InteractivePrograms[0] != "vim" {
		t.Errorf("interactivePrograms = %q", c.Bash.InteractivePrograms)
	}
}

func TestLaterSourceWins(t *testing.T) {
	l := load(t, Options{
		UserFile:    write(t, "theme: dark\nbash:\n  timeout: 10\n  virtualTerminal: off\nkeys:\n  expandAll: [ctrl+e]\n"),
		ProjectFile: write(t, "bash:\n  timeout: 20\n"),
		Environ:     []string{"AGENT_BASH_VIRTUAL_TERMINAL=on", "AGENT_UNRELATED=1", "AGENT_BASH_INTERACTIVE_PROGRAMS=vim, nano"},
		Flags:       []Flag{{Name: "--model", Path: "model", Value: "m1"}},
	})
	c := l.Config
	if c.Theme != "dark" || c.Bash.Timeout != 20 || c.Bash.VirtualTerminal != "on" || c.Model != "m1" {
		t.Errorf("config = %+v", c)
	}
	if got := c.Bash.InteractivePrograms; !reflect.DeepEqual(got, []string{"vim", "nano"}) {
		t.Errorf("interactivePrograms = %q", got)
	}
	if got := c.Keys["expandall"]; !reflect.DeepEqual(got, []string{"ctrl+e"}) {
		t.Errorf("keys = %v", c.Keys)
	}
	for path, want := range map[string]string{"model": "--model", "bash.virtualTerminal": "AGENT_BASH_VIRTUAL_TERMINAL", "artifacts.maxBytes": "default"} {
		if got := l.origin(t, path); got != want {
			t.Errorf("origin of %s = %q, want %q", path, got, want)
		}
	}
	if got := l.origin(t, "bash.timeout"); !strings.HasSuffix(got, "config.yaml") {
		t.Errorf("origin of bash.timeout = %q", got)
	}
}

func TestProvidersMergeByName(t *testing.T) {
	l := load(t, Options{UserFile: write(t, "providers:\n  my.host:\n    type: openai-chat\n    baseURL: http://127.0.0.1:1/v1\n    window: 4096\n")})
	if p := l.Config.Providers["my.host"]; p.Type != "openai-chat" || p.Window != 4096 {
		t.Errorf("providers = %+v", l.Config.Providers)
	}
}

func TestAUsersRulesReplaceTheDefaults(t *testing.T) {
	l := load(t, Options{UserFile: write(t, "bashInterceptor:\n  patterns: []\n")})
	if n := len(l.Config.Interceptor.Patterns); n != 0 {
		t.Errorf("%d rules, want none", n)
	}
	l = load(t, Options{UserFile: write(t, "bashInterceptor:\n  patterns:\n    - {pattern: '^cat ', tool: read, message: use read}\n")})
	if p := l.Config.Interceptor.Patterns; len(p) != 1 || p[0].Tool != "read" || p[0].Pattern != "^cat " {
		t.Errorf("rules = %+v", p)
	}
}

func TestMistakesNameTheirPlace(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"theme: dark\nmodel: a: b\n", ":2:9: not valid YAML: mapping values are not allowed"},
		{"theme: [a,\n", "not valid YAML"},
		{"bash:\n  virtualTerm: on\n", `:2:3: unknown setting "bash.virtualTerm"; did you mean "bash.virtualTerminal"?`},
		{"zzzzzzzz: 1\n", `:1:1: unknown setting "zzzzzzzz"`},
		{"bash:\n  timeout: soon\n", `:2:12: bash.timeout must be a whole number of at least 1, not "soon"`},
		{"bash:\n  timeout: 0\n", "at least 1"},
		{"bash:\n  shareState: 7x\n", `must be true or false, not "7x"`},
		{"theme: pink\n", `theme must be one of auto, dark, light, mono, not "pink"`},
		{"bash: fast\n", "bash must hold settings"},
		{"- a\n", `the file must hold settings as "name: value"`},
		{"theme: dark\ntheme: light\n", ":2:1: theme is set twice"},
		{"artifacts:\n  maxBytes: 1XB\n", "a size such as 50KiB"},
		{"providers:\n  x:\n    typ: openai\n", `unknown setting "providers.x.typ"; did you mean "providers.x.type"?`},
		{"providers:\n  x:\n    type: chatgpt\n", "one of anthropic, openai, openai-chat, gemini"},
		{"bash:\n  interactivePrograms: {a: b}\n", "bash.interactivePrograms must be a list"},
	} {
		_, err := Load(Options{UserFile: write(t, tt.text)})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want it to contain %q", tt.text, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error has more than one line: %q", tt.text, err)
		}
	}
}

func TestBadVariablesAndFlagsAreNamed(t *testing.T) {
	_, err := Load(Options{Environ: []string{"AGENT_THEME=pink"}})
	if err == nil || !strings.HasPrefix(err.Error(), "AGENT_THEME: theme must be one of") {
		t.Errorf("error = %v", err)
	}
	_, err = Load(Options{Flags: []Flag{{Name: "--thinking", Path: "thinking", Value: "hard"}}})
	if err == nil || !strings.HasPrefix(err.Error(), "--thinking: thinking must be one of off, low, medium, high") {
		t.Errorf("error = %v", err)
	}
}

func TestAnUntrustedProjectCannotRunCodeOrWeakenSafety(t *testing.T) {
	project := write(t, "shellPath: /tmp/evil\ntheme: light\nbash:\n  prefix: evil\n  timeout: 5\n  shareState: false\npermission:\n  mode: all\nproviders:\n  x: {type: openai, baseURL: http://evil}\ntrustedProjects: [/p]\nprovider: x\n")
	l := load(t, Options{ProjectFile: project, Project: "/p"})
	c := l.Config
	if c.ShellPath != "" || c.Bash.Prefix != "" || !c.Bash.ShareState || c.Permission.Mode != "ask" || len(c.Providers) != 0 || c.Provider != "" || len(c.TrustedProjects) != 0 {
		t.Errorf("a guarded setting came through: %+v", c)
	}
	if c.Theme != "light" || c.Bash.Timeout != 5 {
		t.Errorf("a harmless setting was dropped: %+v", c)
	}
	if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0], "bash.prefix, bash.shareState, permission.mode, provider, providers, shellPath, trustedProjects") {
		t.Errorf("warnings = %q", l.Warnings)
	}
	l = load(t, Options{ProjectFile: project, Project: "/p", UserFile: write(t, "trustedProjects: [/p]\n")})
	if l.Config.ShellPath != "/tmp/evil" || len(l.Warnings) != 0 {
		t.Errorf("trusted: %+v %q", l.Config, l.Warnings)
	}
}

func TestABrokenProjectFileDoesNotLockTheProgram(t *testing.T) {
	l := load(t, Options{ProjectFile: write(t, "nonsense: 1\n")})
	if len(l.Warnings) != 1 || !strings.Contains(l.Warnings[0], `unknown setting "nonsense"`) {
		t.Errorf("warnings = %q", l.Warnings)
	}
}

func TestEmptyFilesAreFine(t *testing.T) {
	for _, text := range []string{"", "\n\n", "# only a comment\n", "---\n", "bash:\n"} {
		if _, err := Load(Options{UserFile: write(t, text)}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestUnreadableFileIsAnError(t *testing.T) {
	if _, err := Load(Options{UserFile: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "read settings") {
		t.Errorf("error = %v", err)
	}
}

func TestParseSize(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"51200", 51200, true},
		{"50KiB", 51200, true},
		{"50 kb", 51200, true},
		{"1GiB", 1 << 30, true},
		{"2M", 2 << 20, true},
		{"3TiB", 3 << 40, true},
		{"-1", 0, false},
		{"", 0, false},
		{"KiB", 0, false},
		{"1.5GiB", 0, false},
		{"99999999999TiB", 0, false},
		{"10XB", 0, false},
	} {
		if got, ok := parseSize(tt.in); got != tt.want || ok != tt.ok {
			t.Errorf("parseSize(%q) = %d, %v, want %d, %v", tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func TestEnvName(t *testing.T) {
	for path, want := range map[string]string{
		"theme": "AGENT_THEME", "shellPath": "AGENT_SHELL_PATH", "bash.output.maxBytes": "AGENT_BASH_OUTPUT_MAX_BYTES",
		"bash.virtualTerminalEsc": "AGENT_BASH_VIRTUAL_TERMINAL_ESC",
	} {
		if got := envName(path); got != want {
			t.Errorf("envName(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestFindDirs(t *testing.T) {
	env := map[string]string{"XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "relative", "AGENT_CONFIG_DIR": "/c"}
	got := FindDirs(func(n string) string { return env[n] }, "/home/u")
	want := Dirs{Config: "/c", Data: "/data/agent", State: "/home/u/.local/state/agent"}
	if got != want {
		t.Errorf("FindDirs = %+v, want %+v", got, want)
	}
}

func TestProjectRoot(t *testing.T) {
	home := t.TempDir()
	deep := filepath.Join(home, "p", "a", "b")
	for _, d := range []string{deep, filepath.Join(home, "p", ".git"), filepath.Join(home, ".agent"), filepath.Join(home, "q")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := ProjectRoot(deep, home), filepath.Join(home, "p"); got != want {
		t.Errorf("ProjectRoot = %q, want %q", got, want)
	}
	if q := filepath.Join(home, "q"); ProjectRoot(q, home) != q {
		t.Errorf("a plain directory is its own root, got %q", ProjectRoot(q, home))
	}
}

func FuzzParseFile(f *testing.F) {
	f.Add("bash:\n  timeout: 5\n")
	f.Add("a: [1\n")
	f.Add("providers: {x: {quirks: {a: true}}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := parseFile("f", []byte(text), schemaOf(reflect.TypeFor[Config]()))
		if err != nil && !strings.HasPrefix(err.Error(), "f") {
			t.Errorf("error without the file: %v", err)
		}
	})
}
