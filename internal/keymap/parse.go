package keymap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed7484d81d/agent/internal/nearest"
)

// Parse brings the name of a key into the form that the terminal library uses,
// so that "Shift+Ctrl+A", "Escape" and "opt+Return" are understood. One key
// pressed twice is written with a space: "esc esc".
func Parse(s string) (string, error) {
	if first, second, ok := strings.Cut(strings.TrimSpace(s), " "); ok {
		return parseTwice(s, first, strings.TrimSpace(second))
	}
	if s == " " {
		return "space", nil
	}
	return parseOne(strings.TrimSpace(s))
}

func parseTwice(s, first, second string) (string, error) {
	a, err := parseOne(first)
	if err != nil {
		return "", err
	}
	if b, err := parseOne(second); err != nil || a != b {
		return "", fmt.Errorf("key %q: only one key pressed twice can be bound, such as \"esc esc\"", s)
	}
	return a + " " + a, nil
}

func parseOne(s string) (string, error) {
	if s == "" {
		return "", fmt.Errorf("empty key")
	}
	name, mods := s, []string(nil)
	// The last plus may itself be the key: "ctrl++".
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || mod == "" || rest == "" {
			break
		}
		mods, name = append(mods, strings.ToLower(mod)), rest
	}
	held, err := modifiers(s, mods)
	if err != nil {
		return "", err
	}
	name, err = keyName(s, name)
	if err != nil {
		return "", err
	}
	return join(held, name), nil
}

// modifiers puts what is held into the one order.
func modifiers(s string, mods []string) ([]string, error) {
	order := []string{"ctrl", "alt", "shift", "meta", "hyper", "super"}
	var held []string
	for i, m := range mods {
		switch m {
		case "control":
			mods[i] = "ctrl"
		case "opt", "option":
			mods[i] = "alt"
		case "cmd", "command", "win":
			mods[i] = "super"
		}
		if !slices.Contains(order, mods[i]) {
			return nil, fmt.Errorf("key %q: unknown modifier %q%s", s, m, nearest.Suggest(m, order))
		}
	}
	for _, m := range order {
		if slices.Contains(mods, m) {
			held = append(held, m)
		}
	}
	return held, nil
}

func keyName(s, name string) (string, error) {
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && unicode.IsGraphic(r) && r != utf8.RuneError {
		return name, nil
	}
	lower := strings.ToLower(name)
	switch lower {
	case "escape":
		lower = "esc"
	case "return":
		lower = "enter"
	case "del":
		lower = "delete"
	case "ins":
		lower = "insert"
	case "pageup":
		lower = "pgup"
	case "pagedown", "pgdn":
		lower = "pgdown"
	case "plus":
		lower = "+"
	}
	if lower == "+" || slices.Contains(named(), lower) {
		return lower, nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(lower, "f")); err == nil && lower[0] == 'f' && n >= 1 && n <= 63 {
		return "f" + strconv.Itoa(n), nil
	}
	return "", fmt.Errorf("unknown key %q%s", s, nearest.Suggest(lower, named()))
}

func named() []string {
	return []string{
		"enter", "tab", "backspace", "esc", "space", "up", "down", "left", "right",
		"home", "end", "insert", "delete", "pgup", "pgdown", "begin", "menu", "pause", "printscreen",
	}
}

// join writes modifiers and key as the terminal library does: a shifted letter
// alone is the capital letter, with other modifiers it is small.
func join(held []string, name string) string {
	if utf8.RuneCountInString(name) == 1 {
		if len(held) == 1 && held[0] == "shift" {
			return strings.ToUpper(name)
		}
		if len(held) > 0 {
			name = strings.ToLower(name)
		}
	}
	return strings.Join(append(held, name), "+")
}

// typed says that a key types text.
func typed(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }
