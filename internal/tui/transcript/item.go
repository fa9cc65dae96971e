package transcript

import (
	"fmt"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/render"
	"github.com/seed7484d81d/agent/internal/theme"
)

type kind int

const (
	kindUser kind = iota
	kindAnswer
	kindThinking
	kindTool
	kindBang
	kindRemark
	kindSummary
)

// item is one block of the conversation.
type item struct {
	kind    kind
	version int // grows with every change

	message chat.Message // kindUser
	stream  render.Stream
	open    bool // the answer is still coming in

	call   chat.ToolCall // kindTool
	result *chat.ToolResult
	run    chat.BashRun // kindBang
	live   render.Live
	tail   fmt.Stringer // output of what runs
	text   string       // kindThinking, kindRemark, kindSummary
	level  string       // kindRemark

	turned bool // shown the other way than all are

	drawn  []string
	drawnV version
}

// version is what a drawing depends on.
type version struct {
	item     int
	width    int
	expanded bool
	focused  bool
	theme    *theme.Theme
}

func (it *item) changed() { it.version++ }

// moves says that the item changes by itself: a spinner, a clock.
func (it *item) moves() bool { return it.live.Running }

// foldable says that the item has two ways to be shown.
func (it *item) foldable() bool {
	return it.kind == kindTool || it.kind == kindBang || it.kind == kindThinking || it.kind == kindSummary
}

// draw makes the lines of the item, or returns those it has.
func (it *item) draw(o render.Options) []string {
	v := version{it.version, o.Width, o.Expanded, o.Focused, o.Theme}
	if it.drawn != nil && v == it.drawnV {
		return it.drawn
	}
	if it.tail != nil && it.live.Running {
		it.live.Tail = it.tail.String()
		if counter, ok := it.tail.(interface{ Lines() int64 }); ok {
			it.live.Lines = counter.Lines()
		}
	}
	lines := it.render(o)
	if o.Focused && len(lines) > 0 {
		lines = append([]string{focusLine(lines[0], o)}, lines[1:]...)
	}
	if lines == nil {
		lines = []string{}
	}
	it.drawn, it.drawnV = lines, v
	return lines
}

func (it *item) render(o render.Options) []string {
	switch it.kind {
	case kindUser:
		return render.User(it.message, o)
	case kindAnswer:
		if it.open {
			return it.stream.Lines(o)
		}
		return render.Markdown(it.stream.Text(), o)
	case kindThinking:
		return render.Thinking(it.text, o)
	case kindTool:
		return render.Tool(it.call, it.result, it.live, o)
	case kindBang:
		return render.BashRun(it.run, it.live, o)
	case kindSummary:
		return summary(it.text, o)
	default:
		return render.Remark(it.level, it.text, o)
	}
}

// summary draws what a compaction left of the conversation before it.
func summary(text string, o render.Options) []string {
	lines := render.Remark("info", "The conversation above was summarised to make room for more.", o)
	if o.Expanded {
		lines = append(append(lines, ""), render.Markdown(text, o)...)
	}
	return lines
}

// start begins the clock of a run.
func (it *item) start(since time.Time) {
	it.live.Running, it.live.Since = true, since
	it.changed()
}

// stop ends the run.
func (it *item) stop() {
	it.live.Running, it.tail = false, nil
	it.changed()
}
