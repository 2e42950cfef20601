package ledger

import "time"

// value is a value as it is stored and as it should be.
type value struct{ name, stored, right string }

// differences returns those of values that are not stored as they should be.
func differences(record string, values ...value) []Difference {
	var found []Difference
	for _, v := range values {
		if v.stored != v.right {
			found = append(found, Difference{Record: record, Value: v.name, Stored: v.stored, Right: v.right})
		}
	}
	return found
}

// instant writes a time for people; nil is none.
func instant(t *time.Time) string {
	if t == nil {
		return "none"
	}
	return t.UTC().Format(time.RFC3339Nano)
}
