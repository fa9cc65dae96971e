package grep

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed7484d81d/agent/internal/sanitize"
	"github.com/seed7484d81d/agent/internal/tools"
)

// maxFile is the largest file that is searched.
const maxFile = 64 << 20

// match is what was found in one file.
type match struct {
	lines  int // that match
	blocks []block
}

// block is lines that stand together: a match, or several whose surroundings
// touch.
type block struct {
	text    string
	matches int
}

// inFile searches one file. One that is binary, too large or cannot be read has
// no matches. buf is room for it.
func inFile(buf []byte, abs, name string, re *regexp.Regexp, a args) match {
	data, err := readInto(buf, abs)
	if err != nil || len(data) == 0 || tools.IsBinary(data) || !strings.ContainsAny(re.String(), `^$\`) && !re.Match(data) { // anchors are those of a line
		return match{}
	}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte{'\n'}), []byte{'\n'})
	hits := make([]int, 0, 16)
	for i, l := range lines {
		if re.Match(bytes.TrimSuffix(l, []byte{'\r'})) {
			hits = append(hits, i)
		}
	}
	return match{lines: len(hits), blocks: blocksOf(lines, hits[:min(len(hits), a.Limit)], name, a.Context)}
}

// blocksOf writes "name:12:text" for matches and "name-12-text" for the lines
// around them.
func blocksOf(lines [][]byte, hits []int, name string, around int) []block {
	var out []block
	for len(hits) > 0 {
		n := 1
		for n < len(hits) && around > 0 && hits[n]-hits[n-1] <= 2*around+1 {
			n++
		}
		var b strings.Builder
		next := 0
		for i := max(0, hits[0]-around); i <= min(len(lines)-1, hits[n-1]+around); i++ {
			mark := '-'
			if next < n && hits[next] == i {
				mark = ':'
				next++
			}
			text := tools.CutLine(strings.TrimRight(sanitize.ForModel(string(lines[i])), "\r\n"))
			fmt.Fprintf(&b, "%s%c%d%c%s\n", sanitize.OneLine(name), mark, i+1, mark, text)
		}
		out = append(out, block{text: b.String(), matches: n})
		hits = hits[n:]
	}
	return out
}
