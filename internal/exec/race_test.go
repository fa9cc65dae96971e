//go:build race

package exec

const raceDetector = true
