package listsql

import (
	"context"
	"fmt"
	"strings"

	"lyceum/domain/query"
)

const (
	// seekSearchFrom is the smallest offset for which a search first finds the row before the page
	// (see seekSearchHit). For such offsets, the rows that Definition.search reads first (see
	// searchWindow) would cost more time than they save.
	seekSearchFrom = 1000
	// maxOffset is greater than the length of every list. From this offset on, pages are empty and
	// are not read.
	maxOffset = 1 << 40
)

// A Seeker returns the sort keys of the last of the first offset rows of a list, or nil if the list
// has fewer rows. The page begins after that row.
type Seeker func(ctx context.Context, c Querier, offset int64) (Edge, error)

// seekerFor returns the Seeker for a page, or nil if the rows before the page must be counted.
func (l *Definition) seekerFor(d pageQuery) Seeker {
	switch offset := d.query.Page.Offset(); {
	case offset == 0:
	case d.mostSelective >= 0 && offset >= seekSearchFrom:
		return func(ctx context.Context, c Querier, _ int64) (Edge, error) { return l.seekSearchHit(ctx, c, d) }
	case l.Seek != nil && d.query.Where == nil && sameSort(d.sort, l.Sort):
		return l.Seek
	}
	return nil
}

// sameSort reports whether two orders have the same attributes and directions.
func sameSort(one, other []query.Order) bool {
	if len(one) != len(other) {
		return false
	}
	for i := range one {
		if one[i].Attr.Name != other[i].Attr.Name || one[i].Desc != other[i].Desc {
			return false
		}
	}
	return true
}

// readAtOffset reads the page that begins after the row that its Seeker finds. The two statements
// see the same state of the school.
func (l *Definition) readAtOffset(ctx context.Context, c Querier, d pageQuery, into rows) error {
	return c.Snapshot(ctx, func(still Querier) error {
		before, err := d.seek(ctx, still, d.query.Page.Offset())
		if err != nil || before == nil {
			return err
		}
		d.start = &before
		text, r := l.statement(d)
		if r.err != nil {
			return r.err
		}
		return readRows(ctx, still, text, r, d.query.Page.Limit(), nil, into)
	})
}

// These statements change settings of the planner, because it underestimates the size of a list.
// asAWhole is used for a search that reads most of the list: without it, the planner would look up
// the joined rows one by one. inOrder is used for reading the rows of the page, which are
// consecutive in an index with the order of the list: without it, the planner would sort rows.
const (
	asAWhole = `SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)`
	inOrder  = `SELECT set_config('enable_nestloop', 'on', true), set_config('enable_sort', 'off', true)`
)

// seekSearchHit returns the sort keys of the last row before the page that satisfies the conditions
// of a search. It joins the tables of the conditions to all rows of the list.
func (l *Definition) seekSearchHit(ctx context.Context, c Querier, d pageQuery) (Edge, error) {
	r := &builder{attrs: d.attrs, key: d.key, joined: true, customPlan: true}
	r.bind(d.args[0])
	keys := r.keysOf(d.sort)
	where := r.where(append(append(query.And{}, d.ownConditions...), d.joinConditions...))
	named, shown := make([]string, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		named[i] = fmt.Sprintf("%s AS key_%d", k.row(), i)
		shown[i] = fmt.Sprintf("key_%d::text", i)
	}
	text := fmt.Sprintf(`SELECT %s FROM (
			SELECT %s FROM %s r%s WHERE %s AND %s ORDER BY %s LIMIT 1 OFFSET %s
		) r`, strings.Join(shown, ", "), strings.Join(named, ", "), l.Table, joins(union(r.sorted, l.joinsOf(d.joinConditions))), l.own(), where,
		orderBy(keys), r.bind(d.query.Page.Offset()-1))
	if r.err != nil {
		return nil, r.err
	}
	if _, err := c.Exec(ctx, asAWhole); err != nil {
		return nil, err
	}
	e, err := ReadEdge(ctx, c, r.customPlan, text, r.args)
	if err == nil {
		_, err = c.Exec(ctx, inOrder)
	}
	return e, err
}
