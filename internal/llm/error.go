package llm

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/nearest"
)

// The types of errors that no provider sent.
const (
	TypeNetwork = "network"  // no connection, or it broke
	TypeIdle    = "idle"     // the server said nothing for too long
	TypeCut     = "cut"      // the answer ended before it was whole
	TypeBadJSON = "bad_json" // the answer is not what the format says
	TypeBaseURL = "base_url" // the address is not that of a model server
)

var unknownModel = regexp.MustCompile(`(?i)^model: |\bmodels?\b.*(not found|not exist|not supported)|not a valid model`)

// Error is one sentence for a person: what happened and what to try.
func (e *Error) Error() string {
	who := cmp.Or(e.Provider, "the provider")
	switch {
	case e.Overflow:
		return "the conversation is too long for " + cmp.Or(e.Model, "the model") +
			": use /compact, choose a model with a larger window (/model), or start anew (/new)"
	case e.Quota:
		return who + " says that no credit is left" + e.quoted() + ": add credit there, or choose another model (/model)"
	case e.Auth:
		return e.authSentence(who)
	case e.UnknownModel():
		return e.modelSentence(who)
	case e.Status == 0 || e.Type == TypeBadJSON || e.Type == TypeBaseURL:
		return e.brokenSentence(who)
	default:
		return e.statusSentence(who)
	}
}

// Unwrap is what lay behind the error, if anything.
func (e *Error) Unwrap() error { return e.Cause }

// UnknownModel says that the provider has no model of the name that was asked.
func (e *Error) UnknownModel() bool {
	return e.Type == "model_not_found" ||
		(e.Status == 404 || e.Status == 400) && unknownModel.MatchString(e.Message)
}

func (e *Error) authSentence(who string) string {
	from := ""
	if e.KeySource != "" {
		from = " from " + e.KeySource
	}
	switch {
	case e.NoKey && e.KeySource != "":
		return who + " needs a key: set " + e.KeySource + " and start again, or store one with /login"
	case e.NoKey:
		return who + " needs a key: store one with /login"
	case e.Status == 403:
		return who + " does not allow this with the key" + from + e.quoted() + ": check what the key may do"
	default:
		return who + " does not accept the key" + from + ": check it, or store another one with /login"
	}
}

func (e *Error) modelSentence(who string) string {
	if e.Model == "" {
		return who + " has no such model" + e.quoted() + ": choose one with /model"
	}
	hint := nearest.Suggest(e.Model, modelIDs(e.Provider))
	if hint == "" {
		hint = ": choose one with /model"
	}
	return fmt.Sprintf("%s has no model %q%s", who, e.Model, hint)
}

// brokenSentence is for what went wrong between us and the server.
func (e *Error) brokenSentence(who string) string {
	switch e.Type {
	case TypeNetwork:
		return "cannot reach " + who + e.quoted() + ": check the network, the proxy and the base URL"
	case TypeIdle:
		return who + " stopped answering" + e.quoted() + ": try again"
	case TypeCut:
		return "the answer of " + who + " was cut off before it was whole: try again"
	case TypeBadJSON:
		return who + " sent an answer that cannot be read" + e.quoted() + ": try again, or choose another model (/model)"
	case TypeBaseURL:
		return "the address of " + who + " is not that of a model server" + e.quoted() + ": check its base URL"
	default:
		return strings.TrimSpace(who + " failed" + e.quoted())
	}
}

// statusSentence is for what the server said with a status.
func (e *Error) statusSentence(who string) string {
	again := "try again in a while"
	if e.RetryAfter > 0 {
		again = "try again in " + chat.Seconds(e.RetryAfter)
	}
	t := strings.ToLower(e.Type)
	switch {
	case e.Status == 429 || strings.HasPrefix(t, "rate_limit"):
		return who + " limits how often it may be asked" + e.quoted() + ": " + again
	case e.Status == 529 || e.Status == 503 || t == "overloaded_error":
		return who + " is overloaded" + e.quoted() + ": " + again
	case e.Transient:
		return who + " failed" + e.status() + e.quoted() + ": " + again
	default:
		return who + " did not accept the request" + e.status() + e.quoted()
	}
}

func (e *Error) status() string {
	if e.Status == 0 || e.Status == 200 {
		return ""
	}
	return fmt.Sprintf(" with status %d", e.Status)
}

func (e *Error) quoted() string {
	if e.Message == "" {
		return ""
	}
	return " (" + strings.TrimRight(e.Message, ". ") + ")"
}

// modelIDs are the known ids of one provider's models.
func modelIDs(provider string) []string {
	var ids []string
	for _, m := range Catalogue() {
		if m.Provider == provider {
			ids = append(ids, m.ID)
		}
	}
	return ids
}
