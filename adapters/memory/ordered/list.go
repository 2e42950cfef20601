package ordered

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"

	"lyceum/domain/query"
)

// List returns the page that q selects. It fails only if ctx ends.
func (l *Listing[R, T]) List(ctx context.Context, q query.Query) (query.Result[T], error) {
	if len(q.Sort) == 0 {
		q.Sort = l.Schema.Default()
	}
	result := l.page(ctx, q)
	if q.Count {
		result.Total = l.total(ctx, q.Where)
	}
	if err := ctx.Err(); err != nil { // the page may be incomplete
		return query.Result[T]{}, fmt.Errorf("memory: %w", err)
	}
	return result, nil
}

// total returns the number of rows that satisfy where.
func (l *Listing[R, T]) total(ctx context.Context, where query.Expr) int64 {
	span, exact := l.span(where)
	if exact {
		return int64(span.Length())
	}
	found := l.shown(Until(ctx, span.From(0)))
	if named, few := l.named(where); few {
		found = l.shown(maps.Keys(named))
	}
	var n int64
	for range Filter(found, l.Schema.Compile(where)) {
		n++
	}
	return n
}

// page returns the page that q selects. It visits as few rows as possible: only the rows that have
// a given unique value, only the rows of the page, the rows up to the end of the page, or all rows
// of the span.
func (l *Listing[R, T]) page(ctx context.Context, q query.Query) query.Result[T] {
	span, exact := l.span(q.Where)
	holds := l.Schema.Compile(q.Where)
	named, few := l.named(q.Where)
	walk := l.sequenceOf(span, q.Sort)
	switch {
	case few:
		return l.sorted(q, span.Length(), Filter(l.shown(maps.Keys(named)), holds))
	case walk == nil:
		return l.sorted(q, span.Length(), Filter(l.shown(Until(ctx, span.From(0))), holds))
	case q.Cursor != nil:
		return l.pageAtCursor(ctx, q, walk, holds)
	case !exact:
		return window(Filter(l.shown(Until(ctx, walk.from(0))), holds), q.Page.Offset(), q.Page.Limit())
	}
	skip := int(min(q.Page.Offset(), int64(walk.length)))
	return window(l.shown(Until(ctx, walk.from(skip))), 0, q.Page.Limit())
}

// sorted returns the page that q selects from found, whose rows may be in any order. length is an
// upper bound of their number.
func (l *Listing[R, T]) sorted(q query.Query, length int, found iter.Seq[*query.Record[T]]) query.Result[T] {
	compare, limit := l.Schema.Compare(q.Sort), q.Page.Limit()
	if q.Cursor == nil {
		skip := int(min(q.Page.Offset(), int64(length)))
		needed := min(skip+limit, length) + 1
		return window(first(needed, found, compare), int64(skip), limit)
	}
	needed := min(limit, length) + 1
	admit, others := l.Schema.Admit(*q.Cursor), false
	admitted := Filter(found, func(r *query.Record[T]) bool {
		yes := admit(r)
		others = others || !yes
		return yes
	})
	if !q.Cursor.Backward {
		return window(first(needed, admitted, compare), 0, limit)
	}
	page := window(first(needed, admitted, func(a, b *query.Record[T]) int { return compare(b, a) }), 0, limit)
	slices.Reverse(page.Items)
	page.More = others
	return page
}

// pageAtCursor returns the page after, or with a backward cursor before, the cursor of q. w
// contains the rows in the order of q.Sort.
func (l *Listing[R, T]) pageAtCursor(ctx context.Context, q query.Query, w *sequence[R], holds func(*query.Record[T]) bool) query.Result[T] {
	admit, backward, limit := l.Schema.Admit(*q.Cursor), q.Cursor.Backward, q.Page.Limit()
	rank := w.rank(func(r R) bool { return admit(l.Show(r)) != backward })
	further := Filter(l.shown(Until(ctx, w.from(rank))), holds)
	if !backward {
		return window(further, 0, limit)
	}
	page := window(Filter(l.shown(Until(ctx, w.before(rank))), holds), 0, limit)
	slices.Reverse(page.Items)
	page.More = len(window(further, 0, 1).Items) > 0
	return page
}

// shown yields the record of each row.
func (l *Listing[R, T]) shown(rows iter.Seq[R]) iter.Seq[*query.Record[T]] {
	return func(yield func(*query.Record[T]) bool) {
		for r := range rows {
			if !yield(l.Show(r)) {
				return
			}
		}
	}
}

// window skips the first skip rows and returns a page with the next limit rows. More reports
// whether further rows follow.
func window[T any](found iter.Seq[*query.Record[T]], skip int64, limit int) query.Result[T] {
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

// Filter yields the rows for which holds is true.
func Filter[R any](rows iter.Seq[R], holds func(R) bool) iter.Seq[R] {
	return func(yield func(R) bool) {
		for r := range rows {
			if holds(r) && !yield(r) {
				return
			}
		}
	}
}

// Until yields rows until ctx ends. It checks ctx every 1000 rows.
func Until[R any](ctx context.Context, rows iter.Seq[R]) iter.Seq[R] {
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

// first yields the first n rows in the order of compare. It holds at most 2n rows in memory.
func first[R any](n int, rows iter.Seq[R], compare func(a, b R) int) iter.Seq[R] {
	var (
		kept []R
		full bool // whether kept[:n] is sorted and complete
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
