package query

import (
	"math/big"
	"time"

	"github.com/google/uuid"
)

// Field is one attribute of records of type T and the function that reads it.
type Field[T any] struct{ field field }

// field is a Field without its type parameter. Everything that does not call the functions of the
// caller is written for field, so that the compiler does not repeat it for each type of records.
type field struct {
	attr     Attr
	get      func(row any) Value // row is a *T
	searched bool
	hidden   bool
	constant bool // the same in every record, and not stored
}

// Searched returns the text field f as a field that q searches.
func (f Field[T]) Searched() Field[T] {
	f.field.searched = true
	return f
}

// Hidden returns f as a hidden field. Clients cannot refer to the field, but use cases, searches
// and links can.
func (f Field[T]) Hidden() Field[T] {
	f.field.hidden = true
	return f
}

func newField(name string, kind Kind, nullable bool, get func(row any) Value) field {
	return field{attr: Attr{Name: name, Source: name, Kind: kind, Nullable: nullable}, get: get}
}

// TextField returns a field of kind Text.
func TextField[T any](name string, get func(*T) string) Field[T] {
	return Field[T]{newField(name, Text, false, func(row any) Value { return Value{Text: get(row.(*T))} })}
}

// OptionalText returns a field of kind Text that may be null.
func OptionalText[T any](name string, get func(*T) *string) Field[T] {
	return Field[T]{newField(name, Text, true, func(row any) Value {
		if s := get(row.(*T)); s != nil {
			return Value{Text: *s}
		}
		return Value{Null: true}
	})}
}

// TokenField returns a field of kind Token.
func TokenField[T any](name string, get func(*T) string) Field[T] {
	return Field[T]{newField(name, Token, false, func(row any) Value { return Value{Text: get(row.(*T))} })}
}

// CompositeField returns a field of kind Token that consists of the given number of UUIDs, joined
// by colons.
func CompositeField[T any](name string, parts int, get func(*T) string) Field[T] {
	f := TokenField(name, get)
	f.field.attr.Parts = parts
	return f
}

// UUIDField returns a field of kind UUID.
func UUIDField[T any](name string, get func(*T) uuid.UUID) Field[T] {
	return Field[T]{newField(name, UUID, false, func(row any) Value { return Value{ID: get(row.(*T))} })}
}

// OptionalUUID returns a field of kind UUID that may be null.
func OptionalUUID[T any](name string, get func(*T) *uuid.UUID) Field[T] {
	return Field[T]{newField(name, UUID, true, func(row any) Value {
		if id := get(row.(*T)); id != nil {
			return Value{ID: *id}
		}
		return Value{Null: true}
	})}
}

// UUIDsField returns a field of kind UUIDs.
func UUIDsField[T any, ID ~struct{ uuid.UUID }](name string, get func(*T) []ID) Field[T] {
	return Field[T]{newField(name, UUIDs, true, func(row any) Value {
		ids := get(row.(*T))
		v := Value{Null: len(ids) == 0}
		for _, id := range ids {
			v.IDs = append(v.IDs, struct{ uuid.UUID }(id).UUID)
		}
		return v
	})}
}

// IntegerField returns a field of kind Integer.
func IntegerField[T any](name string, get func(*T) int64) Field[T] {
	return Field[T]{newField(name, Integer, false, func(row any) Value { return Value{Int: get(row.(*T))} })}
}

// OptionalNumber returns a field of kind Number that may be null; get returns nil for null.
func OptionalNumber[T any](name string, get func(*T) *big.Rat) Field[T] {
	return Field[T]{newField(name, Number, true, func(row any) Value {
		n := get(row.(*T))
		return Value{Null: n == nil, Num: n}
	})}
}

// BooleanField returns a field of kind Boolean.
func BooleanField[T any](name string, get func(*T) bool) Field[T] {
	return Field[T]{newField(name, Boolean, false, func(row any) Value { return Value{Bool: get(row.(*T))} })}
}

// DateField returns a field of kind Date that may be null.
func DateField[T any](name string, get func(*T) *time.Time) Field[T] {
	return instant(name, Date, get)
}

// TimeField returns a field of kind Timestamp.
func TimeField[T any](name string, get func(*T) time.Time) Field[T] {
	return Field[T]{newField(name, Timestamp, false, func(row any) Value { return Value{From: get(row.(*T))} })}
}

// OptionalTime returns a field of kind Timestamp that may be null.
func OptionalTime[T any](name string, get func(*T) *time.Time) Field[T] {
	return instant(name, Timestamp, get)
}

func instant[T any](name string, kind Kind, get func(*T) *time.Time) Field[T] {
	return Field[T]{newField(name, kind, true, func(row any) Value {
		if t := get(row.(*T)); t != nil {
			return Value{From: *t}
		}
		return Value{Null: true}
	})}
}
