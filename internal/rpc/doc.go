// Package rpc serves a session to another program: commands come in as JSON
// objects, one on a line, and go out as responses and events, one on a line.
// docs/rpc.md describes them, docs/rpc.schema.json says so exactly.
//
// What it promises: the output carries nothing else. Every command gets one
// response, with its id if it had one. A command that takes time does not hold
// up others, so "abort_bash" works while "bash" runs. Whoever reads slowly sees
// fewer updates and never a wrong end, and makes nothing pile up here. When the
// input ends, what runs may end too, while somebody still reads.
package rpc
