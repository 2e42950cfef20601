package query

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Schema contains the attributes by which lists of a resource can be filtered, searched and sorted.
// It is immutable; With returns a modified copy.
type Schema[T any] struct{ attributes Attributes }

// Attributes is a Schema without its type parameter, for code that the compiler should not repeat
// for each type of records.
type Attributes struct {
	fields []field
	sort   []Order

	property func(row any, a Attr) Value // reads an attribute that is a property; nil if records have no properties
	closed   []string                    // names of properties by which lists cannot be filtered
}

// Define returns the schema with the given fields. Names must be unique and must not be reserved by
// the filter language. One field must be "uuid", which identifies a record and breaks ties; a
// resource without an id hides it. Define panics otherwise.
func Define[T any](fields ...Field[T]) Schema[T] {
	all := make([]field, len(fields))
	for i, f := range fields {
		all[i] = f.field
	}
	return Schema[T]{define(all)}
}

func define(fields []field) Attributes {
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
	s := Attributes{fields: fields}
	for i, f := range s.fields {
		if f.attr.Derived != nil {
			s.fields[i] = s.resolved(f)
		}
	}
	return s
}

// OrderBy returns the schema with the default order, written like the sort parameter: names
// separated by commas, with a leading hyphen for descending order. It panics if a list cannot be
// sorted by one of the names.
func (s Schema[T]) OrderBy(spec string) Schema[T] {
	s.attributes.orderBy(spec)
	return s
}

func (s *Attributes) orderBy(spec string) {
	s.sort = nil
	for name := range strings.SplitSeq(spec, ",") {
		name, desc := strings.CutPrefix(name, "-")
		f, ok := s.lookup(name)
		if !ok || !f.attr.Kind.Ordered() {
			panic("query: no attribute to order by: " + name)
		}
		s.sort = append(s.sort, Order{Attr: f.attr, Desc: desc})
	}
}

// With returns the schema with an additional attribute for a link that only the transport can
// build. The link consists of prefix, the text of the stored attribute source, and suffix. The
// prefix must end and the suffix must start with an ASCII character, so that the fold of the link
// is the concatenation of the folds of its parts. With panics if they do not, or if source is not a
// text attribute.
func (s Schema[T]) With(name, prefix, source, suffix string) Schema[T] {
	s.attributes.with(name, prefix, source, suffix)
	return s
}

func (s *Attributes) with(name, prefix, source, suffix string) {
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
}

// WithConstant returns the schema with an additional attribute of kind UUID. It has the value id in
// every record and is not stored. Build evaluates conditions on it, so that stores never see them.
func (s Schema[T]) WithConstant(name string, id uuid.UUID) Schema[T] {
	f := newField(name, UUID, false, func(any) Value { return Value{ID: id} })
	f.constant = true
	s.attributes.fields = append(slices.Clip(s.attributes.fields), f)
	return s
}

// Only returns the schema in which clients may use only the attributes with the given names.
func (s Schema[T]) Only(names ...string) Schema[T] {
	s.attributes.only(names)
	return s
}

func (s *Attributes) only(names []string) {
	s.fields = slices.Clone(s.fields)
	for i, f := range s.fields {
		if !slices.Contains(names, f.attr.Name) {
			s.fields[i].hidden, s.fields[i].searched = true, false
		}
	}
}

// Names returns the names of the attributes that clients may use, in the order of the schema.
func (s Schema[T]) Names() []string { return s.attributes.names() }

func (s *Attributes) names() []string {
	var names []string
	for _, f := range s.fields {
		if !f.hidden {
			names = append(names, f.attr.Name)
		}
	}
	return names
}

// SortNames returns the subset of Names by which lists can be sorted.
func (s Schema[T]) SortNames() []string { return s.attributes.sortNames() }

func (s *Attributes) sortNames() []string {
	return slices.DeleteFunc(s.names(), func(name string) bool { return !s.attr(name).Kind.Ordered() })
}

// Attr returns the attribute with the given name, hidden or not; "id" is another name for "uuid".
// It panics if the attribute does not exist, because use cases refer only to existing attributes.
func (s Schema[T]) Attr(name string) Attr { return s.attributes.attr(name) }

func (s *Attributes) attr(name string) Attr {
	f, ok := s.lookup(name)
	if !ok {
		panic("query: no attribute " + name)
	}
	return f.attr
}

// Attrs returns every attribute of the schema, including hidden ones.
func (s Schema[T]) Attrs() []Attr { return s.attributes.attrs() }

func (s *Attributes) attrs() []Attr {
	attrs := make([]Attr, len(s.fields))
	for i, f := range s.fields {
		attrs[i] = f.attr
	}
	return attrs
}

// Default returns the order of a list if the request has no sort parameter.
func (s Schema[T]) Default() []Order { return s.attributes.sort }

// Default is like Schema.Default.
func (s *Attributes) Default() []Order { return s.sort }

// Attributes returns the attributes of s without the type of the records.
func (s Schema[T]) Attributes() *Attributes { return &s.attributes }

func (s *Attributes) lookup(name string) (field, bool) {
	if name == "id" {
		name = "uuid"
	}
	for _, f := range s.fields {
		if f.attr.Name == name {
			return f, true
		}
	}
	return field{}, false
}
