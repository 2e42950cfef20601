package query

import "lyceum/domain/text"

// Record is a row with the folds of its texts, so that a comparison does not compute a fold twice.
type Record[T any] struct {
	Row   T
	folds folds
}

// folds contains the folds of the texts of a row.
type folds struct {
	texts []string // in the order of the fields of kind Text in the schema
	known []bool   // texts whose fold has been computed; nil: all
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
	texts := make([]string, 0, s.texts())
	for _, f := range s.fields {
		if f.attr.Kind == Text {
			texts = append(texts, text.Fold(f.get(row).Text))
		}
	}
	return texts
}

// texts returns the number of fields of kind Text.
func (s *Attributes) texts() (n int) {
	for _, f := range s.fields {
		if f.attr.Kind == Text {
			n++
		}
	}
	return n
}

// LazyRecord is like Record, but for a single use by one goroutine: it computes the fold of a text
// only when it is needed.
func (s Schema[T]) LazyRecord(row T) *Record[T] {
	n := s.attributes.texts()
	return &Record[T]{Row: row, folds: folds{texts: make([]string, n), known: make([]bool, n)}}
}

// fold returns the fold of the text with the given index among the fields of kind Text. get reads
// the text.
func (e Entry) fold(i int, get func(row any) Value) string {
	f := e.folds
	if f.known != nil && !f.known[i] {
		f.texts[i], f.known[i] = text.Fold(get(e.row).Text), true
	}
	return f.texts[i]
}
