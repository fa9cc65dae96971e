package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

// keyring finds the keys of model servers: in the environment, else in
// keys.yaml of the person's configuration, which maps the name of the variable
// to the key. Keys never come by flag, since everybody can read those.
type keyring struct {
	getenv func(string) string
	file   string

	mu     sync.Mutex
	stored map[string]string
}

// openKeys reads keys.yaml, which may be missing. One that others can read, or
// that is no table of texts, is an error that names it.
func openKeys(dir string, getenv func(string) string) (*keyring, error) {
	k := &keyring{getenv: getenv, file: filepath.Join(dir, "keys.yaml"), stored: map[string]string{}}
	info, err := os.Stat(k.file)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return k, fmt.Errorf("keys: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return k, fmt.Errorf("%s is ignored because others can read it: chmod 600 %[1]s", k.file)
	}
	data, err := os.ReadFile(k.file)
	if err != nil {
		return k, fmt.Errorf("keys: %w", err)
	}
	stored := map[string]string{}
	if err := yaml.Load(data, &stored); err != nil {
		// The library's words may quote the file, and with it a key.
		return k, fmt.Errorf("%s is ignored: it has to hold lines such as ANTHROPIC_API_KEY: …", k.file)
	}
	k.stored = stored
	return k, nil
}

// key is the key that belongs to a variable, "" if there is none.
func (k *keyring) key(name string) string {
	if name == "" {
		return ""
	}
	if v := strings.TrimSpace(k.getenv(name)); v != "" {
		return v
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return strings.TrimSpace(k.stored[name])
}

// source says where a key comes from, or where it would be looked for.
func (k *keyring) source(name string) string {
	if strings.TrimSpace(k.getenv(name)) == "" && k.key(name) != "" {
		return k.file
	}
	return name
}

// store keeps a key for the next runs of the program.
func (k *keyring) store(name, key string) error {
	return k.change(func(keys map[string]string) error {
		keys[name] = strings.TrimSpace(key)
		return nil
	})
}

// drop forgets a key that store kept.
func (k *keyring) drop(name string) error {
	return k.change(func(keys map[string]string) error {
		if _, ok := keys[name]; !ok {
			return fmt.Errorf("no key %s is stored in %s", name, k.file)
		}
		delete(keys, name)
		return nil
	})
}

// change writes the file anew.
func (k *keyring) change(do func(keys map[string]string) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	next := maps.Clone(k.stored)
	if next == nil {
		next = map[string]string{}
	}
	if err := do(next); err != nil {
		return err
	}
	data, err := yaml.Dump(next)
	if err != nil {
		return fmt.Errorf("store the key: %w", err)
	}
	if err := replaceFile(k.file, data); err != nil {
		return fmt.Errorf("store the key: %w", err)
	}
	k.stored = next
	return nil
}

// replaceFile writes a private file so that it is either the old or the new
// one.
func replaceFile(file string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
