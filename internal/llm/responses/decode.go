package responses

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// decoder reads the events of an answer. Each item of it is a part, which its
// last event says whole.
type decoder struct {
	answer *llm.Answer
	items  map[string]*llm.Block // by item id
	stop   chat.Stop
	usage  chat.Usage
}

type event struct {
	Type     string          `json:"type"`
	Delta    string          `json:"delta"`
	ItemID   string          `json:"item_id"`
	Code     string          `json:"code"`
	Message  string          `json:"message"`
	Error    json.RawMessage `json:"error"`
	Item     json.RawMessage `json:"item"`
	Response *response       `json:"response"`
}

type response struct {
	Status string `json:"status"`
	Error  *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Incomplete *struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Usage *struct {
		Input   int `json:"input_tokens"`
		Output  int `json:"output_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"input_tokens_details"`
		Made struct {
			Reasoning int `json:"reasoning_tokens"`
		} `json:"output_tokens_details"`
	} `json:"usage"`
}

type item struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Content   []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
	Summary []struct {
		Text string `json:"text"`
	} `json:"summary"`
}

// Feed takes one event.
func (d *decoder) Feed(f llm.Frame) (llm.Progress, error) {
	if f.Data == "[DONE]" {
		if d.stop == "" {
			return llm.More, nil // a stream without an end is an error
		}
		return llm.Over, nil
	}
	var e event
	if err := json.Unmarshal([]byte(f.Data), &e); err != nil {
		return llm.More, llm.BadJSON(f.Data, err)
	}
	switch e.Type {
	case "response.output_item.added":
		return llm.More, d.added(e.Item)
	case "response.output_text.delta", "response.refusal.delta", "response.function_call_arguments.delta",
		"response.reasoning_summary_text.delta", "response.reasoning_text.delta":
		if b := d.items[e.ItemID]; b != nil {
			b.Append(e.Delta)
		}
	case "response.reasoning_summary_part.added":
		if b := d.items[e.ItemID]; b != nil && b.Text() != "" {
			b.Append("\n\n")
		}
	case "response.output_item.done":
		return llm.More, d.done(e.Item)
	case "error":
		if len(e.Error) > 0 {
			return llm.More, llm.FromBody(200, []byte(f.Data))
		}
		return llm.More, llm.Classify(&llm.Error{Status: 200, Type: e.Code, Message: e.Message})
	case "response.completed", "response.incomplete", "response.failed", "response.done":
		return d.ended(e.Response)
	default:
		if e.Type == "" && len(e.Error) > 0 && string(e.Error) != "null" {
			return llm.More, llm.FromBody(200, []byte(f.Data))
		}
	}
	return llm.More, nil
}

func (d *decoder) added(raw json.RawMessage) error {
	var it item
	if err := json.Unmarshal(raw, &it); err != nil {
		return llm.BadJSON(string(raw), err)
	}
	d.open(it)
	return nil
}

// open begins the part of an item.
func (d *decoder) open(it item) *llm.Block {
	var b *llm.Block
	switch it.Type {
	case "message":
		b = d.answer.Open(chat.PartText)
	case "reasoning":
		b = d.answer.Open(chat.PartThinking)
	case "function_call":
		b = d.answer.OpenCall(it.CallID, it.Name)
	default:
		b = d.answer.Open(chat.PartOpaque)
	}
	d.items[it.ID] = b
	return b
}

// done takes an item as a whole. Reasoning is kept as it came, if there is
// something encrypted in it: without that it cannot go back.
func (d *decoder) done(raw json.RawMessage) error {
	var it item
	if err := json.Unmarshal(raw, &it); err != nil {
		return llm.BadJSON(string(raw), err)
	}
	b := d.items[it.ID]
	if b == nil {
		b = d.open(it)
	}
	switch it.Type {
	case "message":
		var text strings.Builder
		for _, c := range it.Content {
			text.WriteString(c.Text + c.Refusal)
		}
		b.SetText(text.String())
	case "reasoning":
		if bytes.Contains(raw, []byte(`"encrypted_content":"`)) {
			b.Part.Raw = bytes.Clone(raw)
		}
		if len(it.Summary) > 0 {
			text := make([]string, len(it.Summary))
			for i, s := range it.Summary {
				text[i] = s.Text
			}
			b.SetText(strings.Join(text, "\n\n"))
		}
	case "function_call":
		b.SetText(it.Arguments)
	default:
		b.Part.Raw = bytes.Clone(raw)
	}
	return nil
}

func (d *decoder) ended(r *response) (llm.Progress, error) {
	if r == nil {
		r = &response{}
	}
	if u := r.Usage; u != nil {
		d.usage = chat.Usage{Input: max(0, u.Input-u.Details.Cached), Output: u.Output, CacheRead: u.Details.Cached, Reasoning: u.Made.Reasoning}
	}
	switch {
	case r.Error != nil:
		return llm.More, llm.Classify(&llm.Error{Status: 200, Type: r.Error.Code, Message: r.Error.Message})
	case r.Status == "failed":
		return llm.More, llm.Classify(&llm.Error{Status: 200, Type: "server_error", Message: "the answer failed"})
	case r.Incomplete != nil && r.Incomplete.Reason == "content_filter":
		d.stop = chat.StopRefusal
	case r.Incomplete != nil || r.Status == "incomplete":
		d.stop = chat.StopLength
	default:
		d.stop = chat.StopEnd
	}
	return llm.Over, nil
}

// End says why the model stopped.
func (d *decoder) End() (chat.Stop, chat.Usage) { return d.stop, d.usage }
