package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// The rules of the format:
//
//   - The roles take turns; all results of a turn stand in one user message,
//     before its text.
//   - A text without a visible character is refused.
//   - Thinking goes back unchanged with its signature, or not at all.

type message struct {
	Role    string `json:"role"`
	Content []obj  `json:"content"`
}

func (f format) messages(r llm.Request) []message {
	var out []message
	for _, m := range r.Messages {
		role, content := "user", []obj(nil)
		switch m.Role {
		case chat.RoleUser:
			content = userParts(m.Parts)
		case chat.RoleToolResult:
			if m.Result != nil {
				content = []obj{toolResult(*m.Result)}
			}
		case chat.RoleAssistant:
			role, content = "assistant", assistantParts(m.Parts, r.Own(f.provider, m))
		default:
		}
		if len(content) == 0 {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Role == role {
			out[n-1].Content = append(out[n-1].Content, content...)
			continue
		}
		out = append(out, message{role, content})
	}
	return out
}

func userParts(parts []chat.Part) []obj {
	var content []obj
	for _, p := range parts {
		switch {
		case p.Kind == chat.PartText && strings.TrimSpace(p.Text) != "":
			content = append(content, obj{"type": "text", "text": p.Text})
		case p.Kind == chat.PartImage && p.Image != nil:
			content = append(content, image(*p.Image))
		}
	}
	return content
}

func image(i chat.Image) obj {
	return obj{"type": "image", "source": obj{"type": "base64", "media_type": i.MIME, "data": i.Data}}
}

func toolResult(r chat.ToolResult) obj {
	content := userParts(llm.ResultParts(r))
	if len(content) == 0 { // nothing but white space
		content = []obj{{"type": "text", "text": "(no visible output)"}}
	}
	o := obj{"type": "tool_result", "tool_use_id": llm.PlainID(r.CallID), "content": content}
	if r.IsError {
		o["is_error"] = true
	}
	return o
}

// assistantParts writes an answer back. Parts that only its own model
// understands are left out for another one.
func assistantParts(parts []chat.Part, own bool) []obj {
	var content []obj
	for _, p := range parts {
		switch p.Kind {
		case chat.PartText:
			if strings.TrimSpace(p.Text) != "" {
				content = append(content, obj{"type": "text", "text": p.Text})
			}
		case chat.PartThinking:
			if o := thinking(p); own && o != nil {
				content = append(content, o)
			}
		case chat.PartToolCall:
			if p.Call != nil {
				content = append(content, obj{"type": "tool_use", "id": llm.PlainID(p.Call.ID), "name": p.Call.Name, "input": p.Call.Args})
			}
		case chat.PartOpaque:
			var o obj
			if own && json.Unmarshal(p.Raw, &o) == nil {
				content = append(content, o)
			}
		default:
		}
	}
	if onlyThinking(content) {
		return nil
	}
	return content
}

// thinking writes a thinking part; without a signature it was cut and is
// worth nothing.
func thinking(p chat.Part) obj {
	switch {
	case p.Signature == "":
		return nil
	case p.Redacted:
		return obj{"type": "redacted_thinking", "data": p.Signature}
	default:
		return obj{"type": "thinking", "thinking": p.Text, "signature": p.Signature}
	}
}

func isThinking(o obj) bool {
	return o["type"] == "thinking" || o["type"] == "redacted_thinking"
}

// onlyThinking says that an answer was interrupted before it said anything.
func onlyThinking(content []obj) bool {
	for _, o := range content {
		if !isThinking(o) {
			return false
		}
	}
	return true
}

// midTurnWithoutThinking says that the calls of the running turn came without
// thinking, as they do when the model or the effort changed in its middle.
func (f format) midTurnWithoutThinking(r llm.Request) bool {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		m := r.Messages[i]
		switch m.Role {
		case chat.RoleUser:
			return false
		case chat.RoleAssistant:
			content := assistantParts(m.Parts, r.Own(f.provider, m))
			if len(m.Calls()) > 0 && (len(content) == 0 || !isThinking(content[0])) {
				return true
			}
		default:
		}
	}
	return false
}

func ephemeral() obj { return obj{"type": "ephemeral"} }

// mark sets the cache points of the messages: the end of this request, and the
// end of the one before it, which a long step can leave too far behind for the
// server to find by itself.
func mark(messages []message) {
	left := 2
	for i := len(messages) - 1; i >= 0 && left > 0; i-- {
		if messages[i].Role != "user" && i != len(messages)-1 {
			continue
		}
		content := messages[i].Content
		for j := len(content) - 1; j >= 0; j-- {
			if !isThinking(content[j]) {
				content[j]["cache_control"] = ephemeral()
				left--
				break
			}
		}
	}
}

func tools(r llm.Request) []obj {
	list := make([]obj, len(r.Tools))
	for i, t := range r.Tools {
		list[i] = obj{"name": t.Name, "description": t.Description, "input_schema": t.Schema}
	}
	list[len(list)-1]["cache_control"] = ephemeral()
	return list
}
