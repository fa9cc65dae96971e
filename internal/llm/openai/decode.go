package openai

import (
	"encoding/json"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

// decoder reads a stream, or an answer in one piece. Servers differ in how they
// number the calls of an answer, and in what they call its end.
type decoder struct {
	answer   *llm.Answer
	text     *llm.Block
	thinking *llm.Block
	details  []json.RawMessage
	calls    map[int]*call
	last     int // the highest number of a call
	finish   string
	usage    chat.Usage
}

// call is a call that comes in. Its block opens with its name.
type call struct {
	id, name string
	early    string // arguments before the name
	block    *llm.Block
}

type chunk struct {
	Error   json.RawMessage `json:"error"`
	Choices []struct {
		Delta        delta  `json:"delta"`
		Message      delta  `json:"message"` // of an answer in one piece
		FinishReason string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage `json:"usage"`
	XGroq struct {
		Usage *usage `json:"usage"`
	} `json:"x_groq"`
}

type delta struct {
	Content          text              `json:"content"`
	Refusal          string            `json:"refusal"`
	Reasoning        string            `json:"reasoning"`
	ReasoningContent string            `json:"reasoning_content"`
	Details          []json.RawMessage `json:"reasoning_details"`
	ToolCalls        []struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments text   `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// text is a string, or what some servers send in its place: null, a list of
// text parts, or an object in place of arguments.
type text string

// UnmarshalJSON takes any of them.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*t = text(s)
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &parts) == nil {
		for _, p := range parts {
			*t += text(p.Text)
		}
		return nil
	}
	if string(data) != "null" {
		*t = text(data)
	}
	return nil
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Cached     int `json:"prompt_cache_hit_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
		Write  int `json:"cache_write_tokens"`
	} `json:"prompt_tokens_details"`
	Completed struct {
		Reasoning int `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

func (u usage) counts() chat.Usage {
	read := max(u.Cached, u.Details.Cached)
	return chat.Usage{
		Input: max(0, u.Prompt-read-u.Details.Write), Output: u.Completion, CacheRead: read, CacheWrite: u.Details.Write,
		Reasoning: u.Completed.Reasoning,
	}
}

// Feed takes one event.
func (d *decoder) Feed(f llm.Frame) (llm.Progress, error) {
	if f.Data == "[DONE]" {
		if d.finish == "" {
			return llm.More, nil // a stream without an end is an error
		}
		return llm.Over, nil
	}
	var c chunk
	if err := json.Unmarshal([]byte(f.Data), &c); err != nil {
		return llm.More, llm.BadJSON(f.Data, err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return llm.More, llm.FromBody(200, []byte(f.Data))
	}
	for _, u := range []*usage{c.Usage, c.XGroq.Usage} {
		if u != nil {
			d.usage = u.counts()
		}
	}
	for _, choice := range c.Choices {
		d.take(choice.Delta)
		d.take(choice.Message)
		if choice.FinishReason != "" {
			d.finish = choice.FinishReason
		}
	}
	switch {
	case d.finish == "":
		return llm.More, nil
	case f.Bare, c.Usage != nil:
		return llm.Over, nil
	default:
		return llm.Whole, nil
	}
}

func (d *decoder) take(x delta) {
	thought := x.ReasoningContent
	if x.Reasoning != thought { // some send both, alike
		thought += x.Reasoning
	}
	if thought != "" || len(x.Details) > 0 {
		if d.thinking == nil {
			d.thinking = d.answer.Open(chat.PartThinking)
		}
		d.thinking.Append(thought)
		d.details = append(d.details, x.Details...)
	}
	if s := string(x.Content) + x.Refusal; s != "" {
		if d.text == nil {
			d.text = d.answer.Open(chat.PartText)
		}
		d.text.Append(s)
	}
	for _, t := range x.ToolCalls {
		c := d.call(t.Index, t.ID)
		c.add(d.answer, t.ID, t.Function.Name, string(t.Function.Arguments))
	}
}

// call finds the call that a piece belongs to. Some servers leave the number
// out, some give every call the same.
func (d *decoder) call(index *int, id string) *call {
	i := d.last
	switch {
	case index != nil:
		i = *index
	case id != "" && len(d.calls) > 0 && d.calls[d.last].id != id:
		i = d.last + 1
	}
	c := d.calls[i]
	if c != nil && id != "" && c.id != "" && id != c.id {
		i, c = d.last+1, nil
	}
	if c == nil {
		c = &call{}
		d.calls[i] = c
	}
	d.last = max(d.last, i)
	return c
}

func (c *call) add(a *llm.Answer, id, name, args string) {
	if c.id == "" {
		c.id = id
	}
	if c.name == "" {
		c.name = name
	}
	if c.block == nil {
		if c.early += args; c.name == "" {
			return
		}
		c.block, args, c.early = a.OpenCall(c.id, c.name), c.early, ""
	}
	c.block.Append(args)
}

// End says why the model stopped.
func (d *decoder) End() (chat.Stop, chat.Usage) {
	if d.thinking != nil && len(d.details) > 0 {
		d.thinking.Part.Raw, _ = json.Marshal(d.details) // they were JSON
	}
	for _, c := range d.calls {
		if c.block == nil { // arguments of nothing, which is an error
			c.block = d.answer.OpenCall(c.id, "")
			c.block.Append(c.early)
		}
	}
	switch d.finish {
	case "tool_calls", "function_call", "tool_use":
		return chat.StopTool, d.usage
	case "length", "max_tokens":
		return chat.StopLength, d.usage
	case "content_filter", "refusal":
		return chat.StopRefusal, d.usage
	default: // "stop", "eos", "end_turn"
		return chat.StopEnd, d.usage
	}
}
