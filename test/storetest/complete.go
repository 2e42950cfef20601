package storetest

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/matryer/is"
	"lyceum/ports"
)

// complete tests that the store lacks nothing, and that the suite does not
// either: a port, a method or a list that was added is asked for here.
func complete(t *testing.T, b Backend) {
	t.Run("A reader has every port", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		is.Equal(nilFields(w.read()), nil)
	})

	t.Run("A transaction has every port", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		var lacking []string
		w.do(func(_ context.Context, tx ports.Tx) error {
			lacking = nilFields(tx)
			return nil
		})
		is.Equal(lacking, nil)
	})

	t.Run("Every list has a case", func(t *testing.T) {
		is := is.New(t)
		var want []string
		for field := range reflect.TypeFor[ports.Reader]().Fields() {
			if _, ok := field.Type.MethodByName("List"); ok {
				want = append(want, field.Name)
			}
		}
		is.Equal(listNames, want) // in the order of ports.Reader
	})

	t.Run("Every method of a transaction's ports is tried", func(t *testing.T) {
		is := is.New(t)
		var tried []string
		for _, v := range verbs {
			tried = append(tried, v.port+"."+v.method)
		}
		is.Equal(distinct(tried), methods(reflect.TypeFor[ports.Tx]()))
	})

	t.Run("Every method of a reader's ports is tried", func(t *testing.T) {
		is := is.New(t)
		var tried []string
		for _, v := range verbs {
			if v.read != nil {
				tried = append(tried, v.port+"."+v.method)
			}
		}
		is.Equal(distinct(tried), methods(reflect.TypeFor[ports.Reader]()))
	})

	t.Run("Every method of Schools is tried", func(t *testing.T) {
		is := is.New(t)
		var tried, want []string
		for _, op := range operations {
			tried = append(tried, op.name)
		}
		for m := range reflect.TypeFor[ports.Schools]().Methods() {
			want = append(want, m.Name)
		}
		is.Equal(distinct(tried), want)
	})

	t.Run("Every method of Queue is tried", func(t *testing.T) {
		is := is.New(t)
		tried := []string{"Wake"} // it returns no error; wake.go ends its context
		for _, op := range chores {
			tried = append(tried, op.name)
		}
		var want []string
		for m := range reflect.TypeFor[ports.Queue]().Methods() {
			want = append(want, m.Name)
		}
		is.Equal(distinct(tried), want)
	})
}

// nilFields returns the names of the members of a struct that are nil.
func nilFields(of any) []string {
	var names []string
	for field, value := range reflect.ValueOf(of).Fields() {
		if value.IsNil() {
			names = append(names, field.Name)
		}
	}
	return names
}

// methods returns the methods of the members of a struct, as Member.Method.
func methods(of reflect.Type) []string {
	var names []string
	for field := range of.Fields() {
		for m := range field.Type.Methods() {
			names = append(names, field.Name+"."+m.Name)
		}
	}
	return distinct(names)
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}
