// Package headless answers one prompt without a screen and prints what comes of
// it: the last answer as text, or every event as a line of JSON. It reads the
// same feed as the screen does, asks nobody anything, and decides no exit code.
package headless
