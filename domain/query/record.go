package query

import "lyceum/domain/text"

// Record is a row beside the folds of its texts, so that a list folds nothing
// twice while it compares.
type Record[T any] struct {
	Row   T
	folds []string // by position of the field in the schema; "" where it is no text
	known []bool   // of which fields the fold is there; nil: of all
}

// Record returns row with the folds of its texts, to be kept: any number of
// goroutines may read it.
func (s Schema[T]) Record(row T) *Record[T] {
	r := &Record[T]{Row: row, folds: make([]string, len(s.fields))}
	for i, f := range s.fields {
		if f.attr.Kind == Text {
			r.folds[i] = text.Fold(f.get(&r.Row).Text)
		}
	}
	return r
}

// Glance returns row for one query of one goroutine: a text is folded when it is
// asked for, as most never are.
func (s Schema[T]) Glance(row T) *Record[T] {
	return &Record[T]{Row: row, folds: make([]string, len(s.fields)), known: make([]bool, len(s.fields))}
}

// fold returns the fold of the text in the field at a position of the schema.
func (r *Record[T]) fold(field int, get func(*T) Value) string {
	if r.known != nil && !r.known[field] {
		r.folds[field], r.known[field] = text.Fold(get(&r.Row).Text), true
	}
	return r.folds[field]
}
