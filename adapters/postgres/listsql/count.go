package listsql

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"
	"lyceum/domain/query"
)

// count returns the number of rows of the list that satisfy where.
func (l *Definition) count(ctx context.Context, c Querier, where query.Expr) (n int64, err error) {
	r := &builder{attrs: l.Attrs, key: l.keys()}
	r.bind(c.School()) // $1 in every statement
	near, far := l.split(where)
	condition := l.own() + " AND " + r.where(near)
	r.joined = true
	condition += " AND " + r.where(far)
	if r.err != nil {
		return 0, r.err
	}
	text := fmt.Sprintf("SELECT count(*) FROM %s r%s WHERE %s", l.Table, joins(l.joinsOf(far)), condition)
	err = c.EachRow(ctx, r.customPlan, text, r.args, func(found *sqlx.Rows) error {
		for found.Next() {
			if err := found.Scan(&n); err != nil {
				return err
			}
		}
		return found.Err()
	})
	return n, err
}
