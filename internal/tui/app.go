package tui

import (
	"context"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/seed7484d81d/agent/internal/agent"
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/keymap"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/permission"
	"github.com/seed7484d81d/agent/internal/ptyoverlay"
	"github.com/seed7484d81d/agent/internal/session"
	"github.com/seed7484d81d/agent/internal/theme"
	"github.com/seed7484d81d/agent/internal/tui/dialog"
	"github.com/seed7484d81d/agent/internal/tui/editor"
	"github.com/seed7484d81d/agent/internal/tui/pager"
	"github.com/seed7484d81d/agent/internal/tui/transcript"
)

// Agent is what the face asks for things. All methods return at once.
// *agent.Agent is one.
type Agent interface {
	Prompt(parts []chat.Part)
	FollowUp(parts []chat.Part)
	Unqueue()
	Bang(line string, private bool) string
	Interrupt()
	Answer(id string, r chat.Reply)
	SetThinking(e llm.Effort)
	SetMode(m permission.Mode)
	Compact(hint string)
	GoTo(id string)
	State() agent.State
}

// Conversation is a session and the agent that works on it.
type Conversation struct {
	Session *session.Session
	Agent   Agent
}

// Options is what the face is made of. First, Keys and Theme are required; a
// function that is nil takes its command away.
type Options struct {
	First Conversation
	Keys  *keymap.Map
	Theme *theme.Theme
	// AutoTheme changes to a light theme if the terminal says that its
	// background is light.
	AutoTheme bool

	// Open, New and Sessions lead to other conversations. They may take time.
	Open     func(id string) (Conversation, string, error)
	New      func() (Conversation, error)
	Sessions func() ([]session.Summary, error)
	// Models lists who can answer, and what a model still needs ("" if it is
	// ready). SetModel lets one answer in a conversation.
	Models   func() []Model
	SetModel func(c Conversation, provider, id string) error
	// Fork copies a conversation and opens the copy.
	Fork func(c Conversation) (Conversation, error)
	// Tools lists what the model can call, Doctor what the program needs,
	// ContextFiles what goes with every request. Jobs lists what commands left
	// running; StopJob stops it with all that its run left.
	Tools        func() []Fact
	Doctor       func() []Fact
	ContextFiles func() []string
	Jobs         func() []Job
	StopJob      func(Job)
	// Prompts lists the texts that "/NAME" sends.
	Prompts func() []Prompt
	// DropKey forgets a key that StoreKey kept.
	DropKey func(variable string) error
	// Export writes a conversation as a page and says where.
	Export func(s *session.Session, file string) (path string, err error)
	// StoreKey keeps the key of a provider.
	StoreKey func(variable, key string) error
	// Console is where programs come from that need a terminal; nil: there are
	// none. Esc says what that key means to them.
	Console *Console
	Esc     ptyoverlay.EscRule
	// Branch names the branch that a directory is on, "" if it is on none.
	Branch func(dir string) string

	History   editor.History
	Remember  func(text string) // adds to the history
	Completer editor.Completer
	Editor    []string // the person's own editor and its arguments

	Welcome  []string // shown while there is no conversation yet
	Warnings []string // shown first
	Prompt   string   // sent first
	Typed    string   // what was typed before the screen was there
	Pick     bool     // begins with the choice of a session
	// Taking is called right before the terminal is taken, whose state at that
	// moment is what other programs get in between; nil: nothing.
	Taking  func()
	Home    string // written as "~"
	Now     func() time.Time
	In      io.Reader
	Out     io.Writer
	Environ []string
	// Width and Height are the size of the terminal, for the first picture; 0
	// waits until the terminal says.
	Width, Height int
}

// Model is a model that can be chosen.
type Model struct {
	Provider, ID, Name string
	Needs              string // the variable of the key that it lacks
}

// App is the face. It is a tea.Model.
type App struct {
	ctx  context.Context //nolint:containedctx // Bubble Tea gives its commands none
	o    Options
	talk Conversation
	feed *session.Feed

	w, h       int
	transcript *transcript.Model
	editor     *editor.Model
	box        *box         // a dialog, or nil
	pager      *pager.Model // a whole output, or nil
	terminals  []*terminal  // programs with a terminal of their own, the front last

	state   agent.State
	away    bool      // the person looks at another window
	began   time.Time // of the turn
	dir     string    // of the conversation
	name    string    // of it
	prompts []Prompt
	branch  string
	spin    int
	ticking bool
	hint    string
	hintID  int
	armed   keymap.Action // what the next press of the same key would do
	needle  string        // what was searched for
}

// box is a dialog and what its end means.
type box struct {
	dialogModel
	question string // the ID of the question, if it is one
	done     func(a dialog.Action) tea.Cmd
}

// dialogModel is what every dialog can do.
type dialogModel interface {
	SetSize(width, height int)
	SetTheme(t *theme.Theme)
	Want(width int) int
	HandleKey(k tea.KeyPressMsg) dialog.Action
	HandlePaste(s string)
	HandleWheel(rows int)
	HandleClick(x, y int) dialog.Action
	View() string
	Cursor() (x, y int, ok bool)
}

// New makes the face. It starts nothing.
func New(ctx context.Context, o Options) *App {
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &App{ctx: ctx, o: o}
	a.transcript = transcript.New(transcript.Options{
		Theme: o.Theme, Now: o.Now, ExpandKey: o.Keys.Key(keymap.ExpandAll), CancelKey: o.Keys.Key(keymap.Interrupt),
	})
	a.editor = editor.New(editor.Options{
		Keys: o.Keys, Theme: o.Theme, History: o.History, Completer: withCommands{a, o.Completer}, Placeholder: placeholder,
	})
	a.editor.SetFocus(true)
	a.show(o.First)
	for _, w := range o.Warnings {
		a.transcript.Remark("warning", w)
	}
	return a
}

const placeholder = "Ask, or type ! to run a command, / for commands, ? for keys"

// show makes a conversation the one on the screen.
func (a *App) show(c Conversation) {
	if a.feed != nil {
		a.feed.Close()
	}
	a.closePager()
	a.talk = c
	entries, feed := c.Session.Follow()
	a.feed = feed
	a.transcript.Reset(entries)
	a.identify()
	a.refresh()
}

// identify looks up what a conversation is called and where it is. That reads
// all of it, so it is done when it may have changed.
func (a *App) identify() {
	a.dir, a.name = a.talk.Session.Cwd(), a.talk.Session.Title()
}

// refresh looks at how things stand.
func (a *App) refresh() {
	a.state = a.talk.Agent.State()
	a.editor.SetBusy(a.state.Turn)
}

// Run shows the face until the person quits or ctx ends, and returns the
// conversation that was on the screen last. The error is the cause of ctx, or
// what the terminal says.
func Run(ctx context.Context, o Options) (Conversation, error) {
	a := New(ctx, o)
	a.w, a.h = o.Width, o.Height
	const frames = 40 // a second; more would use the processor while nothing happens
	p := tea.NewProgram(a, tea.WithContext(ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Environ),
		tea.WithWindowSize(o.Width, o.Height), tea.WithFPS(frames), tea.WithoutSignalHandler())
	if o.Taking != nil {
		o.Taking()
	}
	_, err := p.Run()
	a.closePager()
	a.feed.Close()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return a.talk, err
}

// Init begins to listen.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{a.listen(0), a.awaitTerminal(), tea.Tick(afterFirstPicture, func(time.Time) tea.Msg { return settledMsg{} })}
	if a.o.AutoTheme {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if a.o.Pick {
		cmds = append(cmds, a.pickSession())
	}
	if a.o.Prompt != "" {
		a.say(editor.Submit{Text: a.o.Prompt})
	}
	if a.o.Typed != "" {
		cmds = append(cmds, func() tea.Msg { return typedMsg(a.o.Typed) })
	}
	return tea.Batch(cmds...)
}

// settledMsg says that the first picture is there.
type settledMsg struct{}

// afterFirstPicture is when work begins that the first picture does not need.
const afterFirstPicture = 150 * time.Millisecond

// typedMsg is what was typed before the screen was there.
type typedMsg string

// typeIn types a text as if it came by keys.
func (a *App) typeIn(text string) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(text))
	for _, r := range text {
		k := tea.KeyPressMsg{Code: r, Text: string(r)}
		switch r {
		case '\n', '\r':
			k = tea.KeyPressMsg{Code: tea.KeyEnter}
		case 0x7f:
			k = tea.KeyPressMsg{Code: tea.KeyBackspace}
		case '\t':
			k = tea.KeyPressMsg{Code: tea.KeyTab}
		default:
			if r < ' ' {
				continue
			}
		}
		cmds = append(cmds, a.key(k))
	}
	return tea.Sequence(cmds...)
}

// frame is the least time between two looks at the session.
const frame = 33 * time.Millisecond

type eventsMsg struct {
	feed   *session.Feed
	events []session.Event
}

// listen waits for the session to move on, after a pause that lets what comes
// quickly come together.
func (a *App) listen(pause time.Duration) tea.Cmd {
	feed, ctx := a.feed, a.ctx
	return func() tea.Msg {
		if pause > 0 {
			t := time.NewTimer(pause)
			defer t.Stop()
			select {
			case <-t.C:
			case <-ctx.Done():
			}
		}
		events, err := feed.Next(ctx)
		if err != nil {
			return nil // another conversation, or the end
		}
		return eventsMsg{feed, events}
	}
}

type tickMsg struct{}

// tick moves what moves, while something does.
func (a *App) tick() tea.Cmd {
	if a.ticking || !a.moving() {
		return nil
	}
	a.ticking = true
	const pace = 100 * time.Millisecond
	return tea.Tick(pace, func(time.Time) tea.Msg { return tickMsg{} })
}

func (a *App) moving() bool { return a.state.Turn || a.transcript.Live() }

type branchMsg struct{ dir, branch string }

// lookAtBranch finds the branch of the directory.
func (a *App) lookAtBranch() tea.Cmd {
	if a.o.Branch == nil {
		return nil
	}
	dir := a.dir
	return func() tea.Msg { return branchMsg{dir, a.o.Branch(dir)} }
}

type hintMsg struct{ id int }

// tell says something in the status line for a moment.
func (a *App) tell(text string) tea.Cmd {
	a.hint = text
	a.hintID++
	id := a.hintID
	const shown = 3 * time.Second
	return tea.Tick(shown, func(time.Time) tea.Msg { return hintMsg{id} })
}
