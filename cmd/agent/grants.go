package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"go.yaml.in/yaml/v4"
)

// grants are the rules that the person allowed for always in a project: a YAML
// list in their own data directory, which a project cannot write.
type grants struct {
	file string

	mu    sync.Mutex
	rules []string
}

// openGrants reads the rules of a project. A file that cannot be read is an
// error; its rules do not count then, and it is not written.
func openGrants(data, root string) (*grants, error) {
	sum := sha256.Sum256([]byte(root))
	g := &grants{file: filepath.Join(data, "allowed", filepath.Base(root)+"-"+hex.EncodeToString(sum[:4])+".yaml")}
	text, err := os.ReadFile(g.file)
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	if err == nil {
		err = yaml.Load(text, &g.rules)
	}
	if err != nil {
		return &grants{}, fmt.Errorf("what you allowed for always in this project does not count: %s: %w", g.file, err)
	}
	return g, nil
}

// remember adds rules to the file.
func (g *grants) remember(rules []string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.file == "" {
		return errors.New("the file of allowed rules cannot be read")
	}
	next := slices.Clone(g.rules)
	for _, r := range rules {
		if !slices.Contains(next, r) {
			next = append(next, r)
		}
	}
	text, err := yaml.Dump(next)
	if err != nil {
		return fmt.Errorf("remember what is allowed: %w", err)
	}
	if err := replaceFile(g.file, text); err != nil {
		return fmt.Errorf("remember what is allowed: %w", err)
	}
	g.rules = next
	return nil
}
