package exec

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// process is a process as it was seen: the start time tells it from a later one
// with the same number.
type process struct {
	pid, parent, group, session int
	start                       uint64 // clock ticks since boot
	state                       byte
	comm                        string
}

// stat reads /proc/PID/stat; see proc(5).
func stat(pid int) (process, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return process{}, false
	}
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 0 || end+2 > len(b) {
		return process{}, false
	}
	f := strings.Fields(string(b[end+1:]))
	const startField = 19
	if len(f) <= startField {
		return process{}, false
	}
	p := process{pid: pid, state: f[0][0], comm: string(b[open+1 : end])}
	p.parent, _ = strconv.Atoi(f[1])
	p.group, _ = strconv.Atoi(f[2])
	p.session, _ = strconv.Atoi(f[3])
	p.start, _ = strconv.ParseUint(f[startField], 10, 64)
	return p, true
}

// below lists the live processes below root, parents before children.
func below(root int) []process {
	if root == 0 {
		return nil
	}
	children := map[int][]process{}
	for _, pid := range numbers("/proc") {
		if p, ok := stat(pid); ok {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	var out []process
	for todo := []int{root}; len(todo) > 0; todo = todo[1:] {
		for _, p := range children[todo[0]] {
			if p.state != 'Z' && p.state != 'X' {
				out = append(out, p)
			}
			todo = append(todo, p.pid)
		}
	}
	return out
}

// numbers lists the entries of a directory that are numbers.
func numbers(dir string) []int {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }() // read only
	names, _ := d.Readdirnames(-1)
	var out []int
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

// childrenOf lists the direct children of a process without reading all of
// /proc.
func childrenOf(pid int) []int {
	var out []int
	tasks := "/proc/" + strconv.Itoa(pid) + "/task"
	for _, tid := range numbers(tasks) {
		b, _ := os.ReadFile(tasks + "/" + strconv.Itoa(tid) + "/children")
		for _, f := range strings.Fields(string(b)) {
			if child, err := strconv.Atoi(f); err == nil {
				out = append(out, child)
			}
		}
	}
	return out
}

// signal reaches exactly the process that was seen, or none: a pidfd pins it
// before its start time is compared.
func (p process) signal(sig unix.Signal) bool {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	if now, ok := stat(p.pid); !ok || now.start != p.start {
		return false
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0) == nil
}

func (p process) kill() bool { return p.signal(unix.SIGKILL) }

// gone says that the process has ended since it was listed.
func (p process) gone() bool {
	q, ok := stat(p.pid)
	return !ok || q.start != p.start || q.state == 'Z' || q.state == 'X'
}

func (p process) stopped() bool { return p.state == 'T' || p.state == 't' }

// takes says that a signal, by its default, would end the process at once. If it
// lives after one, it never got it: a bash child that is signalled between fork
// and exec catches the signal and forgets it at exec.
func (p process) takes(sig unix.Signal) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/status")
	if err != nil {
		return false
	}
	for _, field := range []string{"SigBlk:", "SigIgn:", "SigCgt:"} {
		_, rest, ok := bytes.Cut(b, []byte(field))
		if !ok {
			return false
		}
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		mask, err := strconv.ParseUint(string(bytes.TrimSpace(line)), 16, 64)
		if err != nil || mask&(1<<(sig-1)) != 0 {
			return false
		}
	}
	return true
}

// callOf says which call stands in the environment of a process, "" for none.
func callOf(pid int) string {
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	for _, e := range bytes.Split(b, []byte{0}) {
		if id, ok := bytes.CutPrefix(e, []byte(callVariable+"=")); ok {
			return string(id)
		}
	}
	return ""
}

// commandOf is the command line of a process, "" while it is being loaded.
func commandOf(p process) string {
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/cmdline") // none is ""
	return strings.TrimSpace(strings.ReplaceAll(string(b), "\x00", " "))
}

// ticks is the time since boot as /proc counts it.
func ticks() uint64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts) // cannot fail for this clock
	const perSecond, nanoseconds = 100, 1e7
	return uint64(ts.Sec)*perSecond + uint64(ts.Nsec)/nanoseconds
}
