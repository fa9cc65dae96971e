package exec

import (
	"regexp"
	"strconv"
	"strings"
)

// job is a line of "jobs -l".
var job = regexp.MustCompile(`^\[\d+\][+-]?\s+(\d+) \w+\s+(.*?)(?: &)?$`)

// commandOf is what a process runs. A part of the command that runs in a shell
// of its own has the arguments of our shell, which say nothing: it is called as
// the shell lists it.
func (w *waiting) commandOf(p process) string {
	line := commandOf(p)
	if line != "" && !strings.Contains(line, bashDriver) && !strings.Contains(line, plainDriver) {
		return line
	}
	for _, j := range w.jobs {
		if m := job.FindStringSubmatch(j); m != nil && m[1] == strconv.Itoa(p.pid) {
			return m[2]
		}
	}
	return p.comm
}
