// Package configs ships the default settings as an embedded file, so that the
// program runs without any file of the user's and the file documents itself.
package configs

import _ "embed"

// Default is default.yaml: every setting there is, with its default value.
//
//go:embed default.yaml
var Default []byte
