package exec

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Key names a shell session. Equal keys share their state.
type Key struct {
	Path    string // of the shell
	Prefix  string // put before every command, as in "nice -n 10"
	Session string // separates sessions that are equal otherwise
}

// Shell is a shell session: the state that the next command starts from. It is
// safe for concurrent use; runs may overlap.
type Shell struct {
	x       *Executor
	key     Key
	dialect dialect

	rcHome string    // whose rc file to read; "": none
	once   sync.Once // reading it

	mu      sync.Mutex
	first   *state // after the rc file
	state   *state // nil: what the shell has by itself
	dir     string
	lastDir string // $OLDPWD
	spare   *waiting
	warming sync.WaitGroup
	notes   []string // for the next result
}

// Dir is the directory that the next command starts in.
func (s *Shell) Dir() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dir
}

// SetDir moves the session, as "cd" would.
func (s *Shell) SetDir(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if dir = filepath.Clean(dir); dir != s.dir {
		s.dir, s.lastDir = dir, s.dir
	}
}

// existingDir is where the next command can start: the session's directory, or
// the nearest above it that is still there, with a note.
func (s *Shell) existingDir() (dir, note string) {
	was := s.Dir()
	for dir = was; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == "/" {
			break
		}
	}
	if dir != was {
		note = fmt.Sprintf("The directory %s is gone; the command ran in %s", was, dir)
	}
	return dir, note
}

// commit makes a state the one that the next command starts from, unless
// another run did so since from began. It says whether it did, and whether
// there was anything to change.
func (s *Shell) commit(from, to position) (moved, kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sameState := to.state.equal(from.state)
	if sameState && to.dir == from.dir && to.lastDir == from.lastDir {
		return false, true
	}
	if s.state != from.state || s.dir != from.dir {
		return false, false
	}
	if !sameState {
		s.state = to.state
	}
	s.dir, s.lastDir = to.dir, to.lastDir
	return to.dir != from.dir, true
}

// position is what a run starts from, and what it leaves.
type position struct {
	state        *state
	dir, lastDir string
}

func (s *Shell) position() position {
	s.mu.Lock()
	defer s.mu.Unlock()
	return position{s.state, s.dir, s.lastDir}
}

// take gives the shell that waits for the next command, or starts one.
func (s *Shell) take() (*waiting, error) {
	s.warming.Wait()
	s.mu.Lock()
	w, st := s.spare, s.state
	s.spare = nil
	s.mu.Unlock()
	if w != nil {
		if w.state == st && !w.child.ended() {
			return w, nil
		}
		w.drop()
	}
	return s.x.startShell(s, st, nil)
}

// warm starts the shell for the next command, so that its start is over when
// the command comes. It returns at once.
func (s *Shell) warm() {
	if s.x.o.NoSpare {
		return
	}
	s.warming.Add(1)
	go func() {
		defer s.warming.Done()
		s.mu.Lock()
		st, have := s.state, s.spare
		s.mu.Unlock()
		if have != nil && have.state == st && !have.child.ended() || s.x.isClosed() {
			return
		}
		w, err := s.x.startShell(s, st, nil)
		if err != nil {
			return // the next command tries again and tells
		}
		s.mu.Lock()
		old := s.spare
		s.spare = w
		s.mu.Unlock()
		if old != nil {
			old.drop()
		}
	}()
}

// dropSpare ends the shell that waits.
func (s *Shell) dropSpare() {
	s.warming.Wait()
	s.mu.Lock()
	w := s.spare
	s.spare = nil
	s.mu.Unlock()
	if w != nil {
		w.drop()
	}
}

// Warm reads the person's rc file, if that was asked for and not done yet, and
// starts a shell for the first command. It waits for the former. Run does the
// same when it has to.
func (s *Shell) Warm(ctx context.Context) {
	s.prepare(ctx)
	s.warm()
}

func (x *Executor) isClosed() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.closed
}

// UseRC lets the session start from what an interactive shell has after the rc
// file of home was read, instead of from nothing. It has to be called before
// the first Run.
func (s *Shell) UseRC(home string) { s.rcHome = home }

func (s *Shell) note(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes = append(s.notes, text)
}

func (s *Shell) takeNotes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.notes
	s.notes = nil
	return n
}

// FindShell decides which shell runs commands: the one of the settings, else
// $SHELL if it is a bash, else bash or sh from the path. A note says when it is
// no bash; an error says what to do when there is none.
func FindShell(setting, shellVariable string, look func(name string) (string, error)) (path, note string, err error) {
	if setting != "" {
		path, err := look(setting)
		if err != nil {
			return "", "", fmt.Errorf("shellPath: there is no shell %s that can be run; name another one or leave it empty", setting)
		}
		if base := filepath.Base(path); !posixLike(base) {
			return "", "", fmt.Errorf("shellPath: %s does not read commands as bash does; name a bash, zsh or sh", path)
		}
		return path, "", nil
	}
	if filepath.Base(shellVariable) == "bash" {
		if path, err := look(shellVariable); err == nil {
			return path, "", nil
		}
	}
	if path, err := look("bash"); err == nil {
		return path, "", nil
	}
	if path, err := look("sh"); err == nil {
		return path, "There is no bash here; commands run in " + path + ", which keeps only the directory and exported variables between commands.", nil
	}
	return "", "", fmt.Errorf("no bash and no sh on the PATH: install bash, or set shellPath")
}

func posixLike(base string) bool {
	for _, ok := range []string{"bash", "zsh", "sh", "dash", "ksh", "mksh", "ash"} {
		if base == ok || strings.HasPrefix(base, ok+"-") || strings.HasPrefix(base, ok+".") || strings.HasPrefix(base, ok+"5") {
			return true
		}
	}
	return false
}

// Reset gives the session the state that it began with; its directory stays.
func (s *Shell) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = s.first
}
