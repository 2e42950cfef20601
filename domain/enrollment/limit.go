package enrollment

import "lyceum/domain/fault"

// MaxAdded is the maximum number of enrollments that may be added through groups by one request, by
// one row of a bulk request or by one line of a file. They are built in memory and need about 1 KB
// each.
const MaxAdded = 100_000

// CheckAdded returns a fault if n enrollments are too many for one request.
func CheckAdded(n int) error {
	if n > MaxAdded {
		return fault.Invalidf("", "would add %d enrollments (maximum is %d per request)", n, MaxAdded)
	}
	return nil
}
