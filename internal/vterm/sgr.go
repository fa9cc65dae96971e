package vterm

// sgr is the style after "CSI … m" (ECMA-48 8.3.117, with the colour forms of
// ISO 8613-6 and xterm's own with semicolons).
func (s Style) sgr(p params) Style {
	for i := 0; i < len(p); i++ {
		switch n := max(p[i][0], 0); {
		case n == 0:
			s = Style{Link: s.Link}
		case n == 38, n == 48, n == 58:
			c, used, ok := extendedColor(p[i:])
			i += used
			if ok {
				s = s.withColor(n, c)
			}
		case n >= 30 && n <= 37:
			s.FG = Palette(uint8(n - 30))
		case n >= 40 && n <= 47:
			s.BG = Palette(uint8(n - 40))
		case n >= 90 && n <= 97:
			s.FG = Palette(uint8(n - 90 + 8))
		case n >= 100 && n <= 107:
			s.BG = Palette(uint8(n - 100 + 8))
		case n == 39:
			s.FG = 0
		case n == 49:
			s.BG = 0
		case n == 59:
			s.UL = 0
		default:
			s = s.withAttr(n, p[i])
		}
	}
	return s
}

func (s Style) withColor(n int, c Color) Style {
	switch n {
	case 38:
		s.FG = c
	case 48:
		s.BG = c
	default:
		s.UL = c
	}
	return s
}

func (s Style) withAttr(n int, sub []int) Style {
	switch n {
	case 1:
		s.Attr |= Bold
	case 2:
		s.Attr |= Faint
	case 3:
		s.Attr |= Italic
	case 4:
		return s.underline(sub)
	case 5, 6:
		s.Attr |= Blink
	case 7:
		s.Attr |= Reverse
	case 8:
		s.Attr |= Conceal
	case 9:
		s.Attr |= Strike
	case 21:
		s.Attr |= Underline
		s.ULStyle = 2
	case 22:
		s.Attr &^= Bold | Faint
	case 23:
		s.Attr &^= Italic
	case 24:
		s.Attr &^= Underline
		s.ULStyle = 0
	case 25:
		s.Attr &^= Blink
	case 27:
		s.Attr &^= Reverse
	case 28:
		s.Attr &^= Conceal
	case 29:
		s.Attr &^= Strike
	case 53:
		s.Attr |= Overline
	case 55:
		s.Attr &^= Overline
	}
	return s
}

// underline is "4" or "4:kind".
func (s Style) underline(sub []int) Style {
	kind := 1
	if len(sub) > 1 {
		kind = within(sub[1], 5)
	}
	s.ULStyle = uint8(kind)
	s.Attr &^= Underline
	if kind > 0 {
		s.Attr |= Underline
	}
	return s
}

// extendedColor reads the colour after 38, 48 or 58 and says how many further
// parameters it took. One that cannot be read takes all of them.
func extendedColor(p params) (c Color, used int, ok bool) {
	if sub := p[0]; len(sub) > 1 { // all in one parameter, separated by colons
		c, ok = colonColor(sub)
		return c, 0, ok
	}
	if len(p) > 2 && p[1][0] == 5 {
		return Palette(channel(p[2], 0)), 2, true
	}
	if len(p) > 4 && p[1][0] == 2 {
		return RGB(channel(p[2], 0), channel(p[3], 0), channel(p[4], 0)), 4, true
	}
	return 0, len(p), false
}

func colonColor(sub []int) (Color, bool) {
	switch sub[1] {
	case 5:
		return Palette(channel(sub, 2)), true
	case 2:
		at := 2
		if len(sub) > 5 { // with a colour space before the channels
			at = 3
		}
		return RGB(channel(sub, at), channel(sub, at+1), channel(sub, at+2)), true
	}
	return 0, false
}

func channel(sub []int, i int) uint8 {
	if i < len(sub) && sub[i] > 0 {
		return uint8(sub[i])
	}
	return 0
}
