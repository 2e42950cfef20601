package query

import "slices"

// Evaluate answers q from rows in the plainest way: it filters them all, sorts
// what is left and cuts the page out. It is what every store's list must agree
// with; a query without a sort is answered in the schema's default order.
func (s Schema[T]) Evaluate(q Query, rows []T) Result[T] {
	sort := q.Sort
	if len(sort) == 0 {
		sort = s.Default()
	}
	selected := s.Compile(q.Where)
	var found []*Record[T]
	for _, row := range rows {
		if r := s.Glance(row); selected(r) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, s.Compare(sort))

	length := int64(len(found))
	begin := min(q.Page.Offset(), length)
	end := min(begin+int64(q.Page.Limit()), length)
	page := Result[T]{More: end < length}
	for _, r := range found[begin:end] {
		page.Items = append(page.Items, r.Row)
	}
	return page
}
