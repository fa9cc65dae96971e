package theme

import (
	"image/color"
	"math"
	"reflect"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// luminance is that of WCAG 2.
func luminance(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	f := func(v uint32) float64 {
		x := float64(v) / 0xffff
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*f(r) + 0.7152*f(g) + 0.0722*f(b)
}

func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestWhatIsReadHasContrast checks every style that text is written in. Rules
// and frames are only seen.
func TestWhatIsReadHasContrast(t *testing.T) {
	const least = 4.5
	for _, tt := range []struct {
		theme *Theme
		back  color.Color
	}{{Dark(), color.RGBA{0x1e, 0x1e, 0x1e, 0xff}}, {Light(), color.RGBA{0xff, 0xff, 0xff, 0xff}}} {
		v := reflect.ValueOf(*tt.theme)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			s, ok := v.Field(i).Interface().(Style)
			if !ok || name == "Rule" || name == "Border" {
				continue
			}
			front, back := s.GetForeground(), s.GetBackground()
			if _, own := front.(lipgloss.NoColor); own {
				continue // the terminal's own colour
			}
			on := tt.back
			if _, none := back.(lipgloss.NoColor); !none {
				on = back
			}
			if c := contrast(front, on); c < least {
				t.Errorf("%s %s: contrast %.1f", tt.theme.Name, name, c)
			}
		}
	}
}

func TestEveryGlyphIsOneCell(t *testing.T) {
	g := Dark().Glyphs
	v := reflect.ValueOf(g)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch f := v.Field(i).Interface().(type) {
		case string:
			if w := ansi.StringWidth(f); w != 1 && name != "Separator" && name != "Checked" && name != "Unchecked" {
				t.Errorf("%s is %d cells", name, w)
			}
		case []string:
			for _, s := range f {
				if w := ansi.StringWidth(s); w != 1 {
					t.Errorf("%s holds %q of %d cells", name, s, w)
				}
			}
		}
	}
}

func TestThemesByName(t *testing.T) {
	for _, n := range Names() {
		if th, ok := ByName(n); !ok || th.Name != n {
			t.Errorf("%s", n)
		}
	}
	if _, ok := ByName("pink"); ok {
		t.Error("pink")
	}
	if p := Plain(); p.Glyphs.Frame(3) != "" || p.Accent.Open() != "" {
		t.Error("plain moves or shines")
	}
}
