package exec

import "maps"

// unattended is set for runs that nobody sits in front of: everything that
// would wait for a key fails or goes on without one. An editor that succeeds
// without doing anything would rewrite history, so it fails.
var unattended = map[string]string{ //nolint:gochecknoglobals // a table that is never written
	"PAGER": "cat", "GIT_PAGER": "cat", "MANPAGER": "cat", "SYSTEMD_PAGER": "cat", "BAT_PAGER": "cat", "DELTA_PAGER": "cat",
	"GH_PAGER": "cat", "GLAB_PAGER": "cat", "PSQL_PAGER": "cat", "MYSQL_PAGER": "cat", "HOMEBREW_PAGER": "cat",
	"AWS_PAGER": "", "LESS": "FRX",

	"GIT_TERMINAL_PROMPT": "0", "SSH_ASKPASS": "/usr/bin/false", "GH_PROMPT_DISABLED": "1", "PIP_NO_INPUT": "1",
	"DEBIAN_FRONTEND": "noninteractive", "TF_INPUT": "0", "COMPOSER_NO_INTERACTION": "1",
	"CLOUDSDK_CORE_DISABLE_PROMPTS": "1", "CI": "1",

	"GIT_EDITOR": "false", "GIT_SEQUENCE_EDITOR": "false", "EDITOR": "false", "VISUAL": "false",

	"npm_config_yes": "true", "npm_config_update_notifier": "false", "npm_config_fund": "false", "npm_config_audit": "false",
	"npm_config_progress": "false", "PNPM_DISABLE_SELF_UPDATE_CHECK": "true", "PNPM_UPDATE_NOTIFIER": "false",
	"YARN_ENABLE_TELEMETRY": "0", "YARN_ENABLE_PROGRESS_BARS": "0", "CARGO_TERM_PROGRESS_WHEN": "never",
	"PIP_DISABLE_PIP_VERSION_CHECK": "1", "TF_IN_AUTOMATION": "1",

	"TERM": "dumb", "NO_COLOR": "1",
}

// environment is what is set for this run only; the request's own wins.
func (r Request) environment() map[string]string {
	env := map[string]string{"TERM": "dumb"} // there is no terminal
	if r.Unattended {
		env = maps.Clone(unattended)
	}
	if r.terminal {
		env["TERM"] = "xterm-256color"
		delete(env, "NO_COLOR")
	}
	maps.Copy(env, r.Env)
	return env
}
