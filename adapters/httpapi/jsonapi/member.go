package jsonapi

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// Member is a member of an object that is written from a struct.
type Member struct {
	Name  string
	index []int
	empty bool // whether the member is omitted if it is empty
}

// membersOf contains the result of Members, a []Member, by the reflect.Type of v.
var membersOf sync.Map

// Members returns the members of v, a struct, in the order in which they are written. It returns
// none if v is nil. Callers must not change the result.
func Members(v any) []Member {
	if v == nil {
		return nil
	}
	of := reflect.TypeOf(v)
	if known, ok := membersOf.Load(of); ok {
		return known.([]Member)
	}
	var all []Member
	for _, f := range reflect.VisibleFields(of) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && f.IsExported() {
			all = append(all, Member{name, f.Index, options == "omitempty"})
		}
	}
	membersOf.Store(of, all)
	return all
}

// Of returns the value of the member in v, which must have the type that was given to Members.
func (m Member) Of(v any) any { return m.in(v).Interface() }

func (m Member) in(v any) reflect.Value { return reflect.ValueOf(v).FieldByIndex(m.index) }

// Part is an object with some of the members of a struct.
type Part []field

type field struct {
	name  string
	value any
}

// Select returns an object with those members of the struct v for whose names keep returns true.
func Select(v any, keep func(name string) bool) Part {
	o := Part{}
	for _, m := range Members(v) {
		value := m.in(v)
		isEmpty := value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0
		if keep(m.Name) && !(m.empty && isEmpty) {
			o = append(o, field{m.Name, value.Interface()})
		}
	}
	return o
}

// MarshalJSON writes the members in their order.
func (o Part) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	values := json.NewEncoder(&b)
	values.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"` + f.name + `":`) // names of members need no escapes
		if err := values.Encode(f.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
