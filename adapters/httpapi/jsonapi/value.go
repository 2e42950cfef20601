package jsonapi

import "bytes"

// Value is a JSON value of a parsed body; the zero Value is absent. It refers to a slice of the
// body, so that nested values need no allocation.
type Value struct{ raw []byte }

// Absent reports whether there is no value.
func (v Value) Absent() bool { return v.raw == nil }

// Null reports whether the value is null.
func (v Value) Null() bool { return bytes.Equal(v.raw, []byte("null")) }

// NullOrAbsent reports whether the value is null or absent.
func (v Value) NullOrAbsent() bool { return v.Null() || v.Absent() }

// Text returns a string; ok is false for any other value. A string that is not Unicode text
// (invalid UTF-8, or half a surrogate pair) is returned as invalid UTF-8, which the validation of
// texts rejects.
func (v Value) Text() (s string, ok bool) {
	if len(v.raw) == 0 || v.raw[0] != '"' {
		return "", false
	}
	if !unicodeText(v.raw) {
		return "\xff", true
	}
	return unquoted(v.raw), true
}

// Number returns a number in the notation of the body; ok is false for any other value.
func (v Value) Number() (number string, ok bool) {
	if len(v.raw) == 0 || v.raw[0] != '-' && (v.raw[0] < '0' || v.raw[0] > '9') {
		return "", false
	}
	return string(v.raw), true
}

// Bool returns true or false; ok is false for any other value.
func (v Value) Bool() (truth, ok bool) {
	return bytes.Equal(v.raw, []byte("true")), len(v.raw) > 0 && (v.raw[0] == 't' || v.raw[0] == 'f')
}

// Object returns the members of an object; ok is false for any other value.
func (v Value) Object() (o Object, ok bool) {
	if len(v.raw) == 0 || v.raw[0] != '{' {
		return nil, false
	}
	o = Object{}
	s := scanner{body: v.raw, at: 1}
	for !s.skip('}') {
		s.skip(',')
		name := s.value()
		s.skip(':')
		o[unquoted(name)] = Value{s.value()}
	}
	return o, true
}

// Array returns the elements of an array; ok is false for any other value.
func (v Value) Array() (elements []Value, ok bool) {
	if len(v.raw) == 0 || v.raw[0] != '[' {
		return nil, false
	}
	elements = []Value{}
	s := scanner{body: v.raw, at: 1}
	for !s.skip(']') {
		s.skip(',')
		elements = append(elements, Value{s.value()})
	}
	return elements, true
}

// Len returns the number of elements of an array without parsing them; ok is false for any other
// value. A caller that limits the number of elements should call Len before Array, which needs
// several times the memory of the body if elements are tiny.
func (v Value) Len() (n int, ok bool) {
	if len(v.raw) == 0 || v.raw[0] != '[' {
		return 0, false
	}
	if len(bytes.TrimSpace(v.raw[1:len(v.raw)-1])) == 0 {
		return 0, true
	}
	n = 1
	s := scanner{body: v.raw, at: 1}
	for s.value(); s.skip(','); s.value() {
		n++
	}
	return n, true
}

// Object contains the members of an object by name. A missing name maps to the zero Value, which is
// absent.
type Object map[string]Value
