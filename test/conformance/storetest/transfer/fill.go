package transfer

import (
	"reflect"
	"testing"
	"time"
)

// fill sets every exported zero field of the struct to which record points, and of its nested
// structs: strings to text, times to at, booleans to true, and integers to 1. A test that uses fill
// thus covers new attributes without a change. The fields with a path in unset, such as Content or
// Slot.Position, keep their values. Enumerations must already be set. fill fails the test for a
// zero field of any other type, such as a slice.
func fill(t *testing.T, record any, text string, at time.Time, unset ...string) {
	t.Helper()
	stays := map[string]bool{}
	for _, path := range unset {
		stays[path] = true
	}
	fillStruct(t, reflect.ValueOf(record).Elem(), "", text, at, stays)
}

func fillStruct(t *testing.T, record reflect.Value, prefix, text string, at time.Time, stays map[string]bool) {
	t.Helper()
	for field, value := range record.Fields() {
		path := prefix + field.Name
		if stays[path] || !field.IsExported() {
			continue
		}
		switch into := value.Addr().Interface().(type) {
		case *time.Time:
			if into.IsZero() {
				*into = at
			}
		case **time.Time:
			if *into == nil {
				*into = &at
			}
		case **string:
			if *into == nil {
				*into = &text
			}
		default:
			fillValue(t, value, path, text, at, stays)
		}
	}
}

func fillValue(t *testing.T, value reflect.Value, path, text string, at time.Time, stays map[string]bool) {
	t.Helper()
	switch {
	case exported(value.Type()):
		fillStruct(t, value, path+".", text, at, stays)
	case value.Kind() == reflect.Slice && value.Len() > 0 && exported(value.Type().Elem()):
		for i := range value.Len() {
			fillStruct(t, value.Index(i), path+".", text, at, stays)
		}
	case !value.IsZero():
	case value.Kind() == reflect.String:
		value.SetString(text)
	case value.Kind() == reflect.Bool:
		value.SetBool(true)
	case value.CanInt():
		value.SetInt(1)
	default:
		t.Fatalf("%s of a record has no value, and fill has none for a %s", path, value.Type())
	}
}

// exported reports whether a type is a struct with exported fields.
func exported(of reflect.Type) bool {
	if of.Kind() != reflect.Struct {
		return false
	}
	for field := range of.Fields() {
		if field.IsExported() {
			return true
		}
	}
	return false
}
