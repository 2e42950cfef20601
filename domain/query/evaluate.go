package query

import "slices"

// Evaluate applies q to rows in the simplest way: it filters all rows, sorts the result and returns
// the page. The List methods of all stores must return the same page. If q has no sort, the
// schema's default order applies.
func (s Schema[T]) Evaluate(q Query, rows []T) Result[T] {
	records := make([]*Record[T], len(rows))
	for i, row := range rows {
		records[i] = s.LazyRecord(row)
	}
	return s.EvaluateRecords(q, records)
}

// EvaluateRecords is like Evaluate, but takes the records of the rows.
func (s Schema[T]) EvaluateRecords(q Query, records []*Record[T]) Result[T] {
	sort := q.Sort
	if len(sort) == 0 {
		sort = s.Default()
	}
	selected := s.Compile(q.Where)
	var found []*Record[T]
	for _, r := range records {
		if selected(r) {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, s.Compare(sort))

	begin, end := s.bounds(q, found)
	page := Result[T]{More: end < len(found)}
	if q.Count {
		page.Total = int64(len(found))
	}
	for _, r := range found[begin:end] {
		page.Items = append(page.Items, r.Row)
	}
	return page
}

// bounds returns the first and the end index of q's page in the sorted records.
func (s Schema[T]) bounds(q Query, found []*Record[T]) (begin, end int) {
	limit := q.Page.Limit()
	if q.Cursor == nil {
		begin = int(min(q.Page.Offset(), int64(len(found))))
		return begin, min(begin+limit, len(found))
	}
	admit := s.Admit(*q.Cursor)
	if q.Cursor.Backward {
		end = slices.IndexFunc(found, func(r *Record[T]) bool { return !admit(r) })
		if end < 0 {
			end = len(found)
		}
		return max(end-limit, 0), end
	}
	begin = slices.IndexFunc(found, admit)
	if begin < 0 {
		begin = len(found)
	}
	return begin, min(begin+limit, len(found))
}
