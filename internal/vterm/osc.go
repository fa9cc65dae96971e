package vterm

import "strings"

// The colours that OSC 10, 11 and 12 report: light text on black, or black text
// on white.
const (
	reportedLight = "d0d0/d0d0/d0d0"
	reportedBlack = "0000/0000/0000"
	reportedWhite = "ffff/ffff/ffff"
)

// endText acts on a string sequence. Only OSC has a meaning here; title
// reports, the clipboard and the palette are none of a program's business.
func (sc *Screen) endText() {
	if sc.textKind != ']' {
		return
	}
	command, rest, _ := strings.Cut(string(sc.text), ";")
	switch command {
	case "0", "2":
		sc.title = rest
	case "8":
		_, uri, _ := strings.Cut(rest, ";")
		s := sc.style
		s.Link = sc.link(uri)
		sc.setStyle(s)
	case "10", "11", "12":
		if rest != "?" {
			return
		}
		text, back := reportedLight, reportedBlack
		if sc.o.Light {
			text, back = reportedBlack, reportedWhite
		}
		color := text
		if command == "11" {
			color = back
		}
		sc.reply("\x1b]" + command + ";rgb:" + color + "\x1b\\")
	}
}

// link numbers an address.
func (sc *Screen) link(uri string) uint16 {
	if uri == "" {
		return 0
	}
	for i, l := range sc.links {
		if l == uri {
			return uint16(i + 1)
		}
	}
	if len(sc.links) >= maxLinks || len(uri) > maxURI {
		return 0
	}
	sc.links = append(sc.links, uri)
	return uint16(len(sc.links))
}

func (sc *Screen) reply(s string) {
	if sc.o.Reply != nil {
		sc.o.Reply([]byte(s))
	}
}
