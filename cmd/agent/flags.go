package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed7484d81d/agent/internal/config"
	"github.com/seed7484d81d/agent/internal/nearest"
)

// options is the command line, parsed and not yet acted on.
type options struct {
	prompt string // what stands after the flags

	print      bool
	mode       string // "text", "json" or "rpc"
	continues  bool
	resume     string // a session's id, or pickSession
	fork       string
	sessionDir string
	noSession  bool
	dir        string
	configFile string
	tools      []string
	noPTY      bool
	listModels bool
	export     string // a session's id
	schema     string // a file
	// settings are the flags that set a value of the configuration.
	settings []config.Flag
}

// modeRPC is the mode in which another program is the face.
const modeRPC = "rpc"

// onScreen says that a person sits in front of it.
func (o options) onScreen() bool { return !o.print && o.mode != modeRPC }

// pickSession is the value of --resume when no id was given.
const pickSession = "?"

// usageError is a mistake on the command line: exit code 2.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// settingFlags are the flags that only set a value of the configuration.
var settingFlags = []struct{ name, path, help string }{ //nolint:gochecknoglobals // a table that is never written
	{"provider", "provider", "who answers: anthropic, openai, openai-chat, gemini, openrouter, ollama, demo …, or a name from your settings"},
	{"model", "model", "the model's id; with --provider demo, a script file"},
	{"thinking", "thinking", "off, low, medium or high"},
	{"permission", "permission.mode", "ask, edits, all or plan"},
}

// addFlags declares the flags of the main command.
func (o *options) addFlags(f *pflag.FlagSet) {
	f.BoolVarP(&o.print, "print", "p", false, "answer once, print the answer and exit; piped input comes before the prompt")
	f.StringVar(&o.mode, "mode", "text", "with --print: text, or json for one event per line; rpc serves another program over stdin and stdout")
	f.BoolVarP(&o.continues, "continue", "c", false, "go on with the last session of this directory")
	f.StringVarP(&o.resume, "resume", "r", "", "go on with the session of this id; without an id, choose one")
	f.Lookup("resume").NoOptDefVal = pickSession
	f.StringVar(&o.fork, "fork", "", "copy the session of this id and go on with the copy")
	f.StringVar(&o.sessionDir, "session-dir", "", "keep sessions in this directory")
	f.BoolVar(&o.noSession, "no-session", false, "keep nothing on disk")
	f.StringVarP(&o.dir, "cwd", "C", "", "work in this directory")
	f.StringVar(&o.configFile, "config", "", "read this file instead of config.yaml")
	f.StringSliceVar(&o.tools, "tools", nil, "only these tools, e.g. read,grep,find,ls")
	f.BoolVar(&o.noPTY, "no-pty", false, "never give a command a terminal")
	f.BoolVar(&o.listModels, "list-models", false, "print the known models and exit")
	f.StringVar(&o.schema, "output-schema", "", "with --print: the answer has to be JSON that fits the JSON Schema in this file")
	f.StringVar(&o.export, "export", "", "write the session of this id as one HTML file, named behind it, and exit")
	for _, s := range settingFlags {
		f.String(s.name, "", s.help)
	}
}

// check finishes the options after parsing.
func (o *options) check(cmd *cobra.Command, args []string) error {
	o.prompt = strings.Join(args, " ")
	for _, s := range settingFlags {
		if f := cmd.Flags().Lookup(s.name); f.Changed {
			o.settings = append(o.settings, config.Flag{Name: "--" + s.name, Path: s.path, Value: f.Value.String()})
		}
	}
	if !slices.Contains([]string{"text", "json", modeRPC}, o.mode) {
		return usagef("--mode must be text, json or rpc, not %q", o.mode)
	}
	if cmd.Flags().Changed("mode") && o.print == (o.mode == modeRPC) {
		if o.print {
			return usagef("--mode rpc does not go together with --print")
		}
		return usagef("--mode %s only works together with --print", o.mode)
	}
	if o.mode == modeRPC && (o.prompt != "" || o.resume == pickSession) {
		return usagef("with --mode rpc prompts come as commands, and --resume needs an id")
	}
	if o.schema != "" && (!o.print || o.mode != "text") {
		return usagef("--output-schema only works together with --print, as text")
	}
	if o.export != "" && len(args) > 1 {
		return usagef("--export takes an id and one file")
	}
	chosen := 0
	for _, given := range []bool{o.continues, o.resume != "", o.fork != "", o.noSession} {
		if given {
			chosen++
		}
	}
	if chosen > 1 {
		return usagef("only one of --continue, --resume, --fork and --no-session can be given")
	}
	if o.print && o.resume == pickSession {
		return usagef("--resume needs an id together with --print")
	}
	return nil
}

// sessionID is what an id given after -r looks like.
var sessionID = regexp.MustCompile(`^[a-z2-7]{4,}$`)

// joinResume lets "-r ID" and "--resume ID" work although the id may be left
// out: an argument that looks like an id belongs to the flag before it.
func joinResume(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		if (args[i] == "-r" || args[i] == "--resume") && i+1 < len(args) && sessionID.MatchString(args[i+1]) {
			out = append(out, "--resume="+args[i+1])
			i++
			continue
		}
		out = append(out, args[i])
	}
	return out
}

// flagError makes the library's complaints our own: one line, with the nearest
// known flag.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usageError{err}
	}
	name := unknown.GetSpecifiedName()
	if len(name) == 1 {
		return usagef("unknown flag -%s; agent --help lists them", name)
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
	if n := nearest.Of(name, known); n != "" {
		return usagef("unknown flag --%s; did you mean --%s?", name, n)
	}
	return usagef("unknown flag --%s; agent --help lists them", name)
}
