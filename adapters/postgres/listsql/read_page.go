package listsql

import (
	"context"
	"fmt"
	"reflect"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
)

// firstRows is the initial capacity for rows: the usual 25 rows of a page, and one more.
const firstRows = 26

// readPage returns the rows of a statement that selects at most limit+1 rows.
func readPage[R any](ctx context.Context, c Querier, text string, r *builder, limit int) ([]R, error) {
	rows := make([]R, 0, min(limit+1, firstRows))
	var row, blank R // each row is scanned into row, then copied
	err := c.EachRow(ctx, r.customPlan, text, r.args, func(found *sqlx.Rows) error {
		names, err := found.Columns()
		if err != nil {
			return err
		}
		fields := found.Mapper.TraversalsByName(reflect.TypeFor[R](), names)
		into := make([]any, len(names))
		for i, name := range names {
			if len(fields[i]) == 0 {
				return fmt.Errorf("no field for the column %s", name)
			}
			into[i] = reflectx.FieldByIndexes(reflect.ValueOf(&row).Elem(), fields[i]).Addr().Interface()
		}
		for found.Next() {
			row = blank // scanning a null does not overwrite every field
			if err := found.Scan(into...); err != nil {
				return err
			}
			rows = append(rows, row)
		}
		return found.Err()
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// ReadEdge returns the only row of a statement that selects sort keys as texts, or nil if there is
// no row. Postgres converts these texts back to the same values.
func ReadEdge(ctx context.Context, c Querier, once bool, text string, args []any) (Edge, error) {
	var e Edge
	err := c.EachRow(ctx, once, text, args, func(found *sqlx.Rows) error {
		for found.Next() {
			values, err := found.SliceScan()
			if err != nil {
				return err
			}
			e = make(Edge, len(values))
			for i, v := range values {
				if b, ok := v.([]byte); ok {
					v = string(b)
				}
				e[i] = v
			}
		}
		return found.Err()
	})
	return e, err
}
