package query

import "lyceum/domain/text"

// Record is a row beside the folds of its texts, so that a list folds nothing
// while it compares.
type Record[T any] struct {
	Row   T
	folds []string // by position of the field in the schema; "" where it is no text
}

// Record returns row with the folds of its texts.
func (s Schema[T]) Record(row T) *Record[T] {
	r := &Record[T]{Row: row, folds: make([]string, len(s.fields))}
	for i, f := range s.fields {
		if f.attr.Kind == Text {
			r.folds[i] = text.Fold(f.get(&r.Row).Text)
		}
	}
	return r
}
