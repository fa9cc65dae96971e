package agent

import (
	"slices"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/session"
)

// Tokens are counted by the provider and guessed here: four bytes each, and a
// picture like a page of text.
const (
	bytesPerToken  = 4
	tokensPerImage = 1500
)

// measure guesses how many tokens the next request has: what the provider
// counted for the last whole answer and a guess for what came after it. Usage
// that is missing, and usage from before a compaction, count for nothing.
func measure(entries []session.Entry, system string) int {
	after := 0
	for _, e := range slices.Backward(entries) {
		if e.Compaction != nil {
			break
		}
		if e.Message == nil {
			continue
		}
		if a := e.Message.Answer; a != nil && a.Usage.Total() > 0 && a.Stop != chat.StopRefusal {
			return a.Usage.Total() + after
		}
		after += sizeOf(*e.Message)
	}
	total := len(system) / bytesPerToken
	for _, m := range project(entries, llm.Model{Images: true}) {
		total += sizeOf(m)
	}
	return total
}

func sizeOf(m chat.Message) int {
	size := sizeOfParts(m.Parts)
	if m.Result != nil {
		size += sizeOfParts(m.Result.Parts)
	}
	if m.Run != nil && !m.Run.Private && m.Run.Outcome != chat.Running {
		size += (len(m.Run.Command) + len(m.Run.Output)) / bytesPerToken
	}
	return size + 4 // what frames a message
}

func sizeOfParts(parts []chat.Part) int {
	size := 0
	for _, p := range parts {
		size += (len(p.Text) + len(p.Raw) + len(p.Signature)) / bytesPerToken
		if p.Image != nil {
			size += tokensPerImage
		}
		if p.Call != nil {
			size += (len(p.Call.Name) + len(p.Call.Args)) / bytesPerToken
		}
	}
	return size
}
