package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestKeysComeFromTheEnvironmentThenTheFile(t *testing.T) {
	dir := t.TempDir()
	env := map[string]string{"A_KEY": " from-env "}
	k, err := openKeys(dir, func(n string) string { return env[n] })
	if err != nil || k.key("A_KEY") != "from-env" || k.key("B_KEY") != "" || k.key("") != "" {
		t.Fatalf("%v: %q %q", err, k.key("A_KEY"), k.key("B_KEY"))
	}
	for _, name := range []string{"A_KEY", "B_KEY"} {
		if err := k.store(name, "stored-"+name); err != nil {
			t.Fatal(err)
		}
	}
	again, err := openKeys(dir, k.getenv)
	if err != nil || again.key("A_KEY") != "from-env" || again.key("B_KEY") != "stored-B_KEY" {
		t.Errorf("%v: %q %q", err, again.key("A_KEY"), again.key("B_KEY"))
	}
	if again.source("A_KEY") != "A_KEY" || again.source("B_KEY") != again.file || again.source("C_KEY") != "C_KEY" {
		t.Errorf("sources: %q %q", again.source("A_KEY"), again.source("B_KEY"))
	}
	if info, _ := os.Stat(again.file); info.Mode().Perm() != 0o600 {
		t.Errorf("keys.yaml has mode %v", info.Mode())
	}
}

func TestKeysThatOthersCanReadAreRefused(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "keys.yaml")
	if err := os.WriteFile(file, []byte("A_KEY: secret\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	k, err := openKeys(dir, func(string) string { return "" })
	if err == nil || !strings.Contains(err.Error(), "chmod 600 "+file) || k.key("A_KEY") != "" {
		t.Errorf("%v, key %q", err, k.key("A_KEY"))
	}
}

func TestABrokenKeyFileIsToldWithoutItsContent(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "keys.yaml")
	if err := os.WriteFile(file, []byte("sk-secret: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := openKeys(dir, func(string) string { return "" })
	if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), file) {
		t.Errorf("%v", err)
	}
}
