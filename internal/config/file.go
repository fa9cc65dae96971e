package config

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/seed7484d81d/agent/internal/nearest"
)

// FileError is a mistake in a settings file, told with its place.
type FileError struct {
	File         string
	Line, Column int // 0 if unknown
	Text         string
}

// Error is one line: file:line:column: what is wrong and what would be right.
func (e *FileError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// A layer is what one source sets: values by path, and what it may not set.
type layer struct {
	origin string
	values map[string]any
}

// A parser reads one file against the schema.
type parser struct {
	file   string
	schema schema
	values map[string]any
}

// parseFile reads a settings file into a layer. Every mistake is an error: a
// setting that is silently ignored looks like one that works.
func parseFile(file string, data []byte, s schema) (layer, error) {
	if blank(data) {
		return layer{origin: file}, nil
	}
	var doc yaml.Node
	if err := yaml.Load(data, &doc); err != nil {
		bad := &FileError{File: file, Text: "not valid YAML: " + err.Error()}
		var le *yaml.LoadError
		if errors.As(err, &le) {
			bad.Line, bad.Column, bad.Text = le.Mark.Line, le.Mark.Column, "not valid YAML: "+le.Message
		}
		return layer{}, bad
	}
	p := parser{file: file, schema: s, values: map[string]any{}}
	if root := content(&doc); root != nil && root.Tag != "!!null" {
		if err := p.mapping(root, ""); err != nil {
			return layer{}, err
		}
	}
	return layer{origin: file, values: p.values}, nil
}

// blank says that a file holds nothing but comments, which YAML does not count
// as a document.
func blank(data []byte) bool {
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

func content(doc *yaml.Node) *yaml.Node {
	if doc.Kind == yaml.DocumentNode {
		if len(doc.Content) == 0 {
			return nil
		}
		return doc.Content[0]
	}
	if doc.Kind == 0 {
		return nil
	}
	return doc
}

func (p *parser) errorf(n *yaml.Node, format string, args ...any) error {
	return &FileError{File: p.file, Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)}
}

func (p *parser) mapping(n *yaml.Node, prefix string) error {
	if n.Kind != yaml.MappingNode {
		where := strings.TrimSuffix(prefix, ".")
		if where == "" {
			where = "the file"
		}
		return p.errorf(n, "%s must hold settings as \"name: value\"", where)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		path := prefix + key.Value
		if low := strings.ToLower(path); seen[low] {
			return p.errorf(key, "%s is set twice", path)
		} else {
			seen[low] = true
		}
		s, known := p.schema.find(path)
		if !known {
			return p.errorf(key, "unknown setting %q%s", path, nearest.Suggest(path, p.schema.names()))
		}
		if err := p.setting(s, value); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) setting(s setting, n *yaml.Node) error {
	if s.group() {
		if n.Tag == "!!null" {
			return nil // "bash:" with all of its settings commented out
		}
		return p.mapping(n, s.path+".")
	}
	v, err := p.value(s, s.typ, n)
	if err != nil {
		return err
	}
	p.values[s.path] = v
	return nil
}

// value turns a node into what mapstructure puts into a field of type t.
func (p *parser) value(s setting, t reflect.Type, n *yaml.Node) (any, error) {
	switch t.Kind() {
	case reflect.Slice:
		return p.list(s, t, n)
	case reflect.Map:
		return p.table(s, t, n)
	case reflect.Struct:
		return p.record(s, t, n)
	default:
	}
	if n.Kind != yaml.ScalarNode {
		return nil, p.errorf(n, "%s must be %s", s.path, wants(s, t))
	}
	v, err := scalar(s, t, n.Value)
	if err != nil {
		return nil, p.errorf(n, "%v", err)
	}
	return v, nil
}

func (p *parser) list(s setting, t reflect.Type, n *yaml.Node) (any, error) {
	if n.Kind == yaml.ScalarNode && n.Tag != "!!null" { // one value stands for a list of one
		n = &yaml.Node{Kind: yaml.SequenceNode, Line: n.Line, Column: n.Column, Content: []*yaml.Node{n}}
	}
	if n.Kind != yaml.SequenceNode {
		return nil, p.errorf(n, "%s must be a list", s.path)
	}
	out := []any{}
	for i, c := range n.Content {
		item := s
		item.path = fmt.Sprintf("%s[%d]", s.path, i)
		v, err := p.value(item, t.Elem(), c)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (p *parser) table(s setting, t reflect.Type, n *yaml.Node) (any, error) {
	if n.Kind != yaml.MappingNode {
		return nil, p.errorf(n, "%s must hold names with values", s.path)
	}
	out := map[string]any{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		item := setting{path: s.path + "." + n.Content[i].Value, typ: t.Elem()}
		v, err := p.value(item, t.Elem(), n.Content[i+1])
		if err != nil {
			return nil, err
		}
		out[n.Content[i].Value] = v
	}
	return out, nil
}

// record reads a struct below a list or an open map, such as one provider.
func (p *parser) record(s setting, t reflect.Type, n *yaml.Node) (any, error) {
	sub := parser{file: p.file, values: map[string]any{}}
	for _, f := range schemaOf(t) {
		f.path = s.path + "." + f.path
		sub.schema = append(sub.schema, f)
	}
	if err := sub.mapping(n, s.path+"."); err != nil {
		return nil, err
	}
	out := map[string]any{}
	for path, v := range sub.values {
		out[strings.TrimPrefix(path, s.path+".")] = v
	}
	return out, nil
}

// scalar checks one value; it serves files, the environment and flags alike.
func scalar(s setting, t reflect.Type, text string) (any, error) {
	bad := func() error { return fmt.Errorf("%s must be %s, not %q", s.path, wants(s, t), text) }
	switch {
	case t == reflect.TypeFor[Size]():
		n, ok := parseSize(text)
		if !ok || s.min != nil && n < *s.min {
			return nil, bad()
		}
		return n, nil
	case t.Kind() == reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return nil, bad()
		}
		return b, nil
	case t.Kind() == reflect.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || s.min != nil && n < *s.min {
			return nil, bad()
		}
		return n, nil
	}
	if len(s.enum) > 0 && !slices.Contains(s.enum, text) {
		return nil, bad()
	}
	return text, nil
}

func wants(s setting, t reflect.Type) string {
	atLeast := ""
	if s.min != nil {
		atLeast = fmt.Sprintf(" of at least %d", *s.min)
	}
	switch {
	case len(s.enum) > 0:
		return "one of " + strings.Join(s.enum, ", ")
	case t == reflect.TypeFor[Size]():
		return "a size such as 50KiB or 1GiB"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Int:
		return "a whole number" + atLeast
	}
	return "a text"
}

// parseSize reads "51200", "50KiB", "50 kb", "1GiB". KB and KiB both mean 1024
// bytes, as with most tools that count memory.
func parseSize(text string) (int64, bool) {
	num := strings.TrimRight(text, "bBiIkKmMgGtT ")
	unit := strings.ToUpper(strings.TrimSpace(text[len(num):]))
	unit = strings.TrimSuffix(strings.TrimSuffix(unit, "B"), "I")
	shift := map[string]uint{"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
	by, ok := shift[unit]
	n, err := strconv.ParseInt(strings.TrimSpace(num), 10, 64)
	if !ok || err != nil || n < 0 || n > math.MaxInt64>>by {
		return 0, false
	}
	return n << by, true
}
