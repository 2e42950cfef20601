package memory

import (
	"context"
	"iter"
	"maps"
	"slices"

	"lyceum/domain/query"
)

// list returns the rows of q's page as they are shown.
func (l listing[R, T]) list(ctx context.Context, q query.Query) (query.Result[T], error) {
	if len(q.Sort) == 0 {
		q.Sort = l.schema.Default()
	}
	found, skip := l.search(ctx, q)
	result := window(found, skip, q.Page.Limit())
	if err := alive(ctx); err != nil { // then found may have stopped early
		return query.Result[T]{}, err
	}
	return result, nil
}

// search returns the rows that satisfy q.Where in the order of q.Sort, at least
// to the one behind q's page, and how many of them stand before the page. It
// looks at as few rows as it can: at those that the filter names, at those of
// the page, at those up to the end of the page; or else at all of the span.
func (l listing[R, T]) search(ctx context.Context, q query.Query) (iter.Seq[*query.Record[T]], int) {
	span, exact := l.span(q.Where)
	skip := int(min(q.Page.Offset(), int64(span.length())))
	needed := min(skip+q.Page.Limit(), span.length()) + 1
	holds, compare := l.schema.Compile(q.Where), l.schema.Compare(q.Sort)
	named, few := l.named(q.Where)
	walk := l.walk(span, q.Sort)
	switch {
	case few:
		return first(needed, filter(l.shown(maps.Keys(named)), holds), compare), skip
	case walk == nil:
		return first(needed, filter(l.shown(until(ctx, span.from(0))), holds), compare), skip
	case !exact:
		return filter(l.shown(until(ctx, walk(0))), holds), skip
	}
	return l.shown(until(ctx, walk(skip))), 0
}

// shown yields the rows as they are shown.
func (l listing[R, T]) shown(rows iter.Seq[R]) iter.Seq[*query.Record[T]] {
	return func(yield func(*query.Record[T]) bool) {
		for r := range rows {
			if !yield(l.show(r)) {
				return
			}
		}
	}
}

// window returns limit rows behind the first skip.
func window[T any](found iter.Seq[*query.Record[T]], skip, limit int) query.Result[T] {
	page := make([]T, 0, min(limit, query.DefaultLimit))
	for r := range found {
		if skip > 0 {
			skip--
			continue
		}
		if len(page) == limit {
			return query.Result[T]{Items: page, More: true}
		}
		page = append(page, r.Row)
	}
	return query.Result[T]{Items: page}
}

// filter yields the rows for which holds is true.
func filter[R any](rows iter.Seq[R], holds func(R) bool) iter.Seq[R] {
	return func(yield func(R) bool) {
		for r := range rows {
			if holds(r) && !yield(r) {
				return
			}
		}
	}
}

// until yields the rows for as long as ctx lives; it asks every thousand rows.
func until[R any](ctx context.Context, rows iter.Seq[R]) iter.Seq[R] {
	return func(yield func(R) bool) {
		n := 0
		for r := range rows {
			if n%1000 == 0 && ctx.Err() != nil {
				return
			}
			if n++; !yield(r) {
				return
			}
		}
	}
}

// first yields the n first rows in the order of compare. It holds twice as many
// at most, and passes over what comes behind n that it has seen.
func first[R any](n int, rows iter.Seq[R], compare func(a, b R) int) iter.Seq[R] {
	var (
		kept []R
		full bool // whether kept[n-1] is behind n-1 others
	)
	for r := range rows {
		if full && compare(kept[n-1], r) < 0 {
			continue
		}
		if kept = append(kept, r); len(kept) == 2*n {
			slices.SortFunc(kept, compare)
			kept, full = kept[:n], true
		}
	}
	slices.SortFunc(kept, compare)
	return slices.Values(kept[:min(n, len(kept))])
}
