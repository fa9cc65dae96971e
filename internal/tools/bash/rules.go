package bash

// DefaultRules point from the usual shell programs to the tools that do the
// same. Their patterns see a command as its words with single spaces and, for
// each file that it writes, " > file" behind them.
func DefaultRules() []Rule {
	return []Rule{
		{Pattern: `^(echo|printf|cat)\b.* > `, Tool: "write", Message: "Use the write tool to create or replace files."},
		{Pattern: `^(cat|less|more)( -[A-Za-z]+)* [^-<>][^<>]*$`, Tool: "read", Message: "Use the read tool to look at files; it takes offset and limit."},
		{Pattern: `^(head|tail)( -[0-9]+| -[nc] ?[0-9+-]+[a-zA-Z]*| -[qv])* [^-<>0-9][^<>]*$`, Tool: "read", Message: "Use the read tool to look at files; it takes offset and limit."},
		{Pattern: `^(grep|egrep|fgrep|rg|ripgrep|ag|ack) `, Tool: "grep", Message: "Use the grep tool to search the content of files."},
		{Pattern: `^find .*-(i?name|i?path|i?regex|type) `, Tool: "find", Message: "Use the find tool to find files by name."},
		{Pattern: `^(fd|fdfind|locate) `, Tool: "find", Message: "Use the find tool to find files by name."},
		{Pattern: `^sed\b.* (-[a-zA-Z]*i|--in-place)`, Tool: "edit", Message: "Use the edit tool to change files."},
		{Pattern: `^perl\b.* -[a-zA-Z]*i`, Tool: "edit", Message: "Use the edit tool to change files."},
		{Pattern: `^awk\b.* -i inplace`, Tool: "edit", Message: "Use the edit tool to change files."},
	}
}
