package headless_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/headless"
	"github.com/seed7484d81d/agent/internal/session"
)

func TestAnAnswerHasToFitItsSchema(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`
	for _, tt := range []struct {
		answers   []string
		out, errs string
		asked     int
	}{
		{[]string{`{"n":1}`}, "{\"n\":1}\n", "", 1},
		{[]string{"```json\n{\"n\":1}\n```"}, "{\"n\":1}\n", "", 1},
		{[]string{"Here it is: 1", `{"n":2}`}, "{\"n\":2}\n", "", 2},
		{[]string{`{"n":"one"}`, `{"n":2}`}, "{\"n\":2}\n", "", 2},
		{[]string{`{"n":1} and more`, `{}`}, "", "does not fit the schema", 2},
	} {
		s := session.NewMemory("/")
		fits, err := headless.NewSchema([]byte(schema))
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		var prompts []string
		agent := actor(func(p []chat.Part) {
			prompts = append(prompts, chat.Message{Parts: p}.Text())
			add(t, s, answer(chat.StopEnd, chat.TextPart(tt.answers[asked])))
			asked++
			s.Publish(session.TurnEnded{Reason: session.EndDone})
		})
		var out, errs bytes.Buffer
		err = headless.Text(t.Context(), headless.Options{Session: s, Agent: agent, Schema: fits, Out: &out, Err: &errs}, []chat.Part{chat.TextPart("count")})
		if out.String() != tt.out || !strings.Contains(errs.String(), tt.errs) || asked != tt.asked || errors.Is(err, headless.ErrFailed) != (tt.errs != "") {
			t.Errorf("%q: out %q, err %q, %v after %d", tt.answers, out.String(), errs.String(), err, asked)
		}
		if !strings.Contains(prompts[0], schema) || asked == 2 && !strings.Contains(prompts[1], "does not fit") {
			t.Errorf("asked %q", prompts)
		}
	}
	for _, bad := range []string{"{", `{"type":7}`} {
		if _, err := headless.NewSchema([]byte(bad)); err == nil {
			t.Errorf("%s is a schema", bad)
		}
	}
}
