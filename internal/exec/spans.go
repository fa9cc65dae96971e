package exec

import "sync"

// spans remembers when which run was, in the ticks of process start times. So
// an orphan that bears no mark can be told to belong to a run, if only one can
// have started it.
type spans struct {
	mu   sync.Mutex
	list []span
}

type span struct {
	id       string
	from, to uint64 // to is 0 while it runs
}

const maxSpans = 1000

func (s *spans) begin(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) > maxSpans {
		s.list = append([]span{}, s.list[maxSpans/2:]...)
	}
	s.list = append(s.list, span{id: id, from: ticks()})
}

func (s *spans) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.list {
		if s.list[i].id == id {
			s.list[i].to = ticks()
		}
	}
}

// only says that id is the one run during which a process with this start time
// can have begun.
func (s *spans) only(id string, start uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	mine := false
	for _, r := range s.list {
		if start < r.from || r.to != 0 && start > r.to {
			continue
		}
		if r.id != id {
			return false
		}
		mine = true
	}
	return mine
}
