// Package config reads the settings: the embedded defaults, the user's file,
// the project's file, the environment and the flags, in this order, the later
// winning. The result is one plain struct together with where each value comes
// from. It is the only room that knows viper, and nobody below cmd/agent reads
// it: every other room has options of its own.
package config

import "time"

// Config is every setting, filled from the defaults up.
type Config struct {
	Provider  string              `mapstructure:"provider" guarded:"true"`
	Model     string              `mapstructure:"model"`
	Thinking  string              `mapstructure:"thinking" enum:"off,low,medium,high"`
	Providers map[string]Provider `mapstructure:"providers" guarded:"true"`
	// ShellPath is the shell that runs commands; empty lets the executor choose.
	ShellPath       string      `mapstructure:"shellPath" guarded:"true"`
	Bash            Bash        `mapstructure:"bash"`
	Interceptor     Interceptor `mapstructure:"bashInterceptor"`
	Artifacts       Artifacts   `mapstructure:"artifacts"`
	Permission      Permission  `mapstructure:"permission" guarded:"true"`
	Theme           string      `mapstructure:"theme" enum:"auto,dark,light,mono"`
	Keys            KeyMap      `mapstructure:"keys"`
	TrustedProjects []string    `mapstructure:"trustedProjects" guarded:"true"`
}

// Provider is a model server that the settings define.
type Provider struct {
	Type    string          `mapstructure:"type" enum:"anthropic,openai,openai-chat,gemini"`
	BaseURL string          `mapstructure:"baseURL"`
	KeyEnv  string          `mapstructure:"keyEnv"` // name of the variable that holds the key; empty: no key
	Model   string          `mapstructure:"model"`  // default model
	Window  int             `mapstructure:"window"` // tokens, 0 if unknown
	Quirks  map[string]bool `mapstructure:"quirks"`
}

// Bash is how commands run.
type Bash struct {
	Prefix              string   `mapstructure:"prefix" guarded:"true"`
	ShareState          bool     `mapstructure:"shareState" guarded:"true"`
	Timeout             int      `mapstructure:"timeout" min:"1"` // seconds
	VirtualTerminal     string   `mapstructure:"virtualTerminal" enum:"auto,on,off"`
	VirtualTerminalEsc  string   `mapstructure:"virtualTerminalEsc" enum:"auto,kill,forward"`
	InteractivePrograms []string `mapstructure:"interactivePrograms"`
	Output              Output   `mapstructure:"output"`
}

// Output bounds what the model and the screen get of a run.
type Output struct {
	MaxBytes  Size `mapstructure:"maxBytes" min:"1"`
	MaxLines  int  `mapstructure:"maxLines" min:"0"` // 0: no limit
	HeadBytes Size `mapstructure:"headBytes" min:"0"`
}

// Interceptor points the model from shell programs to its tools.
type Interceptor struct {
	Enabled  bool   `mapstructure:"enabled"`
	Patterns []Rule `mapstructure:"patterns"`
}

// Rule is one pattern of the interceptor.
type Rule struct {
	Pattern string `mapstructure:"pattern"`
	Flags   string `mapstructure:"flags"`
	Tool    string `mapstructure:"tool"`
	Message string `mapstructure:"message"`
}

// Artifacts bounds what is kept on disk of long outputs.
type Artifacts struct {
	MaxBytes Size `mapstructure:"maxBytes" min:"0"`
	MaxTotal Size `mapstructure:"maxTotal" min:"0"`
}

// Permission decides which tool calls ask.
type Permission struct {
	Mode  string   `mapstructure:"mode" enum:"ask,edits,all,plan" guarded:"true"`
	Allow []string `mapstructure:"allow" guarded:"true"`
	Deny  []string `mapstructure:"deny" guarded:"true"`
}

// KeyMap holds the keys of each remapped action.
type KeyMap map[string][]string

// Size is a number of bytes. In a file it is a number or a text with a unit:
// 51200, "50KiB", "1GiB", "2MB".
type Size int64

// CommandTimeout is Bash.Timeout as a duration.
func (c *Config) CommandTimeout() time.Duration {
	return time.Duration(c.Bash.Timeout) * time.Second
}
