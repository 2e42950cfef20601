package files

import (
	"regexp"

	"lyceum/domain/fault"
)

// nameForm matches the names that ports.Files allows. No such name leads out of the folder or to a
// hidden file.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9-]+(?:/[A-Za-z0-9-]+)*$`)

// check returns Invalid if name is not a valid file name.
func check(name string) error {
	if !nameForm.MatchString(name) {
		return fault.Invalidf("name", "is not a valid file name")
	}
	return nil
}
