package lists

import (
	"lyceum/domain/query"
	"lyceum/test/conformance/storetest/fixture"
)

// PagesInAllOrders returns the results of many queries: pages in each order of the list, lists
// filtered by numbers, booleans and missing references, and a search.
func (c *Case[T]) PagesInAllOrders(s fixture.Tenant) any {
	s.T.Helper()
	var queries []query.Query
	for _, attr := range ordered(c.Schema) {
		for _, desc := range []bool{false, true} {
			sort := []query.Order{{Attr: attr, Desc: desc}}
			for _, page := range []query.Page{query.AllRows(), query.NewPage(1, 1), query.NewPage(2, 1), query.NewPage(3, 2)} {
				queries = append(queries, query.Query{Sort: sort, Page: page})
			}
		}
	}
	for _, attr := range c.Schema.Attrs() {
		for _, v := range []query.Value{{Int: 0}, {Int: 1}, {Int: 2, Bool: true}} {
			if attr.Kind == query.Integer || attr.Kind == query.Boolean {
				where := query.Cond{Attr: attr, Op: query.Eq, Values: []query.Value{v}}
				queries = append(queries, query.Query{Where: query.And{query.Or{where}}, Sort: c.Schema.Default(), Page: query.AllRows()})
			}
			if attr.Kind == query.UUIDs {
				where := query.Cond{Attr: attr, Op: query.Null, Values: []query.Value{v}}
				queries = append(queries, query.Query{Where: where, Page: query.AllRows()})
			}
		}
	}
	searched, err := query.Build(c.Schema, query.Request{Search: "e"})
	s.Must(err)
	var pages []query.Result[T]
	for _, q := range append(queries, searched) {
		found, err := c.of(s.Read()).List(s.Context(), q)
		s.Must(err)
		pages = append(pages, found)
	}
	return pages
}
