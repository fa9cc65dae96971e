package main_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/seed7484d81d/agent/"

// floors lists every package from the ground up. A package may import only
// packages on a lower floor. Order inside a floor means nothing.
var floors = [][]string{
	0: {"configs", "examples/rpc-go", "internal/chat", "internal/theme", "internal/sanitize", "internal/artifact", "internal/vterm", "internal/cmdline", "internal/nearest", "internal/fuzzy"},
	1: {"internal/config", "internal/exec", "internal/llm", "internal/tools", "internal/permission", "internal/prompt", "internal/session", "internal/render", "internal/ptyoverlay", "internal/keymap"},
	2: {"internal/events", "internal/export", "internal/llm/*", "internal/tools/*", "internal/tui/*"},
	3: {"internal/agent"},
	4: {"internal/tui", "internal/headless", "internal/rpc"},
	5: {"cmd/agent", "internal/e2e"},
}

func floorOf(pkg string) int {
	if i := slices.IndexFunc(floors, func(f []string) bool { return slices.Contains(f, pkg) }); i >= 0 {
		return i
	}
	parent := pkg[:strings.LastIndex(pkg, "/")] + "/*"
	return slices.IndexFunc(floors, func(f []string) bool { return slices.Contains(f, parent) })
}

func TestImportsGoDown(t *testing.T) {
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(p.ImportPath, module)
		if from == strings.TrimSuffix(module, "/") {
			continue
		}
		at := floorOf(from)
		if at < 0 {
			t.Errorf("%s has no floor: add it to the map", from)
		}
		for _, imp := range p.Imports {
			to, ours := strings.CutPrefix(imp, module)
			if ours && floorOf(to) >= at {
				t.Errorf("%s (floor %d) imports %s (floor %d)", from, at, to, floorOf(to))
			}
		}
	}
}
