package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/ports"
)

// complete tests that the store implements every port and that the suite tests every port, method
// and list.
func complete(t *testing.T, b Backend) {
	t.Run("A backend has every member", func(t *testing.T) {
		is := is.New(t)
		is.Equal(nilFields(b), nil)
	})

	t.Run("A reader has every port", func(t *testing.T) {
		is, s := is.New(t), newTenant(t, b, "Own School")
		is.Equal(nilFields(s.read()), nil)
	})

	t.Run("A transaction has every port", func(t *testing.T) {
		is, s := is.New(t), newTenant(t, b, "Own School")
		is.Equal(missingPorts(s), nil)
	})

	t.Run("The method all reads every list", func(t *testing.T) {
		is := is.New(t)
		var read []string
		for field := range reflect.TypeFor[everything]().Fields() {
			read = append(read, field.Name)
		}
		is.Equal(read[0], "School")
		is.Equal(read[1:], listsOfReader())
	})

	t.Run("Every list has a case", func(t *testing.T) {
		is := is.New(t)
		var have []string
		for _, c := range listCases {
			have = append(have, c.list())
		}
		is.Equal(have, listsOfReader()) // in the order of ports.Reader
	})

	t.Run("Every method of a transaction's ports is tried", func(t *testing.T) {
		is := is.New(t)
		var tried []string
		for _, v := range portMethods {
			if !v.outside {
				tried = append(tried, v.port+"."+v.method)
			}
		}
		is.Equal(distinct(tried), methodNames(reflect.TypeFor[ports.Tx]()))
	})

	t.Run("Every method of a reader's ports is tried", func(t *testing.T) {
		is := is.New(t)
		var tried []string
		for _, v := range portMethods {
			if v.read != nil {
				tried = append(tried, v.port+"."+v.method)
			}
		}
		is.Equal(distinct(tried), methodNames(reflect.TypeFor[ports.Reader]()))
	})

	t.Run("Every method of Schools is tried", func(t *testing.T) {
		is := is.New(t)
		var tried, want []string
		for _, op := range schoolsMethods {
			tried = append(tried, op.name)
		}
		for m := range reflect.TypeFor[ports.Schools]().Methods() {
			want = append(want, m.Name)
		}
		is.Equal(distinct(tried), want)
	})

	t.Run("Every method of Queue is tried", func(t *testing.T) {
		is := is.New(t)
		tried := []string{"Subscribe", "LimitLeases"} // queue_subscribe.go and queue_lease.go test these
		for _, op := range queueMethods {
			tried = append(tried, op.name)
		}
		var want []string
		for m := range reflect.TypeFor[ports.Queue]().Methods() {
			want = append(want, m.Name)
		}
		is.Equal(distinct(tried), want)
	})
}

// listsOfReader returns the names of the fields of ports.Reader that are lists.
func listsOfReader() []string {
	var names []string
	for field := range reflect.TypeFor[ports.Reader]().Fields() {
		if _, ok := field.Type.MethodByName("List"); ok {
			names = append(names, field.Name)
		}
	}
	return names
}

// missingPorts returns the names of the ports that are nil in a transaction of s.
func missingPorts(s tenant) (names []string) {
	s.t.Helper()
	s.do(func(_ context.Context, tx ports.Tx) error {
		names = nilFields(tx)
		return nil
	})
	return names
}

// nilFields returns the names of the exported fields of a struct that are nil.
func nilFields(of any) []string {
	var names []string
	for field, value := range reflect.ValueOf(of).Fields() {
		nilable := value.Kind() == reflect.Interface || value.Kind() == reflect.Func
		if field.IsExported() && nilable && value.IsNil() {
			names = append(names, field.Name)
		}
	}
	return names
}

// methodNames returns the methods of the fields of a struct as Field.Method, sorted.
func methodNames(of reflect.Type) []string {
	var names []string
	for field := range of.Fields() {
		for m := range field.Type.Methods() {
			names = append(names, field.Name+"."+m.Name)
		}
	}
	return distinct(names)
}

// distinct sorts the names and removes duplicates.
func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
