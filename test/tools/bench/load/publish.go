package main

import (
	"bytes"
	"fmt"
	"os"
)

// publish replaces the table in the file o.write, or prints it if o.write is blank. It also writes
// the plot if o.plot is set. target is the make target that calls this command.
func (o options) publish(target, table, plot string) error {
	if o.plot != "" {
		if err := os.WriteFile(o.plot, []byte(plot), 0o644); err != nil {
			return err
		}
	}
	if o.write == "" {
		_, err := fmt.Fprint(os.Stdout, table)
		return err
	}
	text, err := os.ReadFile(o.write)
	if err != nil {
		return err
	}
	begin, end := "<!-- table: make "+target+" writes the text below -->\n", "<!-- end of the table -->\n"
	before, rest, found := bytes.Cut(text, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !found || !closed {
		return fmt.Errorf("%s: no place for the table of make %s", o.write, target)
	}
	all := string(before) + begin + "\n" + table + "\n" + end + string(after)
	return os.WriteFile(o.write, []byte(all), 0o644)
}
