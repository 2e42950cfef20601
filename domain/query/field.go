package query

import (
	"math/big"
	"time"

	"github.com/google/uuid"
)

// Field is one attribute of records of type T and the function that reads it.
type Field[T any] struct {
	attr     Attr
	get      func(*T) Value
	searched bool
	hidden   bool
	constant bool // the same in every record, and not stored
}

// Searched returns the text field f as a field that q searches.
func (f Field[T]) Searched() Field[T] {
	f.searched = true
	return f
}

// Hidden returns f as a hidden field. Clients cannot refer to the field, but use cases, searches
// and links can.
func (f Field[T]) Hidden() Field[T] {
	f.hidden = true
	return f
}

func field[T any](name string, kind Kind, nullable bool, get func(*T) Value) Field[T] {
	return Field[T]{attr: Attr{Name: name, Source: name, Kind: kind, Nullable: nullable}, get: get}
}

// TextField returns a field of kind Text.
func TextField[T any](name string, get func(*T) string) Field[T] {
	return field(name, Text, false, func(r *T) Value { return Value{Text: get(r)} })
}

// OptionalText returns a field of kind Text that may be null.
func OptionalText[T any](name string, get func(*T) *string) Field[T] {
	return field(name, Text, true, func(r *T) Value {
		if s := get(r); s != nil {
			return Value{Text: *s}
		}
		return Value{Null: true}
	})
}

// TokenField returns a field of kind Token.
func TokenField[T any](name string, get func(*T) string) Field[T] {
	return field(name, Token, false, func(r *T) Value { return Value{Text: get(r)} })
}

// CompositeField returns a field of kind Token that consists of the given number of UUIDs, joined
// by colons.
func CompositeField[T any](name string, parts int, get func(*T) string) Field[T] {
	f := TokenField(name, get)
	f.attr.Parts = parts
	return f
}

// UUIDField returns a field of kind UUID.
func UUIDField[T any](name string, get func(*T) uuid.UUID) Field[T] {
	return field(name, UUID, false, func(r *T) Value { return Value{ID: get(r)} })
}

// OptionalUUID returns a field of kind UUID that may be null.
func OptionalUUID[T any](name string, get func(*T) *uuid.UUID) Field[T] {
	return field(name, UUID, true, func(r *T) Value {
		if id := get(r); id != nil {
			return Value{ID: *id}
		}
		return Value{Null: true}
	})
}

// UUIDsField returns a field of kind UUIDs.
func UUIDsField[T any, ID ~struct{ uuid.UUID }](name string, get func(*T) []ID) Field[T] {
	return field(name, UUIDs, true, func(r *T) Value {
		ids := get(r)
		v := Value{Null: len(ids) == 0}
		for _, id := range ids {
			v.IDs = append(v.IDs, struct{ uuid.UUID }(id).UUID)
		}
		return v
	})
}

// IntegerField returns a field of kind Integer.
func IntegerField[T any](name string, get func(*T) int64) Field[T] {
	return field(name, Integer, false, func(r *T) Value { return Value{Int: get(r)} })
}

// OptionalNumber returns a field of kind Number that may be null; get returns nil for null.
func OptionalNumber[T any](name string, get func(*T) *big.Rat) Field[T] {
	return field(name, Number, true, func(r *T) Value {
		n := get(r)
		return Value{Null: n == nil, Num: n}
	})
}

// BooleanField returns a field of kind Boolean.
func BooleanField[T any](name string, get func(*T) bool) Field[T] {
	return field(name, Boolean, false, func(r *T) Value { return Value{Bool: get(r)} })
}

// DateField returns a field of kind Date that may be null.
func DateField[T any](name string, get func(*T) *time.Time) Field[T] {
	return instant(name, Date, get)
}

// TimeField returns a field of kind Timestamp.
func TimeField[T any](name string, get func(*T) time.Time) Field[T] {
	return field(name, Timestamp, false, func(r *T) Value { return Value{From: get(r)} })
}

// OptionalTime returns a field of kind Timestamp that may be null.
func OptionalTime[T any](name string, get func(*T) *time.Time) Field[T] {
	return instant(name, Timestamp, get)
}

func instant[T any](name string, kind Kind, get func(*T) *time.Time) Field[T] {
	return field(name, kind, true, func(r *T) Value {
		if t := get(r); t != nil {
			return Value{From: *t}
		}
		return Value{Null: true}
	})
}
