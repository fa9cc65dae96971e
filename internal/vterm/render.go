package vterm

import (
	"strconv"
	"strings"
)

// Render is the whole screen as lines of styled text. Each line begins and
// ends in the default style.
func (sc *Screen) Render() []string {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	sc.sync()
	lines := make([]string, sc.rows)
	buf := make([]byte, 0, sc.cols*2)
	row := make([]Cell, 0, sc.cols)
	for y := range lines {
		row = sc.row(y, row)
		buf = AppendLine(buf[:0], row)
		lines[y] = string(buf)
	}
	return lines
}

// AppendLine appends one row as styled text that begins and ends in the
// default style. Hyperlinks are left out.
func AppendLine(b []byte, row []Cell) []byte {
	var now Style
	for _, c := range row {
		if c.Width == 0 {
			continue
		}
		s := c.Style
		s.Link = 0
		if s != now {
			b, now = appendStyle(b, s), s
		}
		b = append(b, strings.TrimSuffix(c.Text, "\u200d")...)
	}
	if now != (Style{}) {
		b = append(b, "\x1b[m"...)
	}
	return b
}

// appendStyle appends the SGR sequence that selects s from any style.
func appendStyle(b []byte, s Style) []byte {
	if s == (Style{}) {
		return append(b, "\x1b[m"...)
	}
	b = append(b, "\x1b[0"...)
	for i, code := range [...]string{"1", "2", "3", "4", "5", "7", "8", "9", "53"} {
		attr := Attr(1) << i
		if s.Attr&attr == 0 {
			continue
		}
		b = append(b, ';')
		b = append(b, code...)
		if attr == Underline && s.ULStyle > 1 {
			b = append(b, ':', '0'+s.ULStyle)
		}
	}
	b = appendColor(b, s.FG, 30)
	b = appendColor(b, s.BG, 40)
	return append(b, 'm')
}

func appendColor(b []byte, c Color, base int) []byte {
	if n, ok := c.Index(); ok {
		b = append(b, ';')
		switch {
		case n < 8:
			return strconv.AppendInt(b, int64(base)+int64(n), 10)
		case n < 16:
			return strconv.AppendInt(b, int64(base)+60+int64(n)-8, 10)
		}
		b = strconv.AppendInt(b, int64(base)+8, 10)
		b = append(b, ";5;"...)
		return strconv.AppendInt(b, int64(n), 10)
	}
	red, green, blue, ok := c.Components()
	if !ok {
		return b
	}
	b = append(b, ';')
	b = strconv.AppendInt(b, int64(base)+8, 10)
	b = append(b, ";2"...)
	for _, v := range [...]uint8{red, green, blue} {
		b = append(b, ';')
		b = strconv.AppendInt(b, int64(v), 10)
	}
	return b
}
