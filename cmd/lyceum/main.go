// Command lyceum runs the Lyceum server and manages its schools, keys and database.
package main

import "lyceum/cmd/cli"

func main() { cli.Main() }
