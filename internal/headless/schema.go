package headless

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/session"
)

// Schema is a JSON Schema that an answer has to fit. A nil Schema is fitted by
// every answer.
type Schema struct {
	text string
	re   *jsonschema.Resolved
}

// NewSchema reads a JSON Schema.
func NewSchema(text []byte) (*Schema, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("it is no JSON Schema: %w", err)
	}
	re, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("it is no JSON Schema: %w", err)
	}
	return &Schema{strings.TrimSpace(string(text)), re}, nil
}

// demand tells the model what is expected.
func (s *Schema) demand() []chat.Part {
	if s == nil {
		return nil
	}
	return []chat.Part{chat.TextPart("Your last answer has to be one JSON value that fits this JSON Schema, and nothing else:\n\n" + s.text)}
}

// misfit says what keeps a whole answer from fitting; "" if nothing does. What
// ended otherwise has other troubles.
func (s *Schema) misfit(m chat.Message, end session.TurnEnded) string {
	if s == nil || end.Reason != session.EndDone || shortfall(m) != "" {
		return ""
	}
	var v any
	dec := json.NewDecoder(strings.NewReader(s.value(m.Text())))
	err := dec.Decode(&v)
	if err == nil && dec.More() {
		err = fmt.Errorf("there is more behind the JSON value")
	}
	if err == nil {
		err = s.re.Validate(v)
	}
	if err != nil {
		return fmt.Sprintf("the answer does not fit the schema: %v", err)
	}
	return ""
}

// value is the JSON of an answer, without the fence that models like to put
// around it.
func (s *Schema) value(text string) string {
	if s == nil {
		return text
	}
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "```"); ok && strings.HasSuffix(rest, "```") {
		_, rest, _ = strings.Cut(strings.TrimSuffix(rest, "```"), "\n")
		text = strings.TrimSpace(rest)
	}
	return text
}
