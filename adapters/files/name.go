package files

import (
	"regexp"

	"lyceum/domain/fault"
)

// nameForm is the form of names that ports.Files allows: no name leads out of the folder or to
// a hidden file.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9-]+(?:/[A-Za-z0-9-]+)*$`)

// check returns Invalid if name is not a valid name of a file.
func check(name string) error {
	if !nameForm.MatchString(name) {
		return fault.Invalidf("name", "is not a valid file name")
	}
	return nil
}
