package main

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed7484d81d/agent/internal/config"
	"github.com/seed7484d81d/agent/internal/llm"
	"github.com/seed7484d81d/agent/internal/llm/anthropic"
	"github.com/seed7484d81d/agent/internal/llm/demo"
	"github.com/seed7484d81d/agent/internal/llm/gemini"
	"github.com/seed7484d81d/agent/internal/llm/openai"
	"github.com/seed7484d81d/agent/internal/llm/responses"
	"github.com/seed7484d81d/agent/internal/nearest"
	"github.com/seed7484d81d/agent/internal/session"
)

// demoName is the provider that needs no key.
const demoName = "demo"

// models knows who can answer: the services that are known by name, those of
// the settings, and the demo.
type models struct {
	getenv   func(string) string
	keys     *keyring
	services []llm.Service
	windows  map[string]int // of services that the settings define
	http     *http.Client
	dir      string // where a demo script's name is looked up
}

// newModels joins the known services and the settings', which win.
func newModels(c config.Config, getenv func(string) string, keys *keyring, dir string) *models {
	m := &models{getenv: getenv, keys: keys, windows: map[string]int{}, http: &http.Client{}, dir: dir}
	for _, name := range slices.Sorted(maps.Keys(c.Providers)) {
		p := c.Providers[name]
		m.services = append(m.services, llm.Service{
			Name: name, Type: p.Type, BaseURL: p.BaseURL, KeyEnv: p.KeyEnv, Model: p.Model, Quirks: p.Quirks,
		})
		m.windows[name] = p.Window
	}
	for _, s := range llm.Services() {
		if _, own := c.Providers[s.Name]; !own {
			m.services = append(m.services, s)
		}
	}
	return m
}

// choose finds who answers: what the settings say, else what the session went
// on with, else the first service that has a key, else the demo.
func (m *models) choose(c config.Config, before session.Settings) (llm.Provider, llm.Model, error) {
	provider, id := c.Provider, c.Model
	switch {
	case provider == "" && id == "" && m.usable(before.Provider):
		provider, id = before.Provider, before.Model
	case provider == "" && id != "":
		provider = m.providerOf(id)
	case provider != "" && id == "" && provider == before.Provider:
		id = before.Model
	}
	if provider == "" {
		provider = m.withKey()
	}
	return m.open(provider, id)
}

// usable says whether a provider can be asked without anyone's help.
func (m *models) usable(provider string) bool {
	if provider == "" {
		return false
	}
	if provider == demoName {
		return m.withKey() == demoName // a real model answers as soon as there is one
	}
	s, ok := m.service(provider)
	return ok && (s.KeyEnv == "" || m.keys.key(s.KeyEnv) != "")
}

// withKey is the first service with a key.
func (m *models) withKey() string {
	for _, s := range m.services {
		if s.KeyEnv != "" && m.keys.key(s.KeyEnv) != "" && !m.elsewhere(s) {
			return s.Name
		}
	}
	return demoName
}

// elsewhere says that OpenAI's own format would go to another server, by its
// variable. Those speak Chat Completions, which is a service of its own.
func (m *models) elsewhere(s llm.Service) bool {
	if s.Name != "openai" {
		return false
	}
	base, err := m.baseURL(s)
	return err == nil && base != s.BaseURL
}

// providerOf guesses who has a model of that name.
func (m *models) providerOf(id string) string {
	for _, s := range m.services {
		if _, known := llm.Lookup(s.Name, id); known && m.usable(s.Name) {
			return s.Name
		}
	}
	if p := m.withKey(); p != demoName {
		return p
	}
	for _, s := range m.services {
		if _, known := llm.Lookup(s.Name, id); known {
			return s.Name // it will say that it needs a key
		}
	}
	return ""
}

func (m *models) service(name string) (llm.Service, bool) {
	i := slices.IndexFunc(m.services, func(s llm.Service) bool { return s.Name == name })
	if i < 0 {
		return llm.Service{}, false
	}
	return m.services[i], true
}

func (m *models) names() []string {
	names := make([]string, 0, len(m.services)+1)
	names = append(names, demoName)
	for _, s := range m.services {
		names = append(names, s.Name)
	}
	return names
}

// open makes the provider and describes the model; "" is its default one.
func (m *models) open(provider, id string) (llm.Provider, llm.Model, error) {
	if provider == demoName {
		return m.openDemo(id)
	}
	s, ok := m.service(provider)
	if !ok {
		hint := nearest.Suggest(provider, m.names())
		if hint == "" {
			hint = "; known are " + strings.Join(m.names(), ", ")
		}
		return nil, llm.Model{}, usagef("unknown provider %q%s", provider, hint)
	}
	id = cmp.Or(id, s.Model)
	if id == "" {
		return nil, llm.Model{}, usagef("provider %s: which model? name one with --model or in the settings", provider)
	}
	base, err := m.baseURL(s)
	if err != nil {
		return nil, llm.Model{}, err
	}
	key, source := m.keys.key(s.KeyEnv), m.keys.source(s.KeyEnv)
	if key == "" && s.KeyEnv != "" && base == strings.TrimRight(s.BaseURL, "/") { // a server of one's own may need none
		return llm.Keyless(s.Name, s.KeyEnv), m.describe(s.Name, id), nil
	}
	var p llm.Provider
	switch s.Type {
	case "anthropic":
		p = anthropic.New(anthropic.Options{Name: s.Name, BaseURL: base, Key: key, KeySource: source, HTTP: m.http})
	case "openai-chat":
		p = openai.New(openai.Options{Name: s.Name, BaseURL: base, Key: key, KeySource: source, Quirks: s.Quirks, HTTP: m.http})
	case "openai":
		p = responses.New(responses.Options{Name: s.Name, BaseURL: base, Key: key, KeySource: source, HTTP: m.http})
	case "gemini":
		p = gemini.New(gemini.Options{Name: s.Name, BaseURL: base, Key: key, KeySource: source, HTTP: m.http})
	default:
		return nil, llm.Model{}, usagef("provider %s: unknown type %q; known are anthropic, openai, openai-chat and gemini", provider, s.Type)
	}
	return p, m.describe(s.Name, id), nil
}

func (m *models) openDemo(script string) (llm.Provider, llm.Model, error) {
	if script == "" || script == demoName {
		return demo.New(demo.Options{}), llm.Model{Provider: demoName, ID: demoName, Name: "Demo"}, nil
	}
	file := script
	if !filepath.IsAbs(file) {
		file = filepath.Join(m.dir, file)
	}
	p, err := demo.NewScript(file)
	if err != nil {
		return nil, llm.Model{}, usageError{err}
	}
	return p, llm.Model{Provider: demoName, ID: script, Name: script}, nil
}

// baseURL is where a service listens: its variable wins over its default.
func (m *models) baseURL(s llm.Service) (string, error) {
	base, from := s.BaseURL, "providers."+s.Name+".baseURL"
	if s.BaseURLEnv != "" {
		if v := strings.TrimSpace(m.getenv(s.BaseURLEnv)); v != "" {
			base, from = v, s.BaseURLEnv
		}
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", usagef("%s: %q is not an address such as https://host/v1", from, base)
	}
	return strings.TrimRight(base, "/"), nil
}

// describe says what is known of a model.
func (m *models) describe(provider, id string) llm.Model {
	found, ok := m.lookup(provider, id)
	if !ok {
		found = llm.Model{Provider: provider, ID: id}
	}
	if w := m.windows[provider]; w > 0 {
		found.Window = w
	}
	return found
}

// lookup finds a model in the catalogue. OpenAI's models are the same over
// both of its formats.
func (m *models) lookup(provider, id string) (llm.Model, bool) {
	found, ok := llm.Lookup(provider, id)
	if !ok && provider == "openai-chat" {
		found, ok = llm.Lookup("openai", id)
	}
	found.Provider, found.ID = provider, id
	return found, ok
}

// list is every model that can be named, the usable ones first.
func (m *models) list() []llm.Model {
	var usable, rest []llm.Model
	for _, s := range m.services {
		to := &rest
		if m.usable(s.Name) && s.KeyEnv != "" {
			to = &usable
		}
		known := false
		for _, c := range llm.Catalogue() {
			if c.Provider == s.Name || s.Name == "openai-chat" && c.Provider == "openai" {
				c.Provider = s.Name
				*to = append(*to, c)
				known = known || c.ID == s.Model
			}
		}
		if !known && s.Model != "" {
			*to = append(*to, m.describe(s.Name, s.Model))
		}
	}
	return slices.Concat(usable, rest, []llm.Model{{Provider: demoName, ID: demoName, Name: "Demo, needs no key"}})
}

// missing names the variable of the key that a provider still needs, or "".
func (m *models) missing(provider string) string {
	s, ok := m.service(provider)
	if !ok || s.KeyEnv == "" || m.keys.key(s.KeyEnv) != "" {
		return ""
	}
	return s.KeyEnv
}

// printModels is what --list-models prints.
func (p *program) printModels(m *models) error {
	for _, x := range m.list() {
		note := x.Name
		if key := m.missing(x.Provider); key != "" {
			note = strings.TrimSpace(note + " (needs " + key + ")")
		}
		if _, err := fmt.Fprintf(p.out, "%-12s %-36s %s\n", x.Provider, x.ID, note); err != nil {
			return fmt.Errorf("print the models: %w", err)
		}
	}
	return nil
}
