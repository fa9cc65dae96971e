package vterm

import "strconv"

// Frame is a screen at one moment, ready to be drawn.
type Frame struct {
	Lines []string // as Render makes them
	X, Y  int      // the cursor
	Modes Modes
}

// Render is the whole screen as lines of styled text. Each line begins and
// ends in the default style.
func (sc *Screen) Render() []string { return sc.Frame().Lines }

// Frame is the screen as styled lines together with its cursor.
func (sc *Screen) Frame() Frame {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	f := Frame{Modes: sc.modes, Lines: make([]string, 0, sc.rows)}
	f.X, f.Y, _ = sc.cursor()
	f.Lines = sc.render(f.Lines, sc.dropped+len(sc.history), sc.rows, sc.cols)
	return f
}

// Extent is the number of the oldest line of the scrollback that is kept and
// the number that follows the last row of the screen. A line keeps its number
// when others come or go.
func (sc *Screen) Extent() (first, end int) {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.dropped, sc.dropped + len(sc.history) + sc.rows
}

// RenderLines is up to n styled lines of at most cols columns, from the line
// numbered from, of the scrollback and then of the screen.
func (sc *Screen) RenderLines(from, n, cols int) []string {
	sc.mu.Lock()
	defer sc.mu.Unlock()
	return sc.render(make([]string, 0, n), from, n, cols)
}

func (sc *Screen) render(lines []string, from, n, cols int) []string {
	sc.sync()
	buf := make([]byte, 0, sc.cols*2)
	row := make([]Cell, 0, sc.cols)
	for i := max(0, from-sc.dropped); n > 0 && i < len(sc.history)+sc.rows; i++ {
		if y := i - len(sc.history); y >= 0 {
			row = sc.row(y, row)
			if sc.modes.Reversed {
				reverse(row)
			}
		} else {
			row = sc.history[i].unpack(row)
		}
		buf = sc.painter.appendLine(buf[:0], clip(row, cols))
		lines = append(lines, string(buf))
		n--
	}
	return lines
}

// clip cuts a row; of a wide character that is cut in half a blank stays.
func clip(row []Cell, cols int) []Cell {
	if len(row) <= cols {
		return row
	}
	row = row[:max(cols, 0)]
	if last := len(row) - 1; last >= 0 && row[last].Width == 2 {
		row[last].Text, row[last].Width = " ", 1
	}
	return row
}

// reverse swaps foreground and background (DECSCNM).
func reverse(row []Cell) {
	for i := range row {
		row[i].Style.Attr ^= Reverse
	}
}

// AppendLine appends one row as styled text that begins and ends in the
// default style. Hyperlinks are left out.
func AppendLine(b []byte, row []Cell) []byte { return new(painter).appendLine(b, row) }

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
