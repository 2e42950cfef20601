// Package schematest checks that the query.Schema of a resource reads the same values from a record
// as documents show.
package schematest

import (
	"testing"

	"lyceum/domain/query"
)

// Attributes checks that the keys of shown are exactly the attributes of s that clients may use.
// full is a record without zero values, and shown contains its values as documents show them. For
// each value, Attributes checks that a filter by the value finds full and not the zero record.
func Attributes[T any](t *testing.T, s query.Schema[T], full T, shown map[string]string) {
	t.Helper()
	for _, name := range s.Names() {
		value, ok := shown[name]
		if !ok {
			t.Errorf("%s: the test does not know this attribute", name)
			continue
		}
		pair := query.Term{Param: name, Path: []string{name, "eq"}, Value: value}
		if !finds(t, s, query.Request{Terms: []query.Term{pair}}, full) {
			t.Errorf("%s: %q does not find the record", name, value)
		}
		var zero T
		if finds(t, s, query.Request{Terms: []query.Term{pair}}, zero) {
			t.Errorf("%s: %q finds the zero record too", name, value)
		}
	}
	if len(shown) != len(s.Names()) {
		t.Errorf("the test names %d attributes, the schema has %d", len(shown), len(s.Names()))
	}
}

// Search checks that q finds full by each word in found, and by no word in missed.
func Search[T any](t *testing.T, s query.Schema[T], full T, found, missed []string) {
	t.Helper()
	for _, word := range found {
		if !finds(t, s, query.Request{Search: word}, full) {
			t.Errorf("q=%s does not find the record", word)
		}
	}
	for _, word := range missed {
		if finds(t, s, query.Request{Search: word}, full) {
			t.Errorf("q=%s finds the record", word)
		}
	}
}

// Order returns the default order of s in the syntax of the sort parameter.
func Order[T any](s query.Schema[T]) string {
	var spec string
	for i, o := range s.Default() {
		if i > 0 {
			spec += ","
		}
		if o.Desc {
			spec += "-"
		}
		spec += o.Attr.Name
	}
	return spec
}

func finds[T any](t *testing.T, s query.Schema[T], r query.Request, row T) bool {
	t.Helper()
	q, err := query.Build(s, r)
	if err != nil {
		t.Error(err)
		return false
	}
	return len(s.Evaluate(q, []T{row}).Items) == 1
}
