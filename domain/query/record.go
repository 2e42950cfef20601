package query

import "lyceum/domain/text"

// Record is a row with the folds of its texts, so that a comparison does not compute a fold twice.
type Record[T any] struct {
	Row   T
	folds folds
}

// folds contains the folds of the texts of a row.
type folds struct {
	texts []string // by index of the field in the schema; "" if the field is not a text
	known []bool   // fields whose fold has been computed; nil: all
}

// Entry is a Record without its type parameter.
type Entry struct {
	row   any // a *T
	folds *folds
}

// Row returns the row, as a pointer.
func (e Entry) Row() any { return e.row }

// Entry returns r without its type parameter.
func (r *Record[T]) Entry() Entry { return Entry{&r.Row, &r.folds} }

// Record returns row with the folds of all its texts. It may be read by many goroutines
// concurrently.
func (s Schema[T]) Record(row T) *Record[T] {
	r := &Record[T]{Row: row}
	r.folds.texts = s.attributes.folds(&r.Row)
	return r
}

func (s *Attributes) folds(row any) []string {
	texts := make([]string, len(s.fields))
	for i, f := range s.fields {
		if f.attr.Kind == Text {
			texts[i] = text.Fold(f.get(row).Text)
		}
	}
	return texts
}

// LazyRecord is like Record, but for a single use by one goroutine: it computes the fold of a text
// only when it is needed.
func (s Schema[T]) LazyRecord(row T) *Record[T] {
	n := len(s.attributes.fields)
	return &Record[T]{Row: row, folds: folds{texts: make([]string, n), known: make([]bool, n)}}
}

// fold returns the fold of the text in the field with the given index in the schema.
func (e Entry) fold(field int, get func(row any) Value) string {
	f := e.folds
	if f.known != nil && !f.known[field] {
		f.texts[field], f.known[field] = text.Fold(get(e.row).Text), true
	}
	return f.texts[field]
}
