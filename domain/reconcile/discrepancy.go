package reconcile

import "time"

// value is a derived value as it is stored and as it should be.
type value struct{ name, stored, right string }

// differences returns a discrepancy for each value whose stored and expected values differ.
func differences(record string, values ...value) []Discrepancy {
	var found []Discrepancy
	for _, v := range values {
		if v.stored != v.right {
			found = append(found, Discrepancy{Record: record, Value: v.name, Stored: v.stored, Expected: v.right})
		}
	}
	return found
}

// instant formats a time for display to an operator; nil becomes "none".
func instant(t *time.Time) string {
	if t == nil {
		return "none"
	}
	return t.UTC().Format(time.RFC3339Nano)
}
