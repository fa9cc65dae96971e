package llm

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

// PriceDate says when the prices of the catalogue were checked.
const PriceDate = "2026-11"

//go:embed models.json
var modelsJSON []byte

type catalogueModel struct {
	Provider  string    `json:"provider"`
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Window    int       `json:"window"`
	MaxOutput int       `json:"maxOutput"`
	Images    bool      `json:"images"`
	Thinking  bool      `json:"thinking"`
	Price     []float64 `json:"price"` // input, output, cache read, cache write
}

var models = sync.OnceValue(func() []Model { //nolint:gochecknoglobals // parsed once, never written
	var list []catalogueModel
	if err := json.Unmarshal(modelsJSON, &list); err != nil {
		panic("models.json: " + err.Error())
	}
	all := make([]Model, len(list))
	for i, m := range list {
		all[i] = Model{Provider: m.Provider, ID: m.ID, Name: m.Name, Window: m.Window, MaxOutput: m.MaxOutput, Images: m.Images, Thinking: m.Thinking}
		if p := m.Price; len(p) == 4 {
			all[i].Price = &Price{Input: p[0], Output: p[1], CacheRead: p[2], CacheWrite: p[3]}
		}
	}
	return all
})

// Catalogue lists the models that are known without asking anyone, each
// provider's default first. The models of one provider stand together. Callers
// do not change the prices behind it.
func Catalogue() []Model { return append([]Model(nil), models()...) }

// Lookup finds a model by its id, or by an id with a date behind it such as
// "claude-sonnet-4-5-20250929". For an unknown one it returns a Model with
// nothing but the names, and false.
func Lookup(provider, id string) (Model, bool) {
	best := Model{Provider: provider, ID: id}
	found := false
	for _, m := range models() {
		if !sameCatalogue(provider, m.Provider) || m.ID != id && !dated(m.ID, id) {
			continue
		}
		m.Provider, m.ID = provider, id
		best, found = m, true
	}
	return best, found
}

// Default is the model that a provider uses when none was chosen, "" if the
// catalogue knows none.
func Default(provider string) string {
	for _, m := range models() {
		if sameCatalogue(provider, m.Provider) {
			return m.ID
		}
	}
	return ""
}

// sameCatalogue says that two names stand for the same models: OpenAI serves
// them by two kinds of requests.
func sameCatalogue(provider, listed string) bool {
	return provider == listed || provider == "openai-chat" && listed == "openai"
}

// dated says that id is the listed one with a date of 6 to 8 digits behind it.
func dated(listed, id string) bool {
	rest, ok := strings.CutPrefix(id, listed+"-")
	digits := strings.ReplaceAll(rest, "-", "")
	return ok && len(digits) >= 6 && len(digits) <= 8 && strings.Trim(digits, "0123456789") == ""
}
