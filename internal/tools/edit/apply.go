package edit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed7484d81d/agent/internal/tools"
)

// apply does all replacements or none. A file with CRLF line ends is edited as
// if it had LF, because that is what a model sees, and keeps its CRLF.
func apply(text string, edits []replacement, name string) (string, error) {
	crlf := strings.Contains(text, "\r\n") && strings.Count(text, "\r\n") == strings.Count(text, "\n")
	if crlf {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	for i, e := range edits {
		if crlf {
			e.Old, e.New = strings.ReplaceAll(e.Old, "\r\n", "\n"), strings.ReplaceAll(e.New, "\r\n", "\n")
		}
		n := strings.Count(text, e.Old)
		switch {
		case n == 0:
			return "", tools.Errorf("%s: %s was not found; nothing was changed%s", name, which(i, edits), hint(text, e.Old))
		case n > 1 && !e.All:
			return "", tools.Errorf("%s: %s is there %d times (lines %s); nothing was changed. Give more of what stands around it, or set all",
				name, which(i, edits), n, places(text, e.Old))
		}
		text = strings.ReplaceAll(text, e.Old, e.New)
	}
	if crlf {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text, nil
}

// which names a replacement, if there are several.
func which(i int, edits []replacement) string {
	if len(edits) == 1 {
		return "the text to replace"
	}
	return fmt.Sprintf("the text of edits[%d]", i)
}

// places lists the lines on which a text begins.
func places(text, old string) string {
	const most = 10
	var lines []string
	at, line := 0, 1
	for len(lines) < most {
		i := strings.Index(text[at:], old)
		if i < 0 {
			break
		}
		line += strings.Count(text[at:at+i], "\n")
		lines = append(lines, strconv.Itoa(line))
		line += strings.Count(old, "\n")
		at += i + len(old)
	}
	if strings.Contains(text[at:], old) {
		lines = append(lines, "…")
	}
	return strings.Join(lines, ", ")
}

// hint says where a text stands that differs only in white space, or where its
// first line does.
func hint(text, old string) string {
	lines, want := strings.Split(text, "\n"), strings.Split(strings.Trim(old, "\n"), "\n")
	for i := range lines {
		if i+len(want) <= len(lines) && sameWords(lines[i:i+len(want)], want) {
			return fmt.Sprintf(". Lines %d-%d differ from it only in white space:\n%s", i+1, i+len(want), strings.Join(lines[i:i+len(want)], "\n"))
		}
	}
	first := strings.TrimSpace(want[0])
	if first == "" {
		return ""
	}
	for i, l := range lines {
		if strings.Contains(l, first) {
			return fmt.Sprintf(". Its first line is on line %d, what follows differs", i+1)
		}
	}
	return ""
}

func sameWords(a, b []string) bool {
	for i := range a {
		if strings.Join(strings.Fields(a[i]), " ") != strings.Join(strings.Fields(b[i]), " ") {
			return false
		}
	}
	return true
}
