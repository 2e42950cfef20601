package enrollment

import "lyceum/domain/fault"

// MaxAdded is the maximum number of enrollments that one request, or one row of a bulk request or
// of a file, may add through groups. They are built in memory, at about 1 KB each.
const MaxAdded = 100_000

// CheckAdded returns a fault if a request may not add n enrollments.
func CheckAdded(n int) error {
	if n > MaxAdded {
		return fault.Invalidf("", "would add %d enrollments (maximum is %d per request)", n, MaxAdded)
	}
	return nil
}
