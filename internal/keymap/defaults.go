package keymap

// layer is a set of places that read keys. Two actions with the same key stand
// in each other's way only if one place reads both.
type layer uint8

const (
	prompt     layer = 1 << iota // the editor, and the program behind it
	transcript                   // the transcript while it has the focus
	dialog                       // a list or a text over the conversation
	question                     // a permission question
)

// The headings of the help.
const (
	groupPrompt       = "Prompt"
	groupEditing      = "Editing"
	groupConversation = "Conversation"
	groupScrolling    = "Scrolling"
	groupTranscript   = "Transcript"
	groupDialogs      = "Dialogs"
	groupPermission   = "Permission"
)

type entry struct {
	Binding
	layers layer
}

func bind(group string, l layer, a Action, help string, keys ...string) entry {
	return entry{Binding{Action: a, Keys: keys, Help: help, Group: group}, l}
}

// defaults lists every action once, in the order of the help.
func defaults() []entry {
	return []entry{
		bind(groupPrompt, prompt, Send, "send; while a turn runs, steer it", "enter"),
		bind(groupPrompt, prompt, FollowUp, "while a turn runs: send after it", "alt+enter"),
		bind(groupPrompt, prompt, Newline, `new line (\ and enter works everywhere)`, "shift+enter", "alt+enter", "ctrl+j"),
		bind(groupPrompt, prompt, TakeBack, "take the last queued message back", "alt+up"),
		bind(groupPrompt, prompt, Complete, "complete a file, a command or a program", "tab"),
		bind(groupPrompt, prompt, HistoryPrev, "earlier prompt", "ctrl+p"),
		bind(groupPrompt, prompt, HistoryNext, "later prompt", "ctrl+n"),
		bind(groupPrompt, prompt, HistorySearch, "search earlier prompts", "ctrl+r"),
		bind(groupPrompt, prompt, ExternalEditor, "write in $EDITOR", "ctrl+g"),

		bind(groupEditing, prompt, Left, "left", "left", "ctrl+b"),
		bind(groupEditing, prompt, Right, "right", "right", "ctrl+f"),
		bind(groupEditing, prompt, Up, "up; on the first row, earlier prompt", "up"),
		bind(groupEditing, prompt, Down, "down; on the last row, later prompt", "down"),
		bind(groupEditing, prompt, WordLeft, "word left", "alt+left", "ctrl+left", "alt+b"),
		bind(groupEditing, prompt, WordRight, "word right", "alt+right", "ctrl+right", "alt+f"),
		bind(groupEditing, prompt, LineStart, "start of the line", "home", "ctrl+a"),
		bind(groupEditing, prompt, LineEnd, "end of the line", "end", "ctrl+e"),
		bind(groupEditing, prompt, TextStart, "start of the text", "ctrl+home", "alt+<", "alt+shift+,"),
		bind(groupEditing, prompt, TextEnd, "end of the text", "ctrl+end", "alt+>", "alt+shift+."),
		bind(groupEditing, prompt, DeleteBack, "delete back", "backspace", "shift+backspace", "ctrl+h"),
		bind(groupEditing, prompt, DeleteForward, "delete forward", "delete"),
		bind(groupEditing, prompt, DeleteWordBack, "cut the word before the cursor", "ctrl+w", "alt+backspace", "ctrl+backspace"),
		bind(groupEditing, prompt, DeleteWordForward, "cut the word after the cursor", "alt+d", "alt+delete", "ctrl+delete"),
		bind(groupEditing, prompt, KillToStart, "cut to the start of the line", "ctrl+u"),
		bind(groupEditing, prompt, KillToEnd, "cut to the end of the line", "ctrl+k"),
		bind(groupEditing, prompt, Yank, "put the last cut text back", "ctrl+y"),
		bind(groupEditing, prompt, YankPop, "after that: an earlier cut instead", "alt+y"),
		bind(groupEditing, prompt, Undo, "undo", "ctrl+_", "ctrl+/", "ctrl+shift+_", "ctrl+shift+-"),
		bind(groupEditing, prompt, Redo, "redo", "alt+/", "alt+_", "alt+shift+-", "ctrl+shift+z"),

		bind(groupConversation, prompt, Interrupt, "interrupt what runs, one thing a press", "esc"),
		bind(groupConversation, prompt, Rewind, "with an empty prompt: go back to an earlier one", "esc esc"),
		bind(groupConversation, prompt, ClearOrQuit, "clear the prompt; twice: quit", "ctrl+c"),
		bind(groupConversation, prompt, QuitIfEmpty, "quit if the prompt is empty, else delete forward", "ctrl+d"),
		bind(groupConversation, prompt, Suspend, "suspend", "ctrl+z"),
		bind(groupConversation, prompt, ExpandAll, "expand or collapse all blocks", "ctrl+o"),
		bind(groupConversation, prompt, ToggleThinking, "show or hide thinking", "ctrl+t"),
		bind(groupConversation, prompt, PickModel, "choose the model", "ctrl+l"),
		bind(groupConversation, prompt, CycleMode, "next permission mode", "shift+tab"),
		bind(groupConversation, prompt, Help, "show the keys (with an empty prompt)", "?", "f1"),

		bind(groupScrolling, prompt|transcript, ScrollUp, "scroll up", "ctrl+up"),
		bind(groupScrolling, prompt|transcript, ScrollDown, "scroll down", "ctrl+down"),
		bind(groupScrolling, prompt|transcript|dialog|question, PageUp, "page up", "pgup"),
		bind(groupScrolling, prompt|transcript|dialog|question, PageDown, "page down", "pgdown"),
		bind(groupScrolling, prompt|transcript|dialog, Top, "to the top (with an empty prompt)", "home", "ctrl+home", "g"),
		bind(groupScrolling, prompt|transcript|dialog, Bottom, "to the bottom, and follow (with an empty prompt)", "end", "ctrl+end", "G"),
		bind(groupScrolling, prompt|transcript, FocusPrev, "focus the block above", "shift+up", "up", "k"),
		bind(groupScrolling, prompt|transcript, FocusNext, "focus the block below", "shift+down", "down", "j"),

		bind(groupTranscript, transcript, ToggleBlock, "expand or collapse the block", "enter", "space"),
		bind(groupTranscript, transcript, CopyBlock, "copy the block", "y", "c"),
		bind(groupTranscript, transcript, PrevPrompt, "previous prompt", "["),
		bind(groupTranscript, transcript, NextPrompt, "next prompt", "]"),
		bind(groupTranscript, transcript, Search, "search", "/"),
		bind(groupTranscript, transcript, SearchNext, "next match", "n"),
		bind(groupTranscript, transcript, SearchPrev, "previous match", "N"),
		bind(groupTranscript, transcript, Leave, "back to the prompt", "esc", "q", "i"),

		bind(groupDialogs, dialog|question, DialogUp, "up", "up", "ctrl+p"),
		bind(groupDialogs, dialog|question, DialogDown, "down", "down", "ctrl+n"),
		bind(groupDialogs, dialog|question, DialogAccept, "choose", "enter"),
		bind(groupDialogs, dialog|question, DialogCancel, "close", "esc", "ctrl+c"),

		bind(groupPermission, question, AllowOnce, "allow once", "y"),
		bind(groupPermission, question, AllowSession, "allow for this session", "s"),
		bind(groupPermission, question, AllowAlways, "always allow exactly these parts", "a"),
		bind(groupPermission, question, Refuse, "refuse, with a word to the model if you like", "n"),
	}
}

// shared lists the actions that may have one key between them, because the
// state of the editor or the focus decides which of the two is meant.
func shared(a, b Action) bool {
	for _, p := range [][2]Action{
		{Newline, FollowUp},          // a turn runs or not
		{QuitIfEmpty, DeleteForward}, // text or none
		{LineStart, Top},
		{TextStart, Top},
		{LineEnd, Bottom},
		{TextEnd, Bottom},
		{Up, FocusPrev}, // where the focus is
		{Down, FocusNext},
		{ScrollUp, Up},
		{ScrollDown, Down},
		{HistoryPrev, Up},
		{HistoryNext, Down},
	} {
		if p == [2]Action{a, b} || p == [2]Action{b, a} {
			return true
		}
	}
	return false
}

// essential actions must keep a key, or a person could lock themselves out.
func essential(a Action) bool {
	switch a {
	case Send, Interrupt, ClearOrQuit, DialogAccept, DialogCancel:
		return true
	default:
		return false
	}
}
