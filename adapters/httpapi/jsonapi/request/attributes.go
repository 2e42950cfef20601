package request

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"lyceum/adapters/httpapi/jsonapi"
	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Attribute returns an attribute of the document, parsed by read; nil if it is absent. If read
// returns an error, Attribute adds it to the document and returns the value of read as a
// placeholder.
func Attribute[T any](d *Document, name string, read func(name string, v jsonapi.Value) (T, error)) *T {
	sent := d.Attributes[name]
	if sent.Absent() {
		return nil
	}
	value, err := read(name, sent)
	if err != nil {
		d.Fail(err)
	}
	return &value
}

// Text returns a text attribute; nil if it is absent. Null becomes ""; the domain decides whether
// "" is valid.
func (d *Document) Text(name string) *string { return Attribute(d, name, TextOf) }

// NewText is like Text, for a new resource: an absent attribute becomes "".
func (d *Document) NewText(name string) string {
	if s := d.Text(name); s != nil {
		return *s
	}
	return ""
}

// TextOf returns a text, or "" if it is absent or null.
func TextOf(name string, v jsonapi.Value) (string, error) {
	s, ok := v.Text()
	if !ok && !v.NullOrAbsent() {
		return "", fault.Invalidf(name, "must be a string")
	}
	return s, nil
}

// Valid reports whether the document has no fault on the attribute name.
func (d *Document) Valid(name string) bool {
	return !slices.ContainsFunc(fault.All(fault.Join(d.Faults...)), func(f *fault.Fault) bool { return f.Field == name })
}

// Bool returns a boolean attribute; nil if it is absent.
func (d *Document) Bool(name string) *bool { return Attribute(d, name, BoolOf) }

// NumberOf returns a number as written in the document.
func NumberOf(name string, v jsonapi.Value) (string, error) {
	number, ok := v.Number()
	switch {
	case v.NullOrAbsent():
		return "", fault.Blank(name)
	case !ok:
		return "", fault.Invalidf(name, "must be a number")
	}
	return number, nil
}

// IntegerOf returns a whole number. A number outside of the range of int64 becomes the nearest
// value in it, which the domain rejects.
func IntegerOf(name string, v jsonapi.Value) (int64, error) {
	number, err := NumberOf(name, v)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fault.Invalidf(name, "must be a whole number, written in digits")
	}
	return n, nil
}

func BoolOf(name string, v jsonapi.Value) (bool, error) {
	truth, ok := v.Bool()
	switch {
	case v.NullOrAbsent():
		return false, fault.Blank(name)
	case !ok:
		return false, fault.Invalidf(name, "must be true or false")
	}
	return truth, nil
}

// Time returns an attribute that is a date and time; nil if it is absent or null.
func (d *Document) Time(name string) *time.Time {
	if d.Attributes[name].NullOrAbsent() {
		return nil
	}
	return Attribute(d, name, TimeOf)
}

func TimeOf(name string, v jsonapi.Value) (time.Time, error) {
	s, _ := v.Text()
	at, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fault.Invalidf(name, "is not a valid timestamp, such as 2026-01-02T15:04:05.123Z")
	}
	return at, nil
}

// TextsOf returns the texts of an array, or a single text as one element.
func TextsOf(name string, v jsonapi.Value) ([]string, error) {
	elements, ok := v.Array()
	if !ok {
		elements = []jsonapi.Value{v}
	}
	texts := make([]string, len(elements))
	for i, e := range elements {
		s, ok := e.Text()
		if !ok {
			return nil, fault.Invalidf(name, "must be a string or an array of strings")
		}
		if err := text.CheckText(name, s); err != nil {
			return nil, err
		}
		texts[i] = s
	}
	return texts, nil
}

// UUIDOf returns the ID of a record, or zero if it is absent, null or empty.
func UUIDOf(name string, v jsonapi.Value) (uuid.UUID, error) {
	s, err := TextOf(name, v)
	if err != nil || s == "" {
		return uuid.Nil, err
	}
	id, ok := text.UUID(s)
	if !ok {
		return uuid.Nil, fault.Invalidf(name, "is not a valid UUID")
	}
	return id, nil
}
