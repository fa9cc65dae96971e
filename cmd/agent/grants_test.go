package main

import (
	"os"
	"slices"
	"testing"
)

func TestWhatIsAllowedForAlwaysIsThereAgain(t *testing.T) {
	data := t.TempDir()
	g, err := openGrants(data, "/project")
	if err != nil || len(g.rules) != 0 {
		t.Fatal(g, err)
	}
	want := []string{"Bash(make test)", "Edit(a: b.go)"}
	for _, r := range append(want, want[0]) {
		if err := g.remember([]string{r}); err != nil {
			t.Fatal(err)
		}
	}
	again, err := openGrants(data, "/project")
	if err != nil || !slices.Equal(again.rules, want) {
		t.Errorf("%q %v", again.rules, err)
	}
	if other, _ := openGrants(data, "/other"); len(other.rules) != 0 {
		t.Errorf("another project got %q", other.rules)
	}
	if err := os.WriteFile(g.file, []byte("a: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken, err := openGrants(data, "/project")
	if err == nil || broken.remember(want) == nil {
		t.Error("a broken file is read or written")
	}
}
