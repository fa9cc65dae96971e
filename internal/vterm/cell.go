package vterm

// Color is a cell's colour: 0 is the terminal's default; Palette and RGB make
// the others.
type Color uint32

const (
	kindPalette Color = 1 << 24
	kindRGB     Color = 2 << 24
)

// Palette is colour n of the 256-colour palette.
func Palette(n uint8) Color { return kindPalette | Color(n) }

// RGB is a direct colour.
func RGB(r, g, b uint8) Color { return kindRGB | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index is the palette index, if the colour is one of the palette.
func (c Color) Index() (n uint8, ok bool) { return uint8(c), c&^0xff == kindPalette }

// Components are red, green and blue, if the colour is a direct one.
func (c Color) Components() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c>>24 == kindRGB>>24
}

// Attr is a set of text attributes.
type Attr uint16

// The attributes.
const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Underline
	Blink
	Reverse
	Conceal
	Strike
	Overline
)

// Style is how a cell looks. The zero value is plain text in default colours.
type Style struct {
	FG, BG, UL Color
	Attr       Attr
	// ULStyle is the kind of underline: 1 single, 2 double, 3 curly, 4 dotted,
	// 5 dashed; 0 if there is none.
	ULStyle uint8
	// Link numbers the OSC 8 hyperlink, 0 for none.
	Link uint16

	wraps bool // at the end of a row: its text goes on in the next one
}

// Cell is one column of one row.
type Cell struct {
	// Text is a grapheme cluster, " " for a blank, and "" for the right half of
	// a wide one.
	Text  string
	Width uint8 // 1, 2, or 0 for the right half
	Style Style
}

// Modes are the switches of the terminal that somebody outside needs to know.
type Modes struct {
	AppCursor   bool // DECCKM: arrows are sent as SS3
	AppKeypad   bool // DECKPAM
	Paste       bool // 2004: pastes are bracketed
	MouseX10    bool // 9, of which one at most is set with the next three
	MouseButton bool // 1000
	MouseDrag   bool // 1002
	MouseAny    bool // 1003
	MouseUTF8   bool // 1005
	MouseSGR    bool // 1006
	MouseURXVT  bool // 1015
	Focus       bool // 1004
	Sync        bool // 2026: the program is in the middle of a frame
	Alt         bool // the alternate screen shows
	Hidden      bool // the cursor is hidden
	Blink       bool // 12: the cursor blinks
	Origin      bool // DECOM
	Insert      bool // IRM
	NewLine     bool // LNM
	Reversed    bool // DECSCNM
	NoWrap      bool // DECAWM is off
	CursorStyle int  // DECSCUSR
}

// Snapshot is a screen at one moment; it shares nothing with the Screen.
type Snapshot struct {
	Cols, Rows int
	Lines      [][]Cell
	X, Y       int  // the cursor
	Pending    bool // the next character begins a new row
	Modes      Modes
	Title      string
	Scrollback int // lines above the screen
}

// Text is the snapshot as lines without trailing blanks.
func (s Snapshot) Text() []string {
	out := make([]string, len(s.Lines))
	for i, l := range s.Lines {
		out[i] = LineText(l)
	}
	return out
}

// LineText is a row without its style and its trailing blanks.
func LineText(row []Cell) string {
	var b []byte
	for _, c := range row {
		b = append(b, c.Text...)
	}
	n := len(b)
	for n > 0 && b[n-1] == ' ' {
		n--
	}
	return string(b[:n])
}

// TrimLine is a row without its blanks at the end that have no style.
func TrimLine(row []Cell) []Cell {
	n := len(row)
	for n > 0 && row[n-1].Text == " " && row[n-1].Style == (Style{}) {
		n--
	}
	return row[:n:n]
}
