package table

import (
	"reflect"
	"strings"
)

// member is a member of an object that is written from a struct.
type member struct {
	name  string
	index []int
}

// membersOf returns the members of v, a struct, in the order in which they are written; or none for
// nil.
func membersOf(v any) []member {
	if v == nil {
		return nil
	}
	var all []member
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && f.IsExported() {
			all = append(all, member{name, f.Index})
		}
	}
	return all
}

// of returns the value of the member of v.
func (m member) of(v any) any { return reflect.ValueOf(v).FieldByIndex(m.index).Interface() }
