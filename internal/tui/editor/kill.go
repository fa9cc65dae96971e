package editor

// ringSize is how many cut texts can be put back.
const ringSize = 30

// killRing holds what was cut, the latest last.
type killRing struct {
	cuts    []string
	growing bool // the last action cut: the next cut joins it
	yanked  int  // after a yank: how far back in the ring it was, else −1
	at, end pos  // where the yanked text stands
}

// kill cuts a stretch. Cuts in a row are one text in the ring.
func (m *Model) kill(from, to pos, back bool) {
	if from == to {
		return
	}
	s := m.text.slice(from, to)
	k := &m.ring
	switch {
	case k.growing && len(k.cuts) > 0 && back:
		k.cuts[len(k.cuts)-1] = s + k.cuts[len(k.cuts)-1]
	case k.growing && len(k.cuts) > 0:
		k.cuts[len(k.cuts)-1] += s
	default:
		k.cuts = append(k.cuts, s)
		if len(k.cuts) > ringSize {
			k.cuts = append(k.cuts[:0], k.cuts[len(k.cuts)-ringSize:]...)
		}
	}
	m.replace(single, from, to, "")
	m.did = didKill
}

func (m *Model) yank() {
	if len(m.ring.cuts) == 0 {
		return
	}
	m.putBack(0, m.cursor, m.cursor)
}

// yankPop puts an earlier cut in the place of what was just put back.
func (m *Model) yankPop() {
	if m.ring.yanked < 0 {
		return
	}
	m.putBack((m.ring.yanked+1)%len(m.ring.cuts), m.ring.at, m.ring.end)
}

func (m *Model) putBack(n int, from, to pos) {
	s := m.ring.cuts[len(m.ring.cuts)-1-n]
	m.replace(single, from, to, s)
	m.ring.at, m.ring.end = from, endOf(from, s)
	m.ring.yanked = n
	m.did = didYank
}
