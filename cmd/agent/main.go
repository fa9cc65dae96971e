// Command agent is a coding agent for the terminal.
package main

func main() {}
