package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// FromBody reads the error in the body of an answer, or in one event of a
// stream (then status is 200). Every known shape is understood: an object or a
// string behind "error", a bare "message", a web page, nothing at all.
func FromBody(status int, body []byte) *Error {
	e := &Error{Status: status}
	body = bytes.TrimSpace(body)
	if !e.fromJSON(body) {
		e.Message = plain(body)
	}
	return Classify(e)
}

type errorBody struct {
	Error     json.RawMessage `json:"error"`
	Message   string          `json:"message"`
	Detail    any             `json:"detail"`
	Code      any             `json:"code"`
	Type      string          `json:"type"`
	RequestID string          `json:"request_id"`
}

type errorObject struct {
	Type     string `json:"type"`
	Message  string `json:"message"`
	Status   string `json:"status"`
	Code     any    `json:"code"`
	Metadata struct {
		Raw string `json:"raw"` // where OpenRouter hides the cause
	} `json:"metadata"`
	Details []struct {
		RetryDelay string `json:"retryDelay"` // Gemini
	} `json:"details"`
}

func (e *Error) fromJSON(body []byte) bool {
	var list []json.RawMessage // Gemini wraps its errors in a list when it streams
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var b errorBody
	if json.Unmarshal(body, &b) != nil {
		return false
	}
	e.RequestID, e.Message = b.RequestID, b.Message
	if s, ok := b.Detail.(string); ok {
		e.Message = cmp.Or(e.Message, s)
	}
	if s, ok := b.Code.(string); ok {
		e.Type = s
	}
	var o errorObject
	var s string
	switch {
	case json.Unmarshal(b.Error, &s) == nil:
		e.Message = cmp.Or(s, e.Message)
	case json.Unmarshal(b.Error, &o) == nil:
		e.fromObject(o)
	}
	e.Message = cmp.Or(e.Message, plain(body))
	return true
}

func (e *Error) fromObject(o errorObject) {
	e.Message = cmp.Or(o.Metadata.Raw, o.Message, e.Message)
	e.Type = cmp.Or(o.Type, o.Status, e.Type)
	switch c := o.Code.(type) {
	case string:
		e.Type = cmp.Or(c, e.Type)
	case float64:
		if e.Status == 200 && c >= 400 { // a stream began well and failed later
			e.Status = int(c)
		}
	}
	for _, d := range o.Details {
		if t, err := time.ParseDuration(d.RetryDelay); err == nil {
			e.RetryAfter = t
		}
	}
}

var (
	title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	tags  = regexp.MustCompile(`(?s)<(style|script)[^>]*>.*?</(style|script)>|<[^>]*>`)
)

// plain is the text of a body that is no JSON: the title of a web page, or the
// beginning of what it says.
func plain(b []byte) string {
	s := string(b[:min(len(b), 16<<10)])
	if !strings.HasPrefix(s, "<") {
		return s
	}
	if m := title.FindStringSubmatch(s); m != nil && strings.TrimSpace(m[1]) != "" {
		return m[1]
	}
	return tags.ReplaceAllString(s, " ")
}
