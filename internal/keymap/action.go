package keymap

// Action names something that a key can do. The name is also what a person
// writes in the settings: "keys: {expandAll: [ctrl+o]}".
type Action string

// The actions on the prompt as a whole.
const (
	Send           Action = "send"
	Newline        Action = "newline"
	FollowUp       Action = "followUp"
	TakeBack       Action = "takeBack"
	Complete       Action = "complete"
	HistoryPrev    Action = "historyPrev"
	HistoryNext    Action = "historyNext"
	HistorySearch  Action = "historySearch"
	ExternalEditor Action = "externalEditor"
)

// The actions that move in the prompt and change it.
const (
	Left              Action = "left"
	Right             Action = "right"
	Up                Action = "up"
	Down              Action = "down"
	WordLeft          Action = "wordLeft"
	WordRight         Action = "wordRight"
	LineStart         Action = "lineStart"
	LineEnd           Action = "lineEnd"
	TextStart         Action = "textStart"
	TextEnd           Action = "textEnd"
	DeleteBack        Action = "deleteBack"
	DeleteForward     Action = "deleteForward"
	DeleteWordBack    Action = "deleteWordBack"
	DeleteWordForward Action = "deleteWordForward"
	KillToStart       Action = "killToStart"
	KillToEnd         Action = "killToEnd"
	Yank              Action = "yank"
	YankPop           Action = "yankPop"
	Undo              Action = "undo"
	Redo              Action = "redo"
)

// The actions that work wherever the focus is.
const (
	Interrupt      Action = "interrupt"
	Rewind         Action = "rewind"
	ClearOrQuit    Action = "clearOrQuit"
	QuitIfEmpty    Action = "quitIfEmpty"
	Suspend        Action = "suspend"
	ExpandAll      Action = "expandAll"
	ToggleThinking Action = "toggleThinking"
	PickModel      Action = "pickModel"
	CycleMode      Action = "cycleMode"
	Help           Action = "help"
)

// The actions that move the view of the transcript, and the focus into it.
const (
	ScrollUp   Action = "scrollUp"
	ScrollDown Action = "scrollDown"
	PageUp     Action = "pageUp"
	PageDown   Action = "pageDown"
	Top        Action = "top"
	Bottom     Action = "bottom"
	FocusPrev  Action = "focusPrev"
	FocusNext  Action = "focusNext"
)

// The actions of the transcript while it has the focus.
const (
	ToggleBlock Action = "toggleBlock"
	CopyBlock   Action = "copyBlock"
	PrevPrompt  Action = "prevPrompt"
	NextPrompt  Action = "nextPrompt"
	Search      Action = "search"
	SearchNext  Action = "searchNext"
	SearchPrev  Action = "searchPrev"
	Leave       Action = "leave"
)

// The actions of dialogs and lists that lie over the conversation.
const (
	DialogUp     Action = "dialogUp"
	DialogDown   Action = "dialogDown"
	DialogAccept Action = "dialogAccept"
	DialogCancel Action = "dialogCancel"
)

// The answers to a permission question.
const (
	AllowOnce    Action = "allowOnce"
	AllowSession Action = "allowSession"
	AllowAlways  Action = "allowAlways"
	Refuse       Action = "refuse"
)
