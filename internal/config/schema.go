package config

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A setting is one name that a file may hold, read off the Config struct, so
// that the struct is the only place where settings are declared.
type setting struct {
	path    string // "bash.output.maxBytes"
	typ     reflect.Type
	enum    []string
	min     *int64
	guarded bool // not from a project's file unless it is trusted
}

// open says that the names below this setting are the user's own.
func (s setting) open() bool { return s.typ.Kind() == reflect.Map }

// group says that the setting only holds other settings.
func (s setting) group() bool { return s.typ.Kind() == reflect.Struct }

// schema lists the settings of a struct with the groups that hold them. Names
// are compared without case, as viper does.
type schema []setting

func schemaOf(t reflect.Type) schema {
	var all schema
	var walk func(t reflect.Type, prefix string, guarded bool)
	walk = func(t reflect.Type, prefix string, guarded bool) {
		for i := range t.NumField() {
			f := t.Field(i)
			s := setting{
				path:    prefix + f.Tag.Get("mapstructure"),
				typ:     f.Type,
				guarded: guarded || f.Tag.Get("guarded") == "true",
			}
			if e := f.Tag.Get("enum"); e != "" {
				s.enum = strings.Split(e, ",")
			}
			if n, err := strconv.ParseInt(f.Tag.Get("min"), 10, 64); err == nil {
				s.min = &n
			}
			all = append(all, s)
			if s.group() {
				walk(f.Type, s.path+".", s.guarded)
			}
		}
	}
	walk(t, "", false)
	return all
}

func (s schema) find(path string) (setting, bool) {
	i := slices.IndexFunc(s, func(x setting) bool { return strings.EqualFold(x.path, path) })
	if i < 0 {
		return setting{}, false
	}
	return s[i], true
}

// names lists what can be set: leaves and open maps, not groups.
func (s schema) names() []string {
	var names []string
	for _, x := range s {
		if !x.group() {
			names = append(names, x.path)
		}
	}
	return names
}

// envName is the variable that sets a path: AGENT_BASH_VIRTUAL_TERMINAL.
func envName(path string) string {
	var b strings.Builder
	b.WriteString("AGENT_")
	for i, r := range path {
		switch {
		case r == '.':
			b.WriteByte('_')
		case r >= 'A' && r <= 'Z' && i > 0 && path[i-1] >= 'a' && path[i-1] <= 'z':
			b.WriteByte('_')
			b.WriteRune(r)
		default:
			b.WriteString(strings.ToUpper(string(r)))
		}
	}
	return b.String()
}
