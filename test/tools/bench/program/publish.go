package program

import (
	"bytes"
	"fmt"
	"os"
)

// Publish replaces the table in a Markdown file, or prints it if file is blank. The table is
// between a comment that names the make target and a comment that ends the table.
func Publish(file, target, table string) error {
	if file == "" {
		_, err := fmt.Fprint(os.Stdout, table)
		return err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	begin, end := "<!-- table: make "+target+" writes the text below -->\n", "<!-- end of the table -->\n"
	before, rest, found := bytes.Cut(text, []byte(begin))
	_, after, closed := bytes.Cut(rest, []byte(end))
	if !found || !closed {
		return fmt.Errorf("%s: no place for the table of make %s", file, target)
	}
	all := string(before) + begin + "\n" + table + "\n" + end + string(after)
	return os.WriteFile(file, []byte(all), 0o644)
}
