package listsql

import (
	"context"
	"fmt"
	"strings"

	"lyceum/domain/query"
)

const (
	// farSearch is the offset from which a search first finds where the page
	// begins: its window would have to be larger than what it spares.
	farSearch = 1000
	// beyond is an offset that no list reaches: nobody need be asked.
	beyond = 1 << 40
)

// Seeker finds the row before a page that is asked for by its number: its sort
// keys, nil when the list is shorter.
type Seeker func(ctx context.Context, c Querier, offset int64) (Edge, error)

// seekerOf returns the Seeker for a draft, nil where all that can be done is to
// count from the first row.
func (l List[R, T]) seekerOf(d draft) Seeker {
	switch offset := d.query.Page.Offset(); {
	case offset == 0:
	case d.rarest >= 0 && offset >= farSearch:
		return func(ctx context.Context, c Querier, _ int64) (Edge, error) { return l.seekHit(ctx, c, d) }
	case l.Seek != nil && d.query.Where == nil && sameSort(d.sort, l.Sort):
		return l.Seek
	}
	return nil
}

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

// farPage returns the page of a draft from where a Seeker finds that it begins.
// Both steps see one state of the school.
func (l List[R, T]) farPage(ctx context.Context, c Querier, d draft, seek Seeker) (rows []R, err error) {
	err = c.Snapshot(ctx, func(still Querier) error {
		before, err := seek(ctx, still, d.query.Page.Offset())
		if err != nil || before == nil {
			return err
		}
		d.start = &before
		text, r := l.statement(d)
		if r.err != nil {
			return r.err
		}
		rows, err = readPage[R](ctx, still, text, r, d.query.Page.Limit())
		return err
	})
	return rows, err
}

// For a search that reads most of a list, whatever the planner believes: it would
// rather look up the name of each row when it takes the list for short. What
// comes behind begins in the midst of an index that has the order of the list,
// and such a planner would rather sort.
const (
	asAWhole = `SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true)`
	inOrder  = `SELECT set_config('enable_nestloop', 'on', true), set_config('enable_sort', 'off', true)`
)

// seekHit finds the last hit of a search before the page, with the tables of the
// names next to the rows.
func (l List[R, T]) seekHit(ctx context.Context, c Querier, d draft) (Edge, error) {
	r := &rendering{attrs: d.attrs, key: d.key, beside: true, varied: true}
	r.bind(d.args[0])
	keys := r.keysOf(d.sort)
	where := r.where(append(append(query.And{}, d.near...), d.far...))
	named, shown := make([]string, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		named[i] = fmt.Sprintf("%s AS key_%d", k.row(), i)
		shown[i] = fmt.Sprintf("key_%d::text", i)
	}
	text := fmt.Sprintf(`SELECT %s FROM (
			SELECT %s FROM %s r%s WHERE %s AND %s ORDER BY %s LIMIT 1 OFFSET %s
		) r`, strings.Join(shown, ", "), strings.Join(named, ", "), l.Table, joins(union(r.sorted, l.lookedAt(d.far))), l.own(), where,
		orderBy(keys), r.bind(d.query.Page.Offset()-1))
	if r.err != nil {
		return nil, r.err
	}
	if _, err := c.Exec(ctx, asAWhole); err != nil {
		return nil, err
	}
	e, err := ReadEdge(ctx, c, r.varied, text, r.args)
	if err == nil {
		_, err = c.Exec(ctx, inOrder)
	}
	return e, err
}
