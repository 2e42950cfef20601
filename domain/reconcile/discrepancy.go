package reconcile

import "time"

// value is a derived value as stored and as expected.
type value struct{ name, stored, right string }

// differences returns the discrepancies among values.
func differences(record string, values ...value) []Discrepancy {
	var found []Discrepancy
	for _, v := range values {
		if v.stored != v.right {
			found = append(found, Discrepancy{Record: record, Value: v.name, Stored: v.stored, Expected: v.right})
		}
	}
	return found
}

// instant formats a time for the operator.
func instant(t *time.Time) string {
	if t == nil {
		return "none"
	}
	return t.UTC().Format(time.RFC3339Nano)
}
