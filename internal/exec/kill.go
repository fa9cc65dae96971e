package exec

import (
	"context"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// owned lists the live processes of one run, without its shell: those below the
// shell now or when they were last seen, in its session, with its mark in their
// environment, and orphans without any mark if no other run can have started
// them. What is ambiguous is not listed.
func (x *Executor) owned(w *waiting, seen []process) []process {
	known := map[int]uint64{}
	for _, p := range seen {
		known[p.pid] = p.start
	}
	root, reaper := x.launcher.root(), x.launcher.reaper()
	inside := map[int]bool{w.child.pid: true}
	var out []process
	for _, p := range below(root) {
		if p.pid == w.child.pid || p.comm == supervisorName {
			continue
		}
		mine := inside[p.parent] || p.session == w.child.pid && p.session != 0 || known[p.pid] == p.start && p.start != 0
		if !mine {
			mark := callOf(p.pid)
			orphan := p.parent == reaper || p.parent == root
			mine = mark == w.id || mark == "" && orphan && !x.isOurs(p, mark) && x.spans.only(w.id, p.start)
		}
		if mine {
			inside[p.pid] = true
			out = append(out, p)
		}
	}
	return out
}

// terminate sends SIGTERM to processes that were not told yet, or that cannot
// have got it, and wakes those that are stopped. Those of the group were told
// by their group.
func terminate(list []process, told map[int]uint64, group int) {
	for _, p := range list {
		if told[p.pid] != p.start || p.start == 0 || p.takes(unix.SIGTERM) {
			if p.group != group || told[p.pid] == p.start {
				p.signal(unix.SIGTERM)
			}
			told[p.pid] = p.start
		}
		if p.stopped() {
			p.signal(unix.SIGCONT)
		}
	}
}

// stop ends a run: SIGTERM to all of it, a grace, then SIGKILL until nothing is
// left. What earlier runs left behind lives on. It returns when the tree is
// gone, or cannot be ended.
func (x *Executor) stop(ctx context.Context, w *waiting, grace time.Duration) (killed bool) {
	ctx = context.WithoutCancel(ctx)
	mine := x.owned(w, nil)
	if w.screen != nil {
		x.hangUp(w)
	}
	w.child.signalGroup(syscall.SIGTERM)
	told := map[int]uint64{}
	terminate(mine, told, w.child.pid)
	if shell, ok := stat(w.child.pid); ok && shell.stopped() {
		w.child.signalGroup(syscall.SIGCONT)
	}
	limit := time.NewTimer(grace)
	defer limit.Stop()
	for wait := time.Millisecond; ; wait = min(2*wait, 20*time.Millisecond) {
		select {
		case <-limit.C:
			x.killAll(ctx, w, mine)
			return true
		case <-w.child.done:
			if mine = x.owned(w, mine); len(mine) == 0 {
				return false
			}
			terminate(mine, told, 0)
			pause(ctx, wait)
		case <-time.After(wait):
			// The shell may wait for a child that was just forked and lost the
			// signal.
			mine = x.owned(w, mine)
			terminate(mine, told, w.child.pid)
		}
	}
}

// hangUp tells a terminal's programs that it closes, and gives the shell time to
// save its state: a SIGTERM meanwhile would lose it.
func (x *Executor) hangUp(w *waiting) {
	const patience, pace = 400 * time.Millisecond, 10 * time.Millisecond
	w.child.signalGroup(syscall.SIGHUP)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		select {
		case <-w.child.done:
			return
		case <-limit.C:
			return
		case <-time.After(pace):
			x.hangUpAgain(w)
		}
	}
}

// hangUpAgain sends SIGHUP to those in the session of a terminal that cannot
// have got it, and says whether there were any.
func (x *Executor) hangUpAgain(w *waiting) bool {
	some := false
	for _, p := range x.owned(w, nil) {
		if p.session == w.child.pid && p.takes(unix.SIGHUP) && p.signal(unix.SIGHUP) {
			some = true
		}
	}
	return some
}

// hangUpLeft hangs up on what is left in the session of a terminal that is gone.
func (x *Executor) hangUpLeft(ctx context.Context, w *waiting) {
	const rounds = 10
	for range rounds {
		if !x.hangUpAgain(w) {
			return
		}
		pause(ctx, 2*time.Millisecond)
	}
}

func (x *Executor) killAll(ctx context.Context, w *waiting, mine []process) {
	const rounds = 100
	for range rounds {
		w.child.signalGroup(syscall.SIGKILL)
		mine = x.owned(w, mine)
		left := 0
		for _, p := range mine {
			if p.kill() {
				left++
			}
		}
		if left == 0 && w.child.ended() {
			return
		}
		pause(ctx, 2*time.Millisecond)
	}
}
