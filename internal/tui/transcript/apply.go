package transcript

import (
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/render"
	"github.com/seed7484d81d/agent/internal/session"
)

// Reset shows another conversation, from the entries of its branch.
func (m *Model) Reset(entries []session.Entry) {
	m.items, m.byCall, m.byRun, m.open = nil, map[string]*item{}, map[string]*item{}, nil
	m.focus, m.follow, m.news = -1, true, false
	for _, e := range entries {
		m.entry(e)
	}
	for _, it := range m.items { // nothing of the past runs
		it.live.Running = false
	}
}

// Apply takes an event.
func (m *Model) Apply(ev session.Event) {
	switch ev := ev.(type) {
	case session.Appended:
		m.entry(ev.Entry)
	case session.Delta:
		m.delta(ev)
	case session.Progress:
		if it := m.running(ev.ID); it != nil {
			it.tail = ev.Tail
			it.changed()
		}
	case session.ToolStarted:
		it := m.tool(ev.Call)
		it.start(ev.Since)
	case session.ToolEnded:
		if it := m.byCall[ev.CallID]; it != nil && it.live.Running {
			it.live.Tail = tailText(it)
			it.stop()
		}
	case session.Notice:
		m.Remark(string(ev.Level), ev.Text)
	case session.TurnEnded:
		m.turnEnded(ev)
	case session.Retrying:
		m.dropOpen()
		m.Remark("warning", retryText(ev))
	default:
		return
	}
	if !m.follow {
		m.news = true
	}
}

func tailText(it *item) string {
	if it.tail != nil {
		return it.tail.String()
	}
	return it.live.Tail
}

func retryText(ev session.Retrying) string {
	return strings.TrimSpace(ev.Error) + " — trying again"
}

// Remark adds a line of the program itself; level is that of render.Remark.
func (m *Model) Remark(level, text string) {
	m.add(&item{kind: kindRemark, level: level, text: text})
}

func (m *Model) running(id string) *item {
	if it := m.byCall[id]; it != nil {
		return it
	}
	return m.byRun[id]
}

func (m *Model) add(it *item) { m.items = append(m.items, it) }

// entry shows what was appended to the session.
func (m *Model) entry(e session.Entry) {
	switch {
	case e.Compaction != nil:
		m.add(&item{kind: kindSummary, text: e.Compaction.Summary})
	case e.Message == nil:
	case e.Message.Role == chat.RoleUser:
		m.add(&item{kind: kindUser, message: *e.Message})
	case e.Message.Role == chat.RoleAssistant:
		m.answer(*e.Message)
	case e.Message.Role == chat.RoleToolResult && e.Message.Result != nil:
		m.result(*e.Message.Result)
	case e.Message.Role == chat.RoleBashExecution && e.Message.Run != nil:
		m.bang(*e.Message.Run, e)
	}
}

// delta shows more of the answer that comes in.
func (m *Model) delta(d session.Delta) {
	switch d.Kind {
	case session.DeltaRestart:
		m.dropOpen()
	case session.DeltaText:
		it := m.last(kindAnswer)
		it.stream.Append(d.Text)
		it.changed()
	case session.DeltaThinking:
		it := m.last(kindThinking)
		it.text += d.Text
		it.changed()
	case session.DeltaArgs:
		it := m.byCall[d.CallID]
		if it == nil {
			it = &item{kind: kindTool, call: chat.ToolCall{ID: d.CallID, Name: d.Name}}
			m.byCall[d.CallID] = it
			m.begin(it)
		}
		it.live.Args += d.Text
		it.changed()
	}
}

// begin adds an item of the answer that comes in.
func (m *Model) begin(it *item) {
	it.open = true
	m.open = append(m.open, it)
	m.add(it)
}

// last is the item that more of the answer goes to.
func (m *Model) last(k kind) *item {
	if n := len(m.open); n > 0 && m.open[n-1].kind == k {
		return m.open[n-1]
	}
	it := &item{kind: k}
	m.begin(it)
	return it
}

// dropOpen forgets the answer that came in: it begins again.
func (m *Model) dropOpen() {
	for _, it := range m.open {
		delete(m.byCall, it.call.ID)
		m.remove(it)
	}
	m.open = nil
}

func (m *Model) remove(it *item) {
	if i := slices.Index(m.items, it); i >= 0 {
		m.items = slices.Delete(m.items, i, i+1)
		if m.top.item > i {
			m.top.item--
		}
		if m.focus >= i {
			m.focus = max(-1, m.focus-1)
		}
	}
}

// answer puts the whole answer in the place of what came in of it. Items stay
// the same ones where they can, and with them how they are shown.
func (m *Model) answer(msg chat.Message) {
	open := m.open
	m.open = nil
	at := len(m.items)
	if len(open) > 0 {
		at = slices.Index(m.items, open[0])
	}
	take := func(k kind) *item {
		for i, it := range open {
			if it.kind == k {
				open = slices.Delete(slices.Clone(open), i, i+1)
				m.remove(it)
				return it
			}
		}
		return &item{kind: k}
	}
	var whole []*item
	for _, p := range msg.Parts {
		switch {
		case p.Kind == chat.PartText && strings.TrimSpace(p.Text) != "":
			it := take(kindAnswer)
			it.open = false
			it.stream.Set(p.Text)
			whole = append(whole, it)
		case p.Kind == chat.PartThinking && strings.TrimSpace(p.Text) != "":
			it := take(kindThinking)
			it.open, it.text = false, p.Text
			whole = append(whole, it)
		case p.Kind == chat.PartToolCall && p.Call != nil:
			it := m.byCall[p.Call.ID]
			if it != nil {
				open = slices.DeleteFunc(slices.Clone(open), func(o *item) bool { return o == it })
				m.remove(it)
			} else {
				it = &item{kind: kindTool}
			}
			it.open, it.call = false, *p.Call
			m.byCall[p.Call.ID] = it
			whole = append(whole, it)
		}
	}
	for _, it := range open { // what came in and is not in the answer
		delete(m.byCall, it.call.ID)
		m.remove(it)
	}
	for _, it := range whole {
		it.changed()
	}
	at = max(0, min(at, len(m.items)))
	m.items = slices.Insert(m.items, at, whole...)
	m.ended(msg, at+len(whole))
}

// ended says why an answer is not whole.
func (m *Model) ended(msg chat.Message, at int) {
	if msg.Answer == nil {
		return
	}
	level, text := "warning", ""
	switch msg.Answer.Stop {
	case chat.StopLength:
		text = "The answer ran into the output limit and is cut."
	case chat.StopRefusal:
		text = "The model declined to go on."
	case chat.StopError:
		level, text = "error", msg.Answer.Error
	case chat.StopAborted:
		text = "Interrupted."
	default:
		return
	}
	if text != "" {
		m.items = slices.Insert(m.items, at, &item{kind: kindRemark, level: level, text: text})
	}
}

func (m *Model) tool(call chat.ToolCall) *item {
	it := m.byCall[call.ID]
	if it == nil {
		it = &item{kind: kindTool}
		m.byCall[call.ID] = it
		m.add(it)
	}
	it.call = call
	return it
}

func (m *Model) result(r chat.ToolResult) {
	it := m.byCall[r.CallID]
	if it == nil {
		it = m.tool(chat.ToolCall{ID: r.CallID, Name: r.Name})
	}
	it.result = &r
	it.live = render.Live{}
	it.stop()
}

func (m *Model) bang(run chat.BashRun, e session.Entry) {
	it := m.byRun[run.ID]
	if it == nil {
		it = &item{kind: kindBang}
		m.byRun[run.ID] = it
		m.add(it)
	}
	it.run = run
	if run.Outcome == chat.Running {
		it.start(e.Timestamp)
		return
	}
	it.live = render.Live{}
	it.stop()
}

// turnEnded leaves nothing open, and says what went wrong unless the answer
// says so itself.
func (m *Model) turnEnded(ev session.TurnEnded) {
	m.dropOpen()
	if ev.Reason != session.EndError || ev.Error == "" {
		return
	}
	if n := len(m.items); n > 0 && m.items[n-1].kind == kindRemark && m.items[n-1].text == ev.Error {
		return
	}
	m.Remark("error", ev.Error)
}
