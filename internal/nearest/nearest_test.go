package nearest

import "testing"

func TestOf(t *testing.T) {
	known := []string{"bash.virtualTerminal", "bash.prefix", "theme", "model"}
	for _, tt := range []struct{ word, want string }{
		{"bash.virtualTerm", "bash.virtualTerminal"},
		{"bash.virtualterminal", "bash.virtualTerminal"},
		{"bash.perfix", "bash.prefix"},
		{"thme", "theme"},
		{"mdoel", "model"},
		{"x", ""},
		{"", ""},
		{"completely.else", ""},
	} {
		if got := Of(tt.word, known); got != tt.want {
			t.Errorf("Of(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}

func TestSuggestIsEmptyWithoutANearName(t *testing.T) {
	if got := Suggest("zzzzzz", []string{"theme"}); got != "" {
		t.Errorf("Suggest = %q, want nothing", got)
	}
	if got, want := Suggest("themes", []string{"theme"}), `; did you mean "theme"?`; got != want {
		t.Errorf("Suggest = %q, want %q", got, want)
	}
}
