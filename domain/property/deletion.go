package property

import (
	"unicode/utf8"

	"lyceum/domain/fault"
)

// CheckNumber returns a fault if a school would have too many definitions for a resource.
func CheckNumber(n int) error {
	if n > MaxDefinitions {
		return fault.Invalidf("resource", "has too many definitions (maximum is %d)", MaxDefinitions)
	}
	return nil
}

// Counts returns records, the number of records that have a value, under its name in documents.
func (s State) Counts(records int64) map[string]int64 {
	return map[string]int64{s.Resource.name: records}
}

// CheckDeletion returns a Conflict with the number of records that have a value, unless the number
// is 0. The client must ask explicitly to delete the values.
func (s State) CheckDeletion(records int64) error {
	if records == 0 {
		return nil
	}
	f := fault.Conflictf("", "Records have values of this property that would be deleted with it. Repeat the request with force=true to delete them")
	f.Counts = s.Counts(records)
	return f
}

// MaxSizeOfOthers returns the maximum size, in bytes, of the properties that a record has besides the
// property id, given all definitions for its resource. Only texts count, because other values are
// short.
func MaxSizeOfOthers(defined []State, id ID) int {
	n := 0
	for _, d := range defined {
		if d.Kind == Text && d.ID != id {
			n += MaxText * utf8.UTFMax
		}
	}
	return min(n, MaxBytes)
}
