package config

import (
	"os"
	"path/filepath"
)

// Dirs are the places where the program keeps its files.
type Dirs struct {
	Config string // config.yaml, keys.yaml, AGENTS.md
	Data   string // sessions, history, prompts
	State  string // log
}

// FindDirs follows the XDG base directory rules; AGENT_CONFIG_DIR,
// AGENT_DATA_DIR and AGENT_STATE_DIR override them whole. A relative XDG
// variable is ignored, as the rules demand.
func FindDirs(getenv func(string) string, home string) Dirs {
	dir := func(own, xdg, fallback string) string {
		if d := getenv(own); d != "" {
			return d
		}
		if d := getenv(xdg); filepath.IsAbs(d) {
			return filepath.Join(d, "agent")
		}
		return filepath.Join(home, fallback, "agent")
	}
	return Dirs{
		Config: dir("AGENT_CONFIG_DIR", "XDG_CONFIG_HOME", ".config"),
		Data:   dir("AGENT_DATA_DIR", "XDG_DATA_HOME", ".local/share"),
		State:  dir("AGENT_STATE_DIR", "XDG_STATE_HOME", ".local/state"),
	}
}

// ProjectRoot is the nearest directory at or above dir that holds .agent or
// .git; dir itself if there is none. The home directory is no project merely
// because it holds .agent.
func ProjectRoot(dir, home string) string {
	for at := dir; ; at = filepath.Dir(at) {
		for _, mark := range []string{".agent", ".git"} {
			if _, err := os.Lstat(filepath.Join(at, mark)); err == nil && at != home {
				return at
			}
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}
