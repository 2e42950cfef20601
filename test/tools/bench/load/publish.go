package main

import (
	"os"

	"lyceum/test/tools/bench/program"
)

// publish replaces the table in the file o.write, or prints it if o.write is blank. It also writes
// the plot if o.plot is set. target is the make target that calls this command.
func (o options) publish(target, table, plot string) error {
	if o.plot != "" {
		if err := os.WriteFile(o.plot, []byte(plot), 0o644); err != nil {
			return err
		}
	}
	return program.Publish(o.write, target, table)
}
