package query

// PropertyPrefix precedes the name of a property in the name of its attribute.
const PropertyPrefix = "properties."

// PropertyAttr returns the attribute for the property with the given name and kind.
func PropertyAttr(name string, kind Kind) Attr {
	full := PropertyPrefix + name
	return Attr{Name: full, Source: full, Kind: kind, Nullable: true, Property: name}
}

// WithProperties returns the schema for records that have properties, which each school defines.
// get reads a property; it must return null if the record has no value of the attribute's kind, and
// it must set Fold for a Text. Stores use this schema, without a list of the properties: each
// attribute of a query names its property.
func (s Schema[T]) WithProperties(get func(*T, Attr) Value) Schema[T] {
	s.attributes.property = func(row any, a Attr) Value { return get(row.(*T), a) }
	return s
}

// Extend returns the schema with the properties attrs as additional attributes. closed contains the
// names of properties by which lists cannot be filtered. Extend panics if the records have no
// properties.
func (s Schema[T]) Extend(attrs []Attr, closed []string) Schema[T] {
	s.attributes.extend(attrs, closed)
	return s
}

func (s *Attributes) extend(attrs []Attr, closed []string) {
	if s.property == nil {
		panic("query: records without properties")
	}
	fields := s.fields[:len(s.fields):len(s.fields)]
	for _, a := range attrs {
		fields = append(fields, field{attr: a, get: s.propertyGetter(a)})
	}
	s.fields, s.closed = fields, closed
}

func (s *Attributes) propertyGetter(a Attr) func(row any) Value {
	property := s.property
	return func(row any) Value { return property(row, a) }
}
