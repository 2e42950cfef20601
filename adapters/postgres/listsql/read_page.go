package listsql

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
)

// firstRows is the initial capacity for rows: the usual 25 rows of a page, and one more.
const firstRows = 26

// rows collects the rows of a page.
type rows interface {
	// reset removes all rows and reserves memory for n rows.
	reset(n int)
	// next returns a pointer to the buffer into which each row is scanned.
	next() any
	// add appends a copy of the buffer and clears the buffer, because scanning a null does not
	// overwrite every field.
	add()
	// reverse removes all rows after the first limit rows, and reverses the order of the remaining
	// rows.
	reverse(limit int)
	len() int
}

// rowsOf implements rows.
type rowsOf[R any] struct {
	scanned R
	rows    []R
}

func (s *rowsOf[R]) reset(n int) { s.rows = make([]R, 0, n) }

func (s *rowsOf[R]) next() any { return &s.scanned }

func (s *rowsOf[R]) add() {
	var blank R
	s.rows = append(s.rows, s.scanned)
	s.scanned = blank
}

func (s *rowsOf[R]) reverse(limit int) {
	s.rows = s.rows[:min(len(s.rows), limit)]
	slices.Reverse(s.rows)
}

func (s *rowsOf[R]) len() int { return len(s.rows) }

// readRows reads the rows of a statement, which must select at most limit+1 rows. If removing is not
// nil, the last column of the statement is not part of a row and is scanned into removing.
func readRows(ctx context.Context, c Querier, text string, r *builder, limit int, removing *bool, into rows) error {
	into.reset(min(limit+1, firstRows))
	return c.EachRow(ctx, r.customPlan, text, r.args, func(found *sqlx.Rows) error {
		names, err := found.Columns()
		if err != nil {
			return err
		}
		if removing != nil {
			names = names[:len(names)-1]
		}
		row := reflect.ValueOf(into.next()).Elem()
		fields := found.Mapper.TraversalsByName(row.Type(), names)
		values := make([]any, len(names))
		for i, name := range names {
			if len(fields[i]) == 0 {
				return fmt.Errorf("no field for the column %s", name)
			}
			values[i] = reflectx.FieldByIndexes(row, fields[i]).Addr().Interface()
		}
		if removing != nil {
			values = append(values, removing)
		}
		for found.Next() {
			if err := found.Scan(values...); err != nil {
				return err
			}
			into.add()
		}
		return found.Err()
	})
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
