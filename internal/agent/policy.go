package agent

import (
	"github.com/seed7484d81d/agent/internal/chat"
	"github.com/seed7484d81d/agent/internal/permission"
)

// Policy decides about calls before they run. *permission.Policy is one. It
// must be safe for concurrent use.
type Policy interface {
	Check(call chat.ToolCall, access []chat.Access) permission.Verdict
	Grant(rules []string, decision chat.Decision)
	SetMode(mode permission.Mode)
	Mode() permission.Mode
}
