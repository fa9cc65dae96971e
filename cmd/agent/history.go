package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// maxHistory is how many prompts are offered again.
const maxHistory = 1000

// history is what was typed in a directory before, in a file with one JSON text
// on a line. It belongs to the user interface; only the writing happens
// elsewhere, so that a slow disk holds up no key.
type history struct {
	texts []string
	file  string
	lines chan string
	done  sync.WaitGroup
}

// openHistory reads the history of a directory. What cannot be read is an
// error; the history works without a file then.
func openHistory(data, dir string) (*history, error) {
	sum := sha256.Sum256([]byte(dir))
	h := &history{
		file:  filepath.Join(data, "history", filepath.Base(dir)+"-"+hex.EncodeToString(sum[:4])+".jsonl"),
		lines: make(chan string, 64), //nolint:mnd // a burst
	}
	h.done.Add(1)
	go h.write()
	f, err := os.Open(h.file)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, fmt.Errorf("earlier prompts: %w", err)
	}
	defer func() { _ = f.Close() }() // read only
	s := bufio.NewScanner(f)
	s.Buffer(nil, 16<<20)
	for s.Scan() {
		var text string
		if json.Unmarshal(s.Bytes(), &text) == nil && text != "" {
			h.keep(text)
		}
	}
	if err := s.Err(); err != nil {
		return h, fmt.Errorf("earlier prompts: %w", err)
	}
	return h, nil
}

// Len is how many texts there are.
func (h *history) Len() int { return len(h.texts) }

// At is one of them, the oldest first.
func (h *history) At(i int) string { return h.texts[i] }

func (h *history) keep(text string) bool {
	if n := len(h.texts); n > 0 && h.texts[n-1] == text {
		return false
	}
	h.texts = append(h.texts, text)
	if len(h.texts) > maxHistory {
		h.texts = h.texts[len(h.texts)-maxHistory:]
	}
	return true
}

// add remembers a text.
func (h *history) add(text string) {
	if !h.keep(text) {
		return
	}
	select {
	case h.lines <- text:
	default: // the disk does not follow; the memory has it
	}
}

// write appends to the file until close.
func (h *history) write() {
	defer h.done.Done()
	for text := range h.lines {
		_ = h.append(text) // what was typed is in the session as well
	}
}

func (h *history) append(text string) error {
	line, err := json.Marshal(text)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(h.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// close waits until everything is written.
func (h *history) close() {
	close(h.lines)
	h.done.Wait()
}
