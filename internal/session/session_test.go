package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed7484d81d/agent/internal/chat"
)

func user(text string) Entry {
	m := chat.UserText(text)
	return Entry{Type: TypeMessage, Message: &m}
}

func create(t *testing.T, store *Store, cwd string) *Session {
	t.Helper()
	s, err := store.Create(cwd)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func add(t *testing.T, s *Session, e Entry) Entry {
	t.Helper()
	e, err := s.Append(e)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func shut(t *testing.T, s *Session) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

func reopen(t *testing.T, store *Store, ref string) *Session {
	t.Helper()
	s, err := store.Open(ref)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// texts are the messages of a branch.
func texts(entries []Entry) string {
	var out []string
	for _, e := range entries {
		switch {
		case e.Message == nil:
			out = append(out, string(e.Type))
		case e.Message.Result != nil:
			out = append(out, "result:"+e.Message.Result.CallID)
		case e.Message.Run != nil:
			out = append(out, "run:"+string(e.Message.Run.Outcome))
		default:
			out = append(out, e.Message.Text())
		}
	}
	return strings.Join(out, " ")
}

func TestAnUnusedSessionLeavesNoTrace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sessions")
	s := create(t, OpenStore(dir), "/work")
	shut(t, s)
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory was made")
	}
}

func TestWhatIsAppendedIsThereAgain(t *testing.T) {
	store := OpenStore(t.TempDir())
	s := create(t, store, "/work")
	add(t, s, user("one"))
	data, err := os.ReadFile(s.Path())
	if err != nil || strings.Count(string(data), "\n") != 2 {
		t.Fatalf("not on disk at once: %q %v", data, err)
	}
	code := 3
	add(t, s, Entry{Type: TypeMessage, Message: &chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{
		ID: "r", Command: "false", Output: "out\n", RunInfo: chat.RunInfo{Outcome: chat.Exited, ExitCode: &code}, Private: true,
	}}})
	add(t, s, Entry{Type: TypeModel, Provider: "p", Model: "m"})
	if err := s.Move("/other"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetTitle("a name"); err != nil {
		t.Fatal(err)
	}
	shut(t, s)
	again := reopen(t, store, s.ID()[:6])
	if got := texts(again.Branch()); got != "one run:exited model_change dir_change title" {
		t.Errorf("branch: %s", got)
	}
	run := again.Branch()[1].Message.Run
	if run.Output != "out\n" || *run.ExitCode != 3 || !run.Private || again.Cwd() != "/other" || again.Title() != "a name" || again.Settings().Model != "m" || !again.Saved() {
		t.Errorf("%+v %s %s", run, again.Cwd(), again.Title())
	}
}

func TestOneAgentHasASessionAtATime(t *testing.T) {
	store := OpenStore(t.TempDir())
	s := create(t, store, "/work")
	add(t, s, user("one"))
	if _, err := store.Open(s.ID()); !errors.Is(err, ErrLocked) {
		t.Errorf("the second got %v", err)
	}
	fork, err := store.Fork(s.ID(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = fork.Close() }()
	add(t, fork, user("two"))
	if fork.Parent() != s.ID() || texts(fork.Branch()) != "one two" || texts(s.Branch()) != "one" {
		t.Errorf("fork of %s: %s", fork.Parent(), texts(fork.Branch()))
	}
	shut(t, s)
	reopen(t, store, s.ID())
}

// TestACrashAtAnyByteLosesNothingBeforeIt cuts the file everywhere, as a crash
// or a power cut may, and goes on.
func TestACrashAtAnyByteLosesNothingBeforeIt(t *testing.T) {
	store := OpenStore(t.TempDir())
	s := create(t, store, "/work")
	for i := range 5 {
		add(t, s, user(fmt.Sprintf("m%d é", i)))
	}
	shut(t, s)
	whole, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	head := strings.IndexByte(string(whole), '\n') + 1
	for cut := head; cut <= len(whole); cut += 3 {
		if err := os.WriteFile(s.Path(), whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(string(whole[head:cut]), "\n")
		again, err := store.Open(s.Path())
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		n := len(again.Entries())
		if n != lines && n != lines+1 {
			t.Fatalf("cut at %d: %d entries of %d lines", cut, n, lines)
		}
		add(t, again, user("after"))
		shut(t, again)
		third, err := store.Open(s.Path())
		if err != nil || len(third.Entries()) != n+1 || !strings.HasSuffix(texts(third.Branch()), "after") {
			t.Fatalf("cut at %d, then: %v", cut, err)
		}
		shut(t, third)
	}
}

func TestADamagedFileIsNeverWritten(t *testing.T) {
	store := OpenStore(t.TempDir())
	for name, damage := range map[string]func(lines []string) []string{
		"head":   func(l []string) []string { l[0] = "{broken\n"; return l },
		"parent": func(l []string) []string { return append(l[:1], l[2:]...) },
	} {
		s := create(t, store, "/work")
		for i := range 4 {
			add(t, s, user(fmt.Sprint("m", i)))
		}
		shut(t, s)
		data, _ := os.ReadFile(s.Path())
		bad := strings.Join(damage(strings.SplitAfter(string(data), "\n")), "")
		if err := os.WriteFile(s.Path(), []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		var damaged *DamagedError
		if _, err := store.Open(s.Path()); !errors.As(err, &damaged) || !strings.Contains(err.Error(), s.Path()) {
			t.Errorf("%s: %v", name, err)
		}
		if now, _ := os.ReadFile(s.Path()); string(now) != bad {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestUnknownEntriesSurvive(t *testing.T) {
	store := OpenStore(t.TempDir())
	s := create(t, store, "/work")
	last := add(t, s, user("one"))
	shut(t, s)
	f, err := os.OpenFile(s.Path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf(`{"type":"from_the_future","id":"zzzzzzzz","parentId":%q,"timestamp":"2030-01-01T00:00:00Z","x":{"y":1}}`, last.ID)
	_, _ = f.WriteString(line + "\n")
	_ = f.Close()
	again := reopen(t, store, s.ID())
	add(t, again, user("two"))
	if texts(again.Branch()) != "one from_the_future two" {
		t.Errorf("%s", texts(again.Branch()))
	}
	fork, err := store.Fork(again.ID(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = fork.Close() }()
	if data, _ := os.ReadFile(fork.Path()); !strings.Contains(string(data), `"x":{"y":1}`) {
		t.Errorf("the fork lost it: %s", data)
	}
}

func TestWhatACrashLeftOpenIsClosed(t *testing.T) {
	store := OpenStore(t.TempDir())
	s := create(t, store, "/work")
	call := func(id string) chat.Part {
		return chat.Part{Kind: chat.PartToolCall, Call: &chat.ToolCall{ID: id, Name: "bash", Args: []byte("{}")}}
	}
	add(t, s, Entry{Type: TypeMessage, Message: &chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{call("a"), call("b")}}})
	add(t, s, Entry{Type: TypeMessage, Message: &chat.Message{Role: chat.RoleToolResult, Result: &chat.ToolResult{CallID: "a"}}})
	add(t, s, Entry{Type: TypeMessage, Message: &chat.Message{Role: chat.RoleBashExecution, Run: &chat.BashRun{ID: "r", RunInfo: chat.RunInfo{Outcome: chat.Running}}}})
	shut(t, s)
	again := reopen(t, store, s.ID())
	got := texts(again.Branch())
	if !strings.Contains(got, "result:b") || !strings.HasSuffix(got, "run:interrupted") || strings.Count(got, "result:") != 2 {
		t.Errorf("%s", got)
	}
	add(t, again, user("on"))
	shut(t, again)
	if third := reopen(t, store, s.ID()); texts(third.Branch()) != got+" on" {
		t.Errorf("closed twice: %s", texts(third.Branch()))
	}
}

func TestBranches(t *testing.T) {
	store := OpenStore(t.TempDir())
	s := create(t, store, "/work")
	one := add(t, s, user("one"))
	add(t, s, user("two"))
	if err := s.SetLeaf(one.ID); err != nil {
		t.Fatal(err)
	}
	add(t, s, user("other"))
	if texts(s.Branch()) != "one other" || len(s.Entries()) != 3 {
		t.Errorf("%s of %d", texts(s.Branch()), len(s.Entries()))
	}
	if err := s.SetLeaf("nothing"); err == nil {
		t.Error("an unknown entry is a leaf")
	}
	shut(t, s)
	if again := reopen(t, store, s.ID()); texts(again.Branch()) != "one other" {
		t.Errorf("%s", texts(again.Branch()))
	}
}

func TestFindingSessions(t *testing.T) {
	store := OpenStore(t.TempDir())
	if _, err := store.Latest("/work"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
	a, b, c := create(t, store, "/work"), create(t, store, "/work"), create(t, store, "/other")
	for i, s := range []*Session{a, b, c} {
		add(t, s, user(fmt.Sprintf("session %d", i)))
		when := time.Now().Add(time.Duration(i-5) * time.Minute)
		if err := os.Chtimes(s.Path(), when, when); err != nil {
			t.Fatal(err)
		}
	}
	list, err := store.List("/work")
	if err != nil || len(list) != 2 || list[0].ID != b.ID() || list[0].Title != "session 1" {
		t.Errorf("%+v %v", list, err)
	}
	if all, _ := store.List(""); len(all) != 3 {
		t.Errorf("%d of all", len(all))
	}
	if last, err := store.Latest("/work"); err != nil || last.ID != b.ID() {
		t.Errorf("%+v %v", last, err)
	}
	if _, err := store.Open("zzzz-not-there"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
	var ambiguous *AmbiguousError
	if _, err := store.Open(""); err == nil || errors.As(err, &ambiguous) && len(ambiguous.Found) != 3 {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(a.Path()), "x.jsonl.bak"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, _ := store.List("/work"); len(list) != 2 {
		t.Error("a backup is listed")
	}
}

func TestADiskThatRefusesLosesNothing(t *testing.T) {
	dir := t.TempDir()
	store := OpenStore(filepath.Join(dir, "sessions"))
	s := create(t, store, "/work")
	feed := s.Subscribe()
	add(t, s, user("one"))
	if err := os.RemoveAll(filepath.Join(dir, "sessions")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sessions"), nil, 0o600); err != nil { // a file in its place
		t.Fatal(err)
	}
	add(t, s, user("two"))
	add(t, s, user("three"))
	if s.Saved() || texts(s.Branch()) != "one two three" {
		t.Errorf("saved %v, %s", s.Saved(), texts(s.Branch()))
	}
	if err := os.Remove(filepath.Join(dir, "sessions")); err != nil {
		t.Fatal(err)
	}
	add(t, s, user("four"))
	if !s.Saved() {
		t.Error("it is not saved again")
	}
	events, _ := feed.Next(t.Context())
	var notices []string
	for _, ev := range events {
		if n, ok := ev.(Notice); ok {
			notices = append(notices, string(n.Level))
		}
	}
	if strings.Join(notices, " ") != "error info" {
		t.Errorf("told %v", notices)
	}
	shut(t, s)
	if again := reopen(t, store, s.Path()); texts(again.Branch()) != "one two three four" {
		t.Errorf("%s", texts(again.Branch()))
	}
}

// TestRandomLogsComeBack appends and moves at random and compares with a model.
func TestRandomLogsComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	store := OpenStore(t.TempDir())
	for range 20 {
		s := create(t, store, "/work")
		ids := make([]string, 0, 32)
		model := map[string]string{"": ""} // the texts up to an entry
		leaf := ""
		for i := range 1 + r.IntN(30) {
			if len(ids) > 0 && r.IntN(4) == 0 {
				leaf = ids[r.IntN(len(ids))]
				if err := s.SetLeaf(leaf); err != nil {
					t.Fatal(err)
				}
			}
			e := add(t, s, user(fmt.Sprint(i)))
			model[e.ID] = strings.TrimSpace(model[leaf] + " " + fmt.Sprint(i))
			leaf = e.ID
			ids = append(ids, e.ID)
		}
		shut(t, s)
		again := reopen(t, store, s.ID())
		for _, id := range ids {
			if err := again.SetLeaf(id); err != nil {
				t.Fatal(err)
			}
			if got := texts(again.Branch()); got != model[id] {
				t.Fatalf("%q, want %q", got, model[id])
			}
		}
	}
}

type number int

func (n number) String() string { return fmt.Sprint(int(n)) }

func TestAFeedKeepsTheOrderAndOnlyTheLatestOfWhatMoves(t *testing.T) {
	s := NewMemory("/")
	f := s.Subscribe()
	for i := range 1000 {
		s.Publish(Progress{ID: "a", Tail: number(i)})
		s.Publish(Delta{Kind: DeltaText, Text: "x"})
	}
	s.Publish(Progress{ID: "b", Tail: number(7)})
	s.Publish(Queued{Steer: []string{"1"}})
	s.Publish(Queued{Steer: []string{"1", "2"}})
	s.Publish(TurnEnded{Reason: EndDone})
	events, err := f.Next(t.Context())
	if err != nil || len(events) != 5 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	if p := events[0].(Progress); p.Tail.String() != "999" {
		t.Errorf("progress %s", p.Tail)
	}
	if d := events[1].(Delta); len(d.Text) != 1000 {
		t.Errorf("%d bytes of text", len(d.Text))
	}
	if q := events[3].(Queued); len(q.Steer) != 2 {
		t.Errorf("queued %v", q)
	}
	if _, ok := events[4].(TurnEnded); !ok {
		t.Errorf("%T is last", events[4])
	}
}

func TestAWholeAnswerReplacesItsUnreadPieces(t *testing.T) {
	s := NewMemory("/")
	f := s.Subscribe()
	s.Publish(Delta{Kind: DeltaText, Text: "he"})
	s.Publish(Delta{Kind: DeltaThinking, Text: "hm"})
	s.Publish(Delta{Kind: DeltaText, Text: "llo"})
	if _, err := s.AppendMessage(chat.Message{Role: chat.RoleAssistant, Parts: []chat.Part{chat.TextPart("hello")}}); err != nil {
		t.Fatal(err)
	}
	events, _ := f.Next(t.Context())
	if len(events) != 1 {
		t.Errorf("%v", events)
	}
}

func TestAFeedEnds(t *testing.T) {
	s := NewMemory("/")
	f, g := s.Subscribe(), s.Subscribe()
	s.Publish(TurnStarted{})
	f.Close()
	f.Close()
	if events, err := f.Next(t.Context()); len(events) != 1 || err != nil {
		t.Errorf("what was unread is lost: %v %v", events, err)
	}
	if _, err := f.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	_, _ = g.Next(t.Context())
	if _, err := g.Next(ctx); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	shut(t, s)
	if _, err := g.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
	if _, err := s.Append(user("late")); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}

// TestASlowReaderHoldsNobodyUp floods a feed whose reader draws now and then.
func TestASlowReaderHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewMemory("/")
		f := s.Subscribe()
		begun := time.Now()
		go func() {
			for i := range 100000 {
				s.Publish(Progress{ID: "a", Tail: number(i)})
			}
			s.Publish(TurnEnded{})
		}()
		looks, last := 0, ""
		for done := false; !done; {
			events, err := f.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			looks++
			for _, ev := range events {
				switch ev := ev.(type) {
				case Progress:
					last = ev.Tail.String()
				case TurnEnded:
					done = true
				}
			}
			time.Sleep(16 * time.Millisecond)
		}
		if last != "99999" || looks > 20 || time.Since(begun) > time.Second {
			t.Errorf("%d looks in %v, the last at %s", looks, time.Since(begun), last)
		}
	})
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"type":"session","version":1,"id":"abcdefghijkl","timestamp":"2026-01-01T00:00:00Z","cwd":"/"}` + "\n" + `{"type":"message","id":"aaaaaaaa","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","parts":[{"kind":"text","text":"x"}]}}` + "\n"))
	f.Add([]byte("{}\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "2026_abc.jsonl")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := OpenStore(filepath.Dir(path)).Open(path)
		if err != nil {
			if now, _ := os.ReadFile(path); string(now) != string(data) {
				t.Fatal("a file that does not open was changed")
			}
			return
		}
		n := len(s.Entries())
		if _, err := s.Append(user("more")); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := OpenStore(filepath.Dir(path)).Open(path)
		if err != nil || len(again.Entries()) != n+1 {
			t.Fatalf("%d entries became %v", n, err)
		}
		_ = again.Close()
	})
}
