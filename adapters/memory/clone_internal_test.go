package memory

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"lyceum/adapters/memory/ordered"
	"lyceum/domain/school"
)

// Every Clone of a table must copy what its rows refer to. The test fills each pointer, slice and
// map of a row by reflection, so that it also covers attributes that are added later.
func TestRowsAreClonedCompletely(t *testing.T) {
	tested := map[string]bool{}
	for _, check := range []func() (reflect.Type, []string){
		shared(propertyKind), shared(categoryKind), shared(couponKind), shared(courseKind), shared(personKind),
		shared(partnershipKind), shared(groupKind), shared(activityKind), shared(quizKind), shared(assignmentKind),
	} {
		row, fields := check()
		tested[row.String()] = true
		if len(fields) > 0 {
			t.Errorf("a clone of %s shares %s with the row", row, strings.Join(fields, ", "))
		}
	}
	s := newState(school.Restore(school.State{ID: school.ID{UUID: uuid.New()}}))
	for field := range reflect.TypeOf(*s).Fields() {
		_, row, ok := strings.Cut(field.Type.String(), "ordered.Table[lyceum/domain/")
		row, _, _ = strings.Cut(row, "]")
		if ok && !tested[row] {
			t.Errorf("the rows of %s, of type %s, are not tested", field.Name, row)
		}
	}
}

// shared returns a function that clones a row of a kind and returns its type and the fields that
// the clone shares with it.
func shared[T any](k ordered.Kind[T]) func() (reflect.Type, []string) {
	return func() (reflect.Type, []string) {
		var row T
		refer(reflect.ValueOf(&row).Elem())
		clone := k.Clone(row)
		return reflect.TypeFor[T](), sharedFields("", reflect.ValueOf(row), reflect.ValueOf(clone))
	}
}

// refer sets each exported field of a struct that can refer to memory.
func refer(record reflect.Value) {
	for field, value := range record.Fields() {
		switch {
		case !field.IsExported():
		case value.Kind() == reflect.Pointer:
			value.Set(reflect.New(value.Type().Elem()))
		case value.Kind() == reflect.Slice:
			value.Set(reflect.MakeSlice(value.Type(), 1, 1))
		case value.Kind() == reflect.Map:
			value.Set(reflect.MakeMap(value.Type()))
		case value.Kind() == reflect.Struct:
			refer(value)
		}
	}
}

// sharedFields returns the fields of two structs that refer to the same memory. The field Defined
// is not stored: tableReader sets it in the clone.
func sharedFields(prefix string, row, clone reflect.Value) (found []string) {
	for field, value := range row.Fields() {
		other := clone.FieldByIndex(field.Index)
		switch {
		case !field.IsExported() || field.Name == "Defined":
		case value.Kind() == reflect.Struct:
			found = append(found, sharedFields(prefix+field.Name+".", value, other)...)
		case value.Kind() == reflect.Pointer || value.Kind() == reflect.Slice || value.Kind() == reflect.Map:
			if value.Pointer() == other.Pointer() {
				found = append(found, prefix+field.Name)
			}
		}
	}
	return found
}
