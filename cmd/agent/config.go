package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// configCommand prints the effective settings and where each comes from.
func (p *program) configCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the settings that hold here and where each comes from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return p.printConfig(o)
		},
	}
	cmd.Flags().StringVarP(&o.dir, "cwd", "C", "", "as if started in this directory")
	cmd.Flags().StringVar(&o.configFile, "config", "", "read this file instead of config.yaml")
	return cmd
}

func (p *program) printConfig(o options) error {
	at, err := p.place(o.dir)
	if err != nil {
		return err
	}
	loaded, err := p.settings(o, at, at.dir)
	if err != nil {
		return err
	}
	for _, w := range loaded.Warnings {
		p.warn(w)
	}
	if _, err := fmt.Fprintf(p.out, "# your file: %s\n", filepath.Join(at.dirs.Config, "config.yaml")); err != nil {
		return fmt.Errorf("print the settings: %w", err)
	}
	table := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, s := range loaded.Settings {
		if s.Value == nil {
			s.Value, s.Origin = "(built in)", "default"
		}
		value, err := json.Marshal(s.Value) // which is YAML, on one line
		if err != nil {
			return fmt.Errorf("print %s: %w", s.Path, err)
		}
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\n", s.Path, s.Origin, value) // Flush tells
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the settings: %w", err)
	}
	return nil
}
