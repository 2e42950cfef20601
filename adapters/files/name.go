package files

import (
	"regexp"

	"lyceum/domain/fault"
)

// nameForm is what ports.Files says of names: nothing that could lead out of a
// folder, or to a hidden file in it.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9-]+(?:/[A-Za-z0-9-]+)*$`)

// check refuses what is no name of a file. It is Invalid: to try again is of no
// use.
func check(name string) error {
	if !nameForm.MatchString(name) {
		return fault.Invalidf("name", "is not the name of a file")
	}
	return nil
}
