// Package bash runs shell lines: Tool for a model, Bang for what a person types
// behind "!". Both go to one executor with one kind of output window, artifact
// and result. Only the tool's lines are normalised and intercepted; a person's
// line is run exactly as typed.
//
// A tool call passes, in this order: arguments, normalising, interceptor, (the
// agent asks for permission), directory, timeout, run, result. A call that is
// blocked touches nothing.
package bash
