package query

import "lyceum/domain/text"

// Record is a row with the folds of its texts, so that a comparison does not compute a fold twice.
type Record[T any] struct {
	Row   T
	folds []string // by index of the field in the schema; "" if the field is not a text
	known []bool   // fields whose fold has been computed; nil: all
}

// Record returns row with the folds of all its texts. It may be read by many goroutines
// concurrently.
func (s Schema[T]) Record(row T) *Record[T] {
	r := &Record[T]{Row: row, folds: make([]string, len(s.fields))}
	for i, f := range s.fields {
		if f.attr.Kind == Text {
			r.folds[i] = text.Fold(f.get(&r.Row).Text)
		}
	}
	return r
}

// LazyRecord is like Record, but for a single use by one goroutine: it computes the fold of a text
// only when it is needed.
func (s Schema[T]) LazyRecord(row T) *Record[T] {
	return &Record[T]{Row: row, folds: make([]string, len(s.fields)), known: make([]bool, len(s.fields))}
}

// fold returns the fold of the text in the field with the given index in the schema.
func (r *Record[T]) fold(field int, get func(*T) Value) string {
	if r.known != nil && !r.known[field] {
		r.folds[field], r.known[field] = text.Fold(get(&r.Row).Text), true
	}
	return r.folds[field]
}
