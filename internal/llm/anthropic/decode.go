package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/llm"
)

type decoder struct {
	answer *llm.Answer
	blocks map[int]*block
	begun  bool
	stop   string
	usage  usage
}

// A block is a part of the answer, or a block that only the provider
// understands, with the input that streams after it.
type block struct {
	part  *llm.Block
	input strings.Builder
}

type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	Block json.RawMessage `json:"content_block"`
	Delta struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		Thinking    string `json:"thinking"`
		Signature   string `json:"signature"`
		PartialJSON string `json:"partial_json"`
		StopReason  string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
}

// Feed takes one event.
func (d *decoder) Feed(f llm.Frame) (llm.Progress, error) {
	if f.Bare {
		return d.bare(f.Data)
	}
	var e event
	if err := json.Unmarshal([]byte(f.Data), &e); err != nil {
		return llm.More, llm.BadJSON(f.Data, err)
	}
	switch e.Type {
	case "message_start":
		if d.begun { // a proxy asked again behind our back
			d.answer.Restart()
			d.blocks, d.stop = map[int]*block{}, ""
		}
		d.begun = true
		d.usage = e.Message.Usage
	case "content_block_start":
		return llm.More, d.open(e.Index, e.Block)
	case "content_block_delta":
		d.delta(e)
	case "content_block_stop":
		return llm.More, d.endOpaque(e.Index)
	case "message_delta":
		if e.Delta.StopReason != "" {
			d.stop = e.Delta.StopReason
		}
		d.usage.update(e.Usage)
	case "message_stop":
		if d.stop != "" {
			return llm.Over, nil
		}
	case "error":
		return llm.More, llm.FromBody(200, []byte(f.Data))
	}
	return llm.More, nil
}

type content struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	Signature string          `json:"signature"`
	Data      string          `json:"data"`
	Input     json.RawMessage `json:"input"`
}

func (d *decoder) open(index int, raw json.RawMessage) error {
	var c content
	if err := json.Unmarshal(raw, &c); err != nil {
		return llm.BadJSON(string(raw), err)
	}
	d.begun = true // a server may leave message_start out
	b := &block{}
	d.blocks[index] = b
	switch c.Type {
	case "text":
		b.part = d.answer.Open(chat.PartText)
		b.part.Append(c.Text)
	case "thinking":
		b.part = d.answer.Open(chat.PartThinking)
		b.part.Part.Signature = c.Signature
		b.part.Append(c.Thinking)
	case "redacted_thinking":
		b.part = d.answer.Open(chat.PartThinking)
		b.part.Part.Signature, b.part.Part.Redacted = c.Data, true
	case "tool_use":
		b.part = d.answer.OpenCall(c.ID, c.Name)
		if s := string(c.Input); s != "{}" && s != "null" { // whole at once
			b.part.Append(s)
		}
	default:
		b.part = d.answer.Open(chat.PartOpaque)
		b.part.Part.Raw = raw
	}
	return nil
}

func (d *decoder) delta(e event) {
	b := d.blocks[e.Index]
	if b == nil {
		return
	}
	switch e.Delta.Type {
	case "text_delta":
		b.part.Append(e.Delta.Text)
	case "thinking_delta":
		b.part.Append(e.Delta.Thinking)
	case "signature_delta":
		b.part.Part.Signature += e.Delta.Signature
	case "input_json_delta":
		if b.part.Part.Kind == chat.PartToolCall {
			b.part.Append(e.Delta.PartialJSON)
			return
		}
		b.input.WriteString(e.Delta.PartialJSON)
	}
}

// endOpaque puts the streamed input into a block that is replayed as it came.
func (d *decoder) endOpaque(index int) error {
	b := d.blocks[index]
	if b == nil || b.part.Part.Kind != chat.PartOpaque || b.input.Len() == 0 {
		return nil
	}
	input, err := llm.Args(b.input.String())
	if err != nil {
		return err
	}
	var o map[string]json.RawMessage
	if err := json.Unmarshal(b.part.Part.Raw, &o); err != nil {
		return llm.BadJSON(string(b.part.Part.Raw), err)
	}
	o["input"] = input
	b.part.Part.Raw, err = json.Marshal(o)
	return err
}

// bare reads an answer that came as one piece.
func (d *decoder) bare(data string) (llm.Progress, error) {
	var m struct {
		Content    []json.RawMessage `json:"content"`
		StopReason string            `json:"stop_reason"`
		Usage      usage             `json:"usage"`
	}
	if err := json.Unmarshal([]byte(data), &m); err != nil {
		return llm.More, llm.BadJSON(data, err)
	}
	for i, raw := range m.Content {
		if err := d.open(i, raw); err != nil {
			return llm.More, err
		}
	}
	d.stop, d.usage = m.StopReason, m.Usage
	if d.stop == "" {
		return llm.More, nil
	}
	return llm.Over, nil
}

// End says why the model stopped.
func (d *decoder) End() (chat.Stop, chat.Usage) {
	u := d.usage.sum()
	switch d.stop {
	case "tool_use":
		return chat.StopTool, u
	case "max_tokens":
		return chat.StopLength, u
	case "refusal":
		return chat.StopRefusal, u
	case "pause_turn":
		return chat.StopPause, u
	case "model_context_window_exceeded":
		return chat.StopContext, u
	default: // "end_turn", "stop_sequence"
		return chat.StopEnd, u
	}
}

type usage struct {
	Input      int     `json:"input_tokens"`
	Output     int     `json:"output_tokens"`
	CacheRead  int     `json:"cache_read_input_tokens"`
	CacheWrite int     `json:"cache_creation_input_tokens"`
	Iterations []usage `json:"iterations"`
}

// update takes the later counts, which include the earlier ones; a server may
// leave out those that did not change.
func (u *usage) update(later usage) {
	u.Input, u.Output = max(u.Input, later.Input), max(u.Output, later.Output)
	u.CacheRead, u.CacheWrite = max(u.CacheRead, later.CacheRead), max(u.CacheWrite, later.CacheWrite)
	if len(later.Iterations) > 0 {
		u.Iterations = later.Iterations
	}
}

// sum adds up the runs of an answer that took several, as with a compaction on
// the server; the counts outside of them are those of the last run only.
func (u usage) sum() chat.Usage {
	runs := u.Iterations
	if len(runs) == 0 {
		runs = []usage{u}
	}
	var all chat.Usage
	for _, x := range runs {
		all.Input += x.Input
		all.Output += x.Output
		all.CacheRead += x.CacheRead
		all.CacheWrite += x.CacheWrite
	}
	return all
}
