package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed7484d81d/agent/internal/config"
)

// program is the outside world of one run.
type program struct {
	in, out *os.File
	err     io.Writer
	environ []string
}

// command declares the command line.
func (p *program) command() *cobra.Command {
	var o options
	root := &cobra.Command{
		Use:   "agent [flags] [prompt…]",
		Short: "A coding agent for the terminal",
		Long: "agent opens a screen to work with a model on the files here. A prompt on the\n" +
			"command line is sent first. With --print it answers once and exits.",
		Example: "  agent                        open the screen\n" +
			"  agent \"why does make fail?\"   … and ask at once\n" +
			"  agent -c                     go on with the last session of this directory\n" +
			"  git diff | agent -p \"write a commit message\"",
		Version:           version,
		Args:              cobra.ArbitraryArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		DisableAutoGenTag: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd, args); err != nil {
				return err
			}
			return p.start(cmd.Context(), o)
		},
	}
	root.SetOut(p.out)
	root.SetErr(p.err)
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("agent {{.Version}}\n")
	root.Flags().SortFlags = false
	o.addFlags(root.Flags())
	root.AddCommand(p.configCommand(), p.doctorCommand())
	root.CompletionOptions.HiddenDefaultCmd = false
	return root
}

// getenv reads the environment that the program was started with.
func (p *program) getenv(name string) string {
	value := ""
	for _, e := range p.environ {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}

// place is where a run of the program works and keeps its files.
type place struct {
	dir  string // absolute, as the person names it: symlinks stay
	home string
	dirs config.Dirs
}

// place finds the directories. dir is what the person asked for; "" is where
// the program was started.
func (p *program) place(dir string) (place, error) {
	home := p.getenv("HOME")
	if home == "" {
		u, err := user.Current()
		if err != nil {
			return place{}, usagef("no home directory: set HOME (%w)", err)
		}
		home = u.HomeDir
	}
	here, err := p.workingDir()
	if err != nil {
		if !filepath.IsAbs(dir) {
			return place{}, usagef("the directory that the program was started in is gone: go to another one, or name one with --cwd")
		}
		here = "/"
	}
	if dir != "" {
		if here, err = resolveDir(here, dir, home); err != nil {
			return place{}, err
		}
	}
	return place{dir: here, home: home, dirs: config.FindDirs(p.getenv, home)}, nil
}

// workingDir prefers $PWD, which keeps the symlinks that the person went
// through, if it is the directory that we are in.
func (p *program) workingDir() (string, error) {
	real, err := os.Getwd()
	if err != nil {
		return "", err
	}
	named := p.getenv("PWD")
	a, errA := os.Stat(named)
	b, errB := os.Stat(real)
	if filepath.IsAbs(named) && errA == nil && errB == nil && os.SameFile(a, b) {
		return filepath.Clean(named), nil
	}
	return real, nil
}

// resolveDir makes a directory that the person named absolute and checks that
// one can work there.
func resolveDir(here, dir, home string) (string, error) {
	abs := dir
	switch {
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		abs = filepath.Join(home, dir[1:])
	case !filepath.IsAbs(dir):
		abs = filepath.Join(here, dir)
	}
	abs = filepath.Clean(abs)
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", usagef("--cwd: there is no directory %s", abs)
	case err != nil:
		return "", usagef("--cwd: %w", err)
	case !info.IsDir():
		return "", usagef("--cwd: %s is not a directory", abs)
	}
	return abs, nil
}

// settings reads the configuration that holds in a directory.
func (p *program) settings(o options, at place, dir string) (*config.Loaded, error) {
	project := config.ProjectRoot(dir, at.home)
	file := filepath.Join(at.dirs.Config, "config.yaml")
	if o.configFile != "" {
		file = o.configFile
		if _, err := os.Stat(file); err != nil {
			return nil, usagef("--config: %w", err)
		}
	}
	loaded, err := config.Load(config.Options{
		UserFile: file, ProjectFile: filepath.Join(project, ".agent", "config.yaml"),
		Project: project, Environ: p.environ, Flags: o.settings,
	})
	if err != nil {
		return nil, usageError{err}
	}
	return loaded, nil
}

func (p *program) warn(text string) {
	_, _ = fmt.Fprintf(p.err, "agent: %s\n", text)
}
