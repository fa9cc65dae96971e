//go:build !linux

package exec

import (
	"strconv"
	"strings"

	osexec "os/exec"

	"golang.org/x/sys/unix"
)

// process is a process as ps shows it. There is no way here to pin one, so the
// start time is compared right before a signal.
type process struct {
	pid, parent, group, session int
	start                       uint64
	state                       byte
	comm                        string
	began                       string
}

func list() []process {
	out, err := osexec.Command("ps", "-Ao", "pid=,ppid=,pgid=,stat=,lstart=,comm=").Output()
	if err != nil {
		return nil
	}
	var all []process
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		const fields = 10
		if len(f) < fields {
			continue
		}
		p := process{state: f[3][0], began: strings.Join(f[4:9], " "), comm: strings.Join(f[9:], " ")}
		p.pid, _ = strconv.Atoi(f[0])
		p.parent, _ = strconv.Atoi(f[1])
		p.group, _ = strconv.Atoi(f[2])
		all = append(all, p)
	}
	return all
}

func below(root int) []process {
	if root == 0 {
		return nil
	}
	children := map[int][]process{}
	for _, p := range list() {
		children[p.parent] = append(children[p.parent], p)
	}
	var out []process
	for todo := []int{root}; len(todo) > 0; todo = todo[1:] {
		for _, p := range children[todo[0]] {
			if p.state != 'Z' {
				out = append(out, p)
			}
			todo = append(todo, p.pid)
		}
	}
	return out
}

func childrenOf(pid int) []int {
	var out []int
	for _, p := range list() {
		if p.parent == pid {
			out = append(out, p.pid)
		}
	}
	return out
}

func (p process) signal(sig unix.Signal) bool {
	for _, now := range list() {
		if now.pid == p.pid && now.began == p.began {
			return unix.Kill(p.pid, sig) == nil
		}
	}
	return false
}

func (p process) kill() bool             { return p.signal(unix.SIGKILL) }
func (p process) gone() bool             { _, ok := stat(p.pid); return !ok }
func (p process) stopped() bool          { return p.state == 'T' }
func (p process) takes(unix.Signal) bool { return false }
func callOf(int) string                  { return "" }
func commandOf(p process) string         { return p.comm }
func ticks() uint64                      { return 0 }

func stat(pid int) (process, bool) {
	for _, p := range list() {
		if p.pid == pid {
			return p, true
		}
	}
	return process{}, false
}
