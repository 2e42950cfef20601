package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Schema is the attributes of a resource that lists can be filtered, searched
// and sorted by. It is immutable; With returns a changed copy.
type Schema[T any] struct {
	fields []Field[T]
	sort   []Order
}

// Define returns the schema with the given fields. Names must be unique, and
// one of the fields must be the "uuid" that identifies a record and decides
// ties; a resource without an id hides it. It panics when that is not so, and
// when a field has a name that the filter language keeps for itself.
func Define[T any](fields ...Field[T]) Schema[T] {
	seen := map[string]bool{"": true, "and": true, "or": true, "id": true}
	for _, f := range fields {
		if seen[f.attr.Name] {
			panic("query: reserved or repeated attribute " + f.attr.Name)
		}
		seen[f.attr.Name] = true
	}
	if !seen["uuid"] {
		panic("query: no attribute uuid")
	}
	s := Schema[T]{fields: fields}
	for i, f := range s.fields {
		if f.attr.Derived != nil {
			s.fields[i] = s.resolved(f)
		}
	}
	return s
}

// OrderBy returns the schema with the default order, written as in the sort
// parameter: names separated by commas, a leading hyphen turns one round.
func (s Schema[T]) OrderBy(spec string) Schema[T] {
	s.sort = nil
	for name := range strings.SplitSeq(spec, ",") {
		name, desc := strings.CutPrefix(name, "-")
		f, ok := s.lookup(name)
		if !ok || !f.attr.Kind.Ordered() {
			panic("query: no attribute to order by: " + name)
		}
		s.sort = append(s.sort, Order{Attr: f.attr, Desc: desc})
	}
	return s
}

// With returns the schema with one more attribute, name, which is shown as
// prefix, the text of the stored attribute source, suffix: a link that only the
// transport knows how to write. A prefix must end and a suffix begin with an
// ASCII character, so that the fold of the whole is that of the pieces; it
// panics when one does not, or when there is no text attribute source.
func (s Schema[T]) With(name, prefix, source, suffix string) Schema[T] {
	f, ok := s.lookup(source)
	if !ok || f.attr.Kind != Text {
		panic("query: no text attribute to derive from: " + source)
	}
	if prefix != "" && prefix[len(prefix)-1] >= utf8.RuneSelf || suffix != "" && suffix[0] >= utf8.RuneSelf {
		panic("query: not ASCII where the stored text begins or ends: " + name)
	}
	f.attr.Name, f.attr.Prefix, f.attr.Suffix = name, prefix, suffix
	f.hidden, f.searched = false, false
	s.fields = append(s.fields[:len(s.fields):len(s.fields)], f)
	return s
}

// WithConstant returns the schema with one more attribute of kind UUID, name,
// which is id in every record: what the records have in common and so do not
// hold. Build decides its conditions; stores do not know it.
func (s Schema[T]) WithConstant(name string, id uuid.UUID) Schema[T] {
	f := UUIDField(name, func(*T) uuid.UUID { return id })
	f.constant = true
	s.fields = append(s.fields[:len(s.fields):len(s.fields)], f)
	return s
}

// Names returns the attributes that clients may use, in the order of the schema.
func (s Schema[T]) Names() []string {
	var names []string
	for _, f := range s.fields {
		if !f.hidden {
			names = append(names, f.attr.Name)
		}
	}
	return names
}

// SortNames returns those of Names that lists can be sorted by.
func (s Schema[T]) SortNames() []string {
	return slices.DeleteFunc(s.Names(), func(name string) bool { return !s.Attr(name).Kind.Ordered() })
}

// Attr returns the attribute called name, hidden ones included; "id" is another
// name of "uuid". It panics when there is none: use cases name attributes that
// exist.
func (s Schema[T]) Attr(name string) Attr {
	f, ok := s.lookup(name)
	if !ok {
		panic("query: no attribute " + name)
	}
	return f.attr
}

// Attrs returns every attribute of the schema, hidden ones included.
func (s Schema[T]) Attrs() []Attr {
	attrs := make([]Attr, len(s.fields))
	for i, f := range s.fields {
		attrs[i] = f.attr
	}
	return attrs
}

// Default returns the order of a list whose request names none.
func (s Schema[T]) Default() []Order { return s.sort }

func (s Schema[T]) lookup(name string) (Field[T], bool) {
	if name == "id" {
		name = "uuid"
	}
	for _, f := range s.fields {
		if f.attr.Name == name {
			return f, true
		}
	}
	return Field[T]{}, false
}
