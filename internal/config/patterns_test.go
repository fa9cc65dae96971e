package config

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMissingPatternsAreNotNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.yaml")
	for text, missing := range map[string]bool{"": true, "bashInterceptor:\n  enabled: true\n": true, "bashInterceptor:\n  patterns: []\n": false} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := Load(Options{UserFile: file})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Config.Interceptor.Patterns == nil; got != missing {
			t.Errorf("%q: missing %v", text, got)
		}
	}
}
