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
	entries := make([]Entry, len(records))
	for i, r := range records {
		entries[i] = r.Entry()
	}
	shown, more, total := s.attributes.evaluate(q, entries)
	page := Result[T]{More: more, Total: total}
	for _, e := range shown {
		page.Items = append(page.Items, *e.row.(*T))
	}
	return page
}

// evaluate returns the entries of q's page, whether entries follow it and, if q asks for it, the
// number of selected entries.
func (s *Attributes) evaluate(q Query, all []Entry) (shown []Entry, more bool, total int64) {
	sort := q.Sort
	if len(sort) == 0 {
		sort = s.sort
	}
	selected := s.Compile(q.Where)
	var found []Entry
	for _, e := range all {
		if selected(e) {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, s.Compare(sort))
	if q.Count {
		total = int64(len(found))
	}
	begin, end := s.bounds(q, found)
	return found[begin:end], end < len(found), total
}

// bounds returns the first and the end index of q's page in the sorted entries.
func (s *Attributes) bounds(q Query, found []Entry) (begin, end int) {
	limit := q.Page.Limit()
	if q.Cursor == nil {
		begin = int(min(q.Page.Offset(), int64(len(found))))
		return begin, min(begin+limit, len(found))
	}
	admit := s.Admit(*q.Cursor)
	if q.Cursor.Backward {
		end = slices.IndexFunc(found, func(e Entry) bool { return !admit(e) })
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
