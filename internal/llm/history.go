package llm

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"

	"github.com/seed7484d81d/agent/internal/chat"
)

// Own says whether an assistant message came from the same provider and model
// as the request goes to. Only then may its signatures and its opaque parts go
// back.
func (r Request) Own(provider string, m chat.Message) bool {
	return m.Answer != nil && m.Answer.Provider == provider && m.Answer.Model == r.Model
}

// ResultParts are the text and image parts of a result. There is always one.
func ResultParts(r chat.ToolResult) []chat.Part {
	var parts []chat.Part
	for _, p := range r.Parts {
		if p.Kind == chat.PartText && p.Text != "" || p.Kind == chat.PartImage && p.Image != nil {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		parts = []chat.Part{chat.TextPart("(no output)")}
	}
	return parts
}

var plainID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// PlainID is the id of a call as every wire takes it: 64 letters, digits,
// underscores and dashes at most. An id that is not so is replaced by a digest
// of itself, so that a call and its result still agree.
func PlainID(id string) string {
	if plainID.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:12])
}

// DataURL is an image as part of an address.
func DataURL(i chat.Image) string {
	return "data:" + i.MIME + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
}

// ShortID is an id of nine letters and digits, the same one for the same id.
func ShortID(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:])[:9]
}
