package llm

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// overflow matches the sentences with which providers refuse a conversation
// that is too long; hardly one of them has a type for it.
var overflow = regexp.MustCompile(`(?i)prompt is too long|input is too long for requested model|exceeds the context window|` +
	`input token count.*exceeds the maximum|maximum prompt length is \d+|reduce the length of the messages|` +
	`maximum context length is \d+ tokens|exceeds the limit of \d+|exceeds the available context size|` +
	`greater than the context length|context window exceeds limit|exceeded model token limit|` +
	`too large for model with \d+ maximum|context[_ ]length[_ ]exceeded|token limit reached|request_too_large`)

var noCredit = regexp.MustCompile(`(?i)credit balance is too low|insufficient (credits|balance|funds)|billing (hard )?limit|requires more credits`)

// Classify fills the flags of an error from its status, type and message.
func Classify(e *Error) *Error {
	t := strings.ToLower(e.Type)
	e.Message = clean(e.Message)
	e.Overflow = e.Status == http.StatusRequestEntityTooLarge || overflow.MatchString(e.Message) || overflow.MatchString(t) ||
		t == "exceed_context_size_error"
	e.Quota = e.Status == http.StatusPaymentRequired || t == "insufficient_quota" || t == "billing_error" ||
		noCredit.MatchString(e.Message) ||
		// Gemini says the same of a limit for a minute, with a time to wait.
		strings.Contains(e.Message, "exceeded your current quota") && e.RetryAfter == 0
	e.Auth = !e.Quota && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden ||
		t == "authentication_error" || t == "permission_error" || t == "invalid_api_key" ||
		strings.Contains(e.Message, "API key not valid"))
	e.Transient = !e.Overflow && !e.Quota && !e.Auth && (transientType(t) || transientStatus(e.Status))
	return e
}

func transientStatus(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return false
	default:
		return status >= http.StatusInternalServerError
	}
}

func transientType(t string) bool {
	switch t {
	case "overloaded_error", "api_error", "server_error", "rate_limit_error", "rate_limit_exceeded", "internal_error",
		"internal_server_error", "timeout_error", "unavailable", "internal", "resource_exhausted", "deadline_exceeded":
		return true
	default:
		return false
	}
}

// retryAfter reads how long the server wants us to wait, in all the ways in
// which servers say it; 0 means that it did not.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil && s > 0 {
		return time.Duration(s * float64(time.Second))
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now))
	}
	return 0
}

// keyish matches what looks like a key: providers quote the one they refuse.
var keyish = regexp.MustCompile(`\bsk-[\w*-]{6,}|\bAIza[\w-]{10,}|\bgsk_\w{6,}|\bxai-\w{20,}|\bBearer \S+`)

const maxMessage = 400

// clean makes one line of a server's words, without keys or control characters.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
	s = keyish.ReplaceAllString(strings.Join(strings.Fields(s), " "), "[key]")
	if r := []rune(s); len(r) > maxMessage {
		s = string(r[:maxMessage]) + "…"
	}
	return s
}

// without replaces a key that the server repeated.
func without(s, key string) string {
	if len(key) < 4 {
		return s
	}
	return strings.ReplaceAll(s, key, "[key]")
}
