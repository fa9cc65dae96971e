// Package agent drives one session: it sends the conversation to a model, runs
// the tools that the model calls after asking for permission, runs the commands
// that the person types with "!", and takes steering, answers and interrupts
// meanwhile. It draws nothing: what happens is told by the session's events,
// and what is, by State.
//
// What it promises, whatever goes wrong:
//
//   - Every stored tool call gets exactly one result, stored in the order of the
//     calls: also when it was refused, interrupted, unknown or panicked.
//   - The request for a model is a pure function of the stored entries and keeps
//     the rules of every provider: results follow their calls at once, no answer
//     is empty, nothing of a private command is in it.
//   - A message of the person leaves the queue when it is in the transcript, or
//     goes back to the editor. It is never lost.
//   - A failed request is sent again only if nothing of its answer was executed.
//
// Goroutines: Run is the inbox; it starts one for the turn and one for each "!"
// command, and the turn starts one for each tool call that runs beside others.
// Run returns when all have ended.
package agent
