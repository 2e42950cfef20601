package lists

import (
	"lyceum/domain/query"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// page applies fixture.WithoutHidden to a page of a list.
func page[T any](of query.Result[T]) query.Result[T] {
	of.Items = fixture.WithoutHidden(of.Items).([]T)
	return of
}

// CountBy returns the number of rows whose attribute equals value.
func CountBy[T any](s fixture.Tenant, list ports.Lister[T], schema query.Schema[T], attr, value string) int {
	s.T.Helper()
	found, err := list.List(s.Context(), query.Query{Where: query.Cond{
		Attr: schema.Attr(attr), Op: query.Eq, Values: []query.Value{textValue(value)},
	}})
	s.Must(err)
	return len(found.Items)
}
