package tools

import (
	"fmt"
	"strings"

	"github.com/seed7484d81d/agent/internal/artifact"
	"github.com/seed7484d81d/agent/internal/chat"
)

// ForModel is a result as a model gets it: its parts, and behind them one
// sentence in brackets for each notice. Nothing else writes such sentences, so
// an output that imitates one is only an output.
func ForModel(r chat.ToolResult) []chat.Part {
	if len(r.Notices) == 0 {
		return r.Parts
	}
	sentences := make([]string, len(r.Notices))
	for i, n := range r.Notices {
		sentences[i] = "[" + n.Text + "]"
	}
	note := strings.Join(sentences, "\n")
	parts := make([]chat.Part, 0, len(r.Parts)+1)
	parts = append(parts, r.Parts...)
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].Kind == chat.PartText {
			text := strings.TrimRight(parts[i].Text, "\n")
			if text != "" {
				text += "\n\n"
			}
			parts[i].Text = text + note
			return parts
		}
	}
	return append(parts, chat.TextPart(note))
}

// TruncationNotice is the sentence for an output of which a part is shown.
func TruncationNotice(t chat.Truncation) chat.Notice {
	limit := ""
	if t.TruncatedBy == "bytes" && t.MaxBytes > 0 {
		limit = fmt.Sprintf(" (%s limit)", Size(t.MaxBytes))
	}
	text := fmt.Sprintf("Showing lines %d-%d of %d%s.", t.ShownRange.Start, t.ShownRange.End, t.TotalLines, limit)
	switch {
	case t.ShownRange.Start == t.ShownRange.End && t.TotalLines == 1:
		text = fmt.Sprintf("Showing the last %s of a line of %s%s.", Size(t.OutputBytes), Size(t.TotalBytes), limit)
	case t.OutputLines == 0:
		text = fmt.Sprintf("Showing none of %d lines%s.", t.TotalLines, limit)
	}
	switch {
	case t.ArtifactID > 0 && t.Incomplete:
		text += " Saved in part: " + artifact.Ref(t.ArtifactID)
	case t.ArtifactID > 0:
		text += " Full: " + artifact.Ref(t.ArtifactID)
	}
	return chat.Notice{Kind: "truncated", Text: text}
}

// Size writes a number of bytes as people read it: "512B", "50.0KB", "1.5MB".
func Size(n int64) string {
	const unit = 1024
	if n < unit {
		return fmt.Sprintf("%dB", n)
	}
	value, units := float64(n)/unit, "KMGT"
	i := 0
	for value >= unit && i < len(units)-1 {
		value /= unit
		i++
	}
	return fmt.Sprintf("%.1f%cB", value, units[i])
}
