package render

import (
	"net/url"
	"strings"
)

// safeURL is an address that a line may link to, or "": a web or mail address
// without a control character.
func safeURL(s string) string {
	if strings.IndexFunc(s, isControl) >= 0 || strings.ContainsAny(s, " \t") {
		return ""
	}
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	switch u.Scheme {
	case "http", "https", "mailto":
		return s
	default:
		return ""
	}
}
