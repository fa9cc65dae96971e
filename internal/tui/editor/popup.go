package editor

import (
	"strings"

	"github.com/clipperhouse/displaywidth"

	"github.com/seed7484d81d/agent/internal/theme"
)

// viewPopup draws the part of the list around the chosen completion.
func (m *Model) viewPopup(rows int) []string {
	p := &m.popup
	if rows == 0 {
		return nil
	}
	from := max(0, min(p.selected-rows/2, len(p.shown)-rows))
	wide := 0
	for _, s := range p.shown[from : from+rows] {
		wide = max(wide, displaywidth.String(visible(p.candidates[s.Index].Text)))
	}
	wide = min(wide, max(1, (m.width-m.gutter())*2/3))
	lines := make([]string, 0, rows)
	for i := from; i < from+rows; i++ {
		lines = append(lines, m.viewItem(i, wide))
	}
	return lines
}

// viewItem draws one completion: its text in wide cells, then the detail.
func (m *Model) viewItem(i, wide int) string {
	match, chosen := m.popup.shown[i], i == m.popup.selected
	c := m.popup.candidates[match.Index]
	name := displaywidth.TruncateString(visible(c.Text), wide, m.theme.Glyphs.Ellipsis)
	detail := ""
	if room := m.width - m.gutter() - wide - 2; room >= 8 && c.Detail != "" {
		pad := strings.Repeat(" ", wide-displaywidth.String(name)+2)
		detail = pad + displaywidth.TruncateString(visible(c.Detail), room, m.theme.Glyphs.Ellipsis)
	}
	sign := strings.Repeat(" ", m.gutter())
	if chosen && m.gutter() > 0 {
		sign = m.theme.Glyphs.Pointer + " "
	}
	if chosen {
		line := sign + name + detail
		return m.theme.Selection.Render(line + strings.Repeat(" ", max(0, m.width-displaywidth.String(line))))
	}
	return sign + highlight(name, match.At, m.theme.Text, m.theme.Key) + m.theme.Dim.Render(detail)
}

// highlight draws text with the clusters at some offsets in another style.
func highlight(s string, at []int, style, match theme.Style) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s) && len(at) > 0; {
		end := i + clusterAt(s, i)
		if at[0] < end {
			b.WriteString(style.Render(s[from:i]) + match.Render(s[i:end]))
			from = end
		}
		for len(at) > 0 && at[0] < end {
			at = at[1:]
		}
		i = end
	}
	return b.String() + style.Render(s[from:])
}
