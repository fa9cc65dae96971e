package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/nearest"
)

// SchemaOf is the JSON Schema of a struct of arguments: names from the json
// tags, descriptions from the jsonschema tags, optional what is omitempty. It
// uses no more of JSON Schema than every model server takes. A type that has
// none is a mistake in the program.
func SchemaOf[T any]() json.RawMessage {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(fmt.Sprintf("tools: no schema for %v: %v", reflect.TypeFor[T](), err))
	}
	simplify(s)
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("tools: no schema for %v: %v", reflect.TypeFor[T](), err))
	}
	return data
}

// SpecOf describes a tool whose arguments are T. The description is made when it
// is first asked for, and then kept.
func SpecOf[T any](name, description string) func() chat.ToolSpec {
	return sync.OnceValue(func() chat.ToolSpec {
		return chat.ToolSpec{Name: name, Description: description, Schema: SchemaOf[T]()}
	})
}

// simplify takes "null" from the types of pointers and lists: leaving an
// argument out is enough.
func simplify(s *jsonschema.Schema) {
	if len(s.Types) > 0 {
		types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		if len(types) == 1 {
			s.Type, s.Types = types[0], nil
		}
	}
	for _, p := range s.Properties {
		simplify(p)
	}
	if s.Items != nil {
		simplify(s.Items)
	}
}

// Decode reads the arguments of a call into a struct. An argument that is
// unknown, missing or of another type is an *Error that names it and says what
// would be right.
func Decode[T any](call chat.ToolCall) (T, error) {
	var args T
	raw := bytes.TrimSpace(call.Args)
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	fields := fieldsOf(reflect.TypeFor[T]())
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return args, Errorf("%s: the arguments have to be one JSON object with %s", call.Name, fields.list())
	}
	for name := range given {
		if _, ok := fields.get(name); !ok {
			hint := nearest.Suggest(name, fields.names())
			if hint == "" {
				hint = "; there are " + fields.list()
			}
			return args, Errorf("%s: unknown argument %q%s", call.Name, name, hint)
		}
	}
	for _, f := range fields {
		if v, ok := given[f.name]; f.required && (!ok || string(v) == "null") {
			return args, Errorf("%s: the argument %q is missing (%s)", call.Name, f.name, f.kind)
		}
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(&args)
	var typed *json.UnmarshalTypeError
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return args, nil
	case errors.As(err, &typed):
		return args, Errorf("%s: the argument %q has to be %s, not %s", call.Name, typed.Field, kindOf(typed.Type), article(typed.Value))
	default:
		return args, Errorf("%s: %v", call.Name, err)
	}
}

type field struct {
	name     string
	kind     string
	required bool
}

type fieldList []field

func fieldsOf(t reflect.Type) fieldList {
	var list fieldList
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		list = append(list, field{name: name, kind: kindOf(f.Type), required: !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero")})
	}
	return list
}

func (l fieldList) get(name string) (field, bool) {
	i := slices.IndexFunc(l, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return l[i], true
}

func (l fieldList) names() []string {
	names := make([]string, len(l))
	for i, f := range l {
		names[i] = f.name
	}
	return names
}

func (l fieldList) list() string { return strings.Join(l.names(), ", ") }

// kindOf names a type as a person does.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return kindOf(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}

func article(value string) string {
	switch {
	case strings.HasPrefix(value, "number "):
		return strings.TrimPrefix(value, "number ")
	case value == "bool":
		return "true or false"
	case value == "array":
		return "a list"
	case value == "object":
		return "an object"
	default:
		return "a " + value
	}
}
