package llm

import (
	"context"
	"iter"
)

// Keyless stands for a provider whose key is missing: every request fails at
// once and says where the key could be set. source is the name of a variable.
func Keyless(provider, source string) Provider { return keyless{provider, source} }

type keyless struct{ provider, source string }

func (k keyless) Name() string { return k.provider }

func (k keyless) Stream(_ context.Context, r Request) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		yield(Delta{}, &Error{Type: "no_key", Auth: true, NoKey: true, KeySource: k.source, Provider: k.provider, Model: r.Model})
	}
}
