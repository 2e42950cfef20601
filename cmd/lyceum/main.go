// Command lyceum runs the Lyceum server and does the operator's work.
package main

import "lyceum/cmd/cli"

func main() { cli.Main() }
