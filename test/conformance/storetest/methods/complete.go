package methods

import (
	"reflect"
	"testing"

	"github.com/matryer/is"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/conformance/storetest/lists"
)

// Complete tests that the store implements every port and that the suite tests every port, method
// and list.
func Complete(t *testing.T, b fixture.Backend) {
	t.Run("A backend has every member", func(t *testing.T) {
		is := is.New(t)
		is.Equal(fixture.NilFields(b), nil)
	})

	t.Run("A reader has every port", func(t *testing.T) {
		is, s := is.New(t), fixture.NewTenant(t, b, "Own School")
		is.Equal(fixture.NilFields(s.Read()), nil)
	})

	t.Run("A transaction has every port", func(t *testing.T) {
		is, s := is.New(t), fixture.NewTenant(t, b, "Own School")
		is.Equal(fixture.MissingPorts(s), nil)
	})

	t.Run("The method all reads every list", func(t *testing.T) {
		is := is.New(t)
		var read []string
		for field := range reflect.TypeFor[fixture.Everything]().Fields() {
			read = append(read, field.Name)
		}
		is.Equal(read[0], "School")
		is.Equal(read[1:], fixture.ListsOfReader())
	})

	t.Run("Every list has a case", func(t *testing.T) {
		is := is.New(t)
		var have []string
		for _, c := range lists.Cases {
			have = append(have, c.List())
		}
		is.Equal(have, fixture.ListsOfReader()) // in the order of ports.Reader
	})

	t.Run("Every method of a transaction's ports is tried", func(t *testing.T) {
		is := is.New(t)
		var tried []string
		for _, v := range portMethods {
			if !v.outside {
				tried = append(tried, v.port+"."+v.method)
			}
		}
		is.Equal(fixture.Distinct(tried), methodNames(reflect.TypeFor[ports.Tx]()))
	})

	t.Run("Every method of a reader's ports is tried", func(t *testing.T) {
		is := is.New(t)
		var tried []string
		for _, v := range portMethods {
			if v.read != nil {
				tried = append(tried, v.port+"."+v.method)
			}
		}
		is.Equal(fixture.Distinct(tried), methodNames(reflect.TypeFor[ports.Reader]()))
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
		is.Equal(fixture.Distinct(tried), want)
	})

	t.Run("Every method of Queue is tried", func(t *testing.T) {
		is := is.New(t)
		tried := []string{"Subscribe", "LimitLeases"} // package jobs tests these
		for _, op := range queueMethods {
			tried = append(tried, op.name)
		}
		var want []string
		for m := range reflect.TypeFor[ports.Queue]().Methods() {
			want = append(want, m.Name)
		}
		is.Equal(fixture.Distinct(tried), want)
	})
}

// methodNames returns the methods of the fields of a struct as Field.Method, sorted.
func methodNames(of reflect.Type) []string {
	var names []string
	for field := range of.Fields() {
		for m := range field.Type.Methods() {
			names = append(names, field.Name+"."+m.Name)
		}
	}
	return fixture.Distinct(names)
}
