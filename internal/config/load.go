package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/viper"

	"github.com/seed7484d81d/agent/configs"
)

// Options says where settings come from. The zero value gives the defaults.
type Options struct {
	// UserFile and ProjectFile may be missing.
	UserFile, ProjectFile string
	// Project is the directory whose trust decides what ProjectFile may set.
	Project string
	// Environ is the environment as "NAME=value".
	Environ []string
	// Flags are settings given on the command line.
	Flags []Flag
}

// Flag is a setting given on the command line.
type Flag struct {
	Name  string // "--model", for messages
	Path  string // "model"
	Value string
}

// Loaded is the outcome of Load.
type Loaded struct {
	Config   Config
	Settings []Setting
	// Warnings are single lines for the person, such as settings of a project
	// that were ignored because the project is not trusted.
	Warnings []string
}

// Setting is one effective value and where it comes from.
type Setting struct {
	Path   string
	Value  any
	Origin string // "default", a file, a variable or a flag
}

// Load reads all sources. An error is one line that names the source, the
// place in it and what would be right.
func Load(o Options) (*Loaded, error) {
	s := schemaOf(reflect.TypeFor[Config]())
	defaults, err := parseFile("default.yaml", configs.Default, s)
	if err != nil {
		return nil, err
	}
	defaults.origin = "default"
	user, err := readFile(o.UserFile, s)
	if err != nil {
		return nil, err
	}
	out := &Loaded{}
	project, err := readFile(o.ProjectFile, s)
	if err != nil {
		// A directory that one happens to stand in must not lock the program.
		out.Warnings = append(out.Warnings, err.Error()+" (the project's settings are ignored)")
		project = layer{}
	}
	if !trusted(user, o.Project) {
		out.Warnings = append(out.Warnings, project.withhold(s, o.ProjectFile)...)
	}
	env, err := environment(o.Environ, s)
	if err != nil {
		return nil, err
	}
	flags, err := flagLayers(o.Flags, s)
	if err != nil {
		return nil, err
	}
	layers := append([]layer{defaults, user, project}, append(env, flags...)...)
	if err := merge(layers, &out.Config); err != nil {
		return nil, err
	}
	out.Settings = effective(s, layers)
	return out, nil
}

func readFile(file string, s schema) (layer, error) {
	if file == "" {
		return layer{}, nil
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return layer{}, nil
	}
	if err != nil {
		return layer{}, fmt.Errorf("read settings: %w", err)
	}
	return parseFile(file, data, s)
}

// merge lets viper lay the layers over each other and fill the struct.
func merge(layers []layer, into *Config) error {
	// Names of providers and actions may hold dots, so the usual delimiter is
	// not one.
	v := viper.NewWithOptions(viper.KeyDelimiter("\x00"))
	for _, l := range layers {
		if err := v.MergeConfigMap(nest(l.values)); err != nil {
			return fmt.Errorf("merge settings from %s: %w", l.origin, err)
		}
	}
	if err := v.Unmarshal(into); err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}

// nest turns "bash.prefix" into maps within maps.
func nest(values map[string]any) map[string]any {
	root := map[string]any{}
	for path, v := range values {
		at := root
		names := strings.Split(path, ".")
		for _, n := range names[:len(names)-1] {
			next, ok := at[n].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[n] = next
			}
			at = next
		}
		at[names[len(names)-1]] = v
	}
	return root
}

// effective lists every setting with the last layer that set it.
func effective(s schema, layers []layer) []Setting {
	var all []Setting
	for _, x := range s {
		if x.group() {
			continue
		}
		e := Setting{Path: x.path}
		for _, l := range layers {
			v, ok := l.values[x.path]
			if !ok {
				continue
			}
			e.Value, e.Origin = laid(e.Value, v), l.origin
		}
		all = append(all, e)
	}
	return all
}

// laid puts one value over another: tables join by name, the rest is replaced.
func laid(under, over any) any {
	a, okA := under.(map[string]any)
	b, okB := over.(map[string]any)
	if !okA || !okB {
		return over
	}
	joined := maps.Clone(a)
	maps.Copy(joined, b)
	return joined
}

// trusted says whether the person's own file lists the project.
func trusted(user layer, project string) bool {
	list, _ := user.values["trustedProjects"].([]any)
	return slices.ContainsFunc(list, func(v any) bool { return v == project })
}

// withhold removes what an untrusted project may not set and says so in one
// line.
func (l layer) withhold(s schema, file string) []string {
	var held []string
	for path := range l.values {
		if x, ok := s.find(path); ok && x.guarded {
			held = append(held, path)
			delete(l.values, path)
		}
	}
	if len(held) == 0 {
		return nil
	}
	slices.Sort(held)
	return []string{fmt.Sprintf("%s: ignored %s, because this project is not in trustedProjects of your own config.yaml",
		file, strings.Join(held, ", "))}
}

// environment reads AGENT_… variables, one layer each so that the origin names
// the variable. Variables that are no settings are left alone: other programs
// use the prefix too.
func environment(environ []string, s schema) ([]layer, error) {
	byName := map[string]setting{}
	for _, x := range s {
		if !x.group() && !x.open() {
			byName[envName(x.path)] = x
		}
	}
	var layers []layer
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		x, ok := byName[name]
		if !ok {
			continue
		}
		v, err := fromText(x, value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		layers = append(layers, layer{origin: name, values: map[string]any{x.path: v}})
	}
	return layers, nil
}

func flagLayers(flags []Flag, s schema) ([]layer, error) {
	var layers []layer
	for _, f := range flags {
		x, ok := s.find(f.Path)
		if !ok {
			return nil, fmt.Errorf("%s sets unknown setting %q", f.Name, f.Path)
		}
		v, err := fromText(x, f.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		layers = append(layers, layer{origin: f.Name, values: map[string]any{x.path: v}})
	}
	return layers, nil
}

// fromText reads a value from one string; a list is separated by commas.
func fromText(x setting, text string) (any, error) {
	if x.typ.Kind() != reflect.Slice {
		return scalar(x, x.typ, text)
	}
	if x.typ.Elem().Kind() != reflect.String {
		return nil, fmt.Errorf("%s can only be set in a file", x.path)
	}
	out := []any{}
	for _, item := range strings.Split(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			out = append(out, item)
		}
	}
	return out, nil
}
