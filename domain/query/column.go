package query

import (
	"slices"
	"strings"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// column reads one attribute of a record in a compiled query.
type column struct {
	attr   Attr
	get    func(row any) Value // returns the stored attribute, without prefix and suffix
	text   int                 // index of the stored attribute among those of kind Text; -1 for a property
	prefix string              // the fold of the prefix
	suffix string              // the fold of the suffix
}

// column returns the column of a, which is looked up by its Source.
func (s *Attributes) column(a Attr) column {
	if a.Property != "" && s.property != nil {
		return column{attr: a, get: s.propertyGetter(a), text: -1}
	}
	texts := 0
	for _, f := range s.fields {
		if f.attr.Name == a.Source {
			return column{
				attr: a, get: f.get, text: texts,
				prefix: text.Fold(a.Prefix), suffix: text.Fold(a.Suffix),
			}
		}
		if f.attr.Kind == Text {
			texts++
		}
	}
	panic("query: no stored attribute " + a.Source)
}

// null reports whether the attribute of row is null.
func (c column) null(row any) bool {
	return c.attr.Nullable && c.get(row).Null
}

// fold returns the fold of the displayed text by concatenating the folds of its parts. The result
// equals the fold of the whole text, because the prefix ends and the suffix starts with an ASCII
// character (see With).
func (c column) fold(e Entry) string {
	if c.text < 0 {
		return c.get(e.row).Fold
	}
	fold := e.fold(c.text, c.get)
	if c.prefix == "" && c.suffix == "" {
		return fold
	}
	return c.prefix + fold + c.suffix
}

// equals returns a predicate that reports whether a value that is not null equals one of values. It
// uses a map if the values of the kind can be map keys, because lists of values may be long.
func (c column) equals(values []Value) func(Value) bool {
	switch c.attr.Kind {
	case Text, Token:
		set := make(map[string]struct{}, len(values))
		for _, v := range values {
			if stored, ok := c.storedText(v.Text); ok {
				set[stored] = struct{}{}
			}
		}
		return func(v Value) bool { return has(set, v.Text) }
	case UUID, UUIDs:
		set := make(map[uuid.UUID]struct{}, len(values))
		for _, v := range values {
			set[v.ID] = struct{}{}
		}
		if c.attr.Kind == UUID {
			return func(v Value) bool { return has(set, v.ID) }
		}
		return func(v Value) bool {
			return slices.ContainsFunc(v.IDs, func(id uuid.UUID) bool { return has(set, id) })
		}
	case Integer:
		set := make(map[int64]struct{}, len(values))
		for _, v := range values {
			set[v.Int] = struct{}{}
		}
		return func(v Value) bool { return has(set, v.Int) }
	}
	compare := comparison(c.attr.Kind)
	return func(v Value) bool {
		for i := range values {
			if compare(v, values[i]) >= 0 && !greaterThanAll(c.attr.Kind, v, values[i]) {
				return true
			}
		}
		return false
	}
}

// storedText removes the prefix and the suffix from shown, and reports whether shown has both.
func (c column) storedText(shown string) (string, bool) {
	rest, ok := strings.CutPrefix(shown, c.attr.Prefix)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, c.attr.Suffix)
}

func has[K comparable](set map[K]struct{}, k K) bool {
	_, ok := set[k]
	return ok
}
