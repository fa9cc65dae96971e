package llm

// Service is a public model server that needs no settings but a key.
type Service struct {
	Name string
	Type string // "anthropic", "openai", "openai-chat" or "gemini"
	// BaseURL is the default address; BaseURLEnv names a variable that
	// overrides it, "" if there is none.
	BaseURL    string
	BaseURLEnv string
	KeyEnv     string // the variable that holds the key; "" if it needs none
	Model      string // the default model, "" if there is none
	Quirks     map[string]bool
}

// Services lists the servers that are known by name, in the order in which a
// key in the environment chooses one. The last ones run on the person's own
// machine.
func Services() []Service {
	return []Service{
		{Name: "anthropic", Type: "anthropic", BaseURL: "https://api.anthropic.com", BaseURLEnv: "ANTHROPIC_BASE_URL", KeyEnv: "ANTHROPIC_API_KEY", Model: Default("anthropic")},
		{Name: "openai", Type: "openai", BaseURL: "https://api.openai.com/v1", BaseURLEnv: "OPENAI_BASE_URL", KeyEnv: "OPENAI_API_KEY", Model: Default("openai")},
		{
			Name: "openai-chat", Type: "openai-chat", BaseURL: "https://api.openai.com/v1", BaseURLEnv: "OPENAI_BASE_URL", KeyEnv: "OPENAI_API_KEY", Model: Default("openai"),
			Quirks: map[string]bool{"maxCompletionTokens": true, "cacheKey": true},
		},
		{Name: "gemini", Type: "gemini", BaseURL: "https://generativelanguage.googleapis.com", BaseURLEnv: "GEMINI_BASE_URL", KeyEnv: "GEMINI_API_KEY", Model: Default("gemini")},
		{
			Name: "openrouter", Type: "openai-chat", BaseURL: "https://openrouter.ai/api/v1", KeyEnv: "OPENROUTER_API_KEY", Model: "anthropic/claude-sonnet-4.5",
			Quirks: map[string]bool{"reasoningObject": true, "cacheControl": true},
		},
		{Name: "groq", Type: "openai-chat", BaseURL: "https://api.groq.com/openai/v1", KeyEnv: "GROQ_API_KEY", Model: "openai/gpt-oss-120b"},
		{Name: "deepseek", Type: "openai-chat", BaseURL: "https://api.deepseek.com/v1", KeyEnv: "DEEPSEEK_API_KEY", Model: "deepseek-chat", Quirks: map[string]bool{"noReasoningEffort": true}},
		{Name: "mistral", Type: "openai-chat", BaseURL: "https://api.mistral.ai/v1", KeyEnv: "MISTRAL_API_KEY", Model: "devstral-medium-latest", Quirks: map[string]bool{"shortIDs": true, "noStreamUsage": true, "noReasoningEffort": true}},
		{Name: "xai", Type: "openai-chat", BaseURL: "https://api.x.ai/v1", KeyEnv: "XAI_API_KEY", Model: "grok-code-fast-1", Quirks: map[string]bool{"noReasoningEffort": true}},
		{Name: "ollama", Type: "openai-chat", BaseURL: "http://127.0.0.1:11434/v1"},
		{Name: "llamacpp", Type: "openai-chat", BaseURL: "http://127.0.0.1:8080/v1"},
		{Name: "lmstudio", Type: "openai-chat", BaseURL: "http://127.0.0.1:1234/v1"},
	}
}
