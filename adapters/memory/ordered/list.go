package ordered

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"lyceum/domain/query"
)

// List returns the page of l that q selects. The results of l must be of the type T. List fails
// only if ctx ends.
func List[T any](ctx context.Context, l Listing, q query.Query) (query.Result[T], error) {
	if len(q.Sort) == 0 {
		q.Sort = l.attributes.Default()
	}
	found := l.page(ctx, q)
	result := query.Result[T]{Items: make([]T, len(found.entries)), More: found.more}
	for i, e := range found.entries {
		result.Items[i] = *e.Row().(*T)
	}
	if q.Count {
		result.Total = l.total(ctx, q.Where)
	}
	if err := ctx.Err(); err != nil { // the page may be incomplete
		return query.Result[T]{}, fmt.Errorf("memory: %w", err)
	}
	return result, nil
}

// page is a page of a list.
type page struct {
	entries []query.Entry
	more    bool // whether further entries follow
}

// total returns the number of rows that satisfy where.
func (l *Listing) total(ctx context.Context, where query.Expr) int64 {
	span, exact := l.span(where)
	if exact {
		return int64(span.length())
	}
	rows := span.from(0)
	if few, _, ok := l.candidates(span, where); ok {
		rows = few
	}
	var n int64
	for range Filter(l.shown(Until(ctx, rows)), l.attributes.Compile(where)) {
		n++
	}
	return n
}

// page returns the page that q selects. It visits as few rows as possible: only the rows that have
// given unique values or are in given sections, only the rows of the page, the rows up to the end
// of the page, or all rows of the span.
func (l *Listing) page(ctx context.Context, q query.Query) page {
	span, exact := l.span(q.Where)
	holds := l.attributes.Compile(q.Where)
	few, n, ok := l.candidates(span, q.Where)
	walk := l.sequenceOf(span, q.Sort)
	switch {
	case ok:
		return l.sorted(q, n, Filter(l.shown(Until(ctx, few)), holds))
	case walk == nil:
		return l.sorted(q, span.length(), Filter(l.shown(Until(ctx, span.from(0))), holds))
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
func (l *Listing) sorted(q query.Query, length int, found iter.Seq[query.Entry]) page {
	compare, limit := l.attributes.Compare(q.Sort), q.Page.Limit()
	if q.Cursor == nil {
		skip := int(min(q.Page.Offset(), int64(length)))
		needed := min(skip+limit, length) + 1
		return window(first(needed, found, compare), int64(skip), limit)
	}
	needed := min(limit, length) + 1
	admit, others := l.attributes.Admit(*q.Cursor), false
	admitted := Filter(found, func(e query.Entry) bool {
		yes := admit(e)
		others = others || !yes
		return yes
	})
	if !q.Cursor.Backward {
		return window(first(needed, admitted, compare), 0, limit)
	}
	last := window(first(needed, admitted, func(a, b query.Entry) int { return compare(b, a) }), 0, limit)
	slices.Reverse(last.entries)
	last.more = others
	return last
}

// pageAtCursor returns the page after, or with a backward cursor before, the cursor of q. w
// contains the rows in the order of q.Sort.
func (l *Listing) pageAtCursor(ctx context.Context, q query.Query, w *sequence, holds func(query.Entry) bool) page {
	admit, backward, limit := l.attributes.Admit(*q.Cursor), q.Cursor.Backward, q.Page.Limit()
	rank := w.rank(func(r any) bool { return admit(l.show(r)) != backward })
	further := Filter(l.shown(Until(ctx, w.from(rank))), holds)
	if !backward {
		return window(further, 0, limit)
	}
	found := window(Filter(l.shown(Until(ctx, w.before(rank))), holds), 0, limit)
	slices.Reverse(found.entries)
	found.more = len(window(further, 0, 1).entries) > 0
	return found
}

// shown yields the entry of each row that may satisfy the filter.
func (l *Listing) shown(rows iter.Seq[any]) iter.Seq[query.Entry] {
	return func(yield func(query.Entry) bool) {
		for r := range rows {
			if l.may != nil && !l.may(r) {
				continue
			}
			if !yield(l.show(r)) {
				return
			}
		}
	}
}

// window skips the first skip entries and returns a page with the next limit entries.
func window(found iter.Seq[query.Entry], skip int64, limit int) page {
	entries := make([]query.Entry, 0, min(limit, query.DefaultLimit))
	for e := range found {
		if skip > 0 {
			skip--
			continue
		}
		if len(entries) == limit {
			return page{entries, true}
		}
		entries = append(entries, e)
	}
	return page{entries, false}
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
