package query

import "github.com/google/uuid"

// HasID returns the condition that an attribute is id or, if its values are sets, contains id.
func HasID(attr Attr, id uuid.UUID) Cond {
	return Cond{Attr: attr, Op: Eq, Values: []Value{{ID: id}}}
}

// HasAnyID returns the condition that HasID holds for one of ids. Without ids it never holds.
func HasAnyID[ID ~struct{ uuid.UUID }](attr Attr, ids []ID) Cond {
	c := Cond{Attr: attr, Op: Eq}
	for _, id := range ids {
		c.Values = append(c.Values, Value{ID: struct{ uuid.UUID }(id).UUID})
	}
	return c
}
