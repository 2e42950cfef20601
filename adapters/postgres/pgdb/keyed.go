package pgdb

import "context"

// The planner takes a school that came after the last ANALYZE for one row or
// none. Then each index that begins with the school seems as good as the index of
// a key, and a look-up by the key reads the whole school. So a look-up of many
// keys asks for the rows of each key as a range, in the order of the key, while
// sorting is off: only the index of the key has that order (ADR 30).
const (
	sortingOff  = `SET LOCAL enable_sort = off`
	sortingBack = `SET LOCAL enable_sort TO DEFAULT`
)

// AverageSchool lets the planner take the school of a long transaction for one of
// average size. Above all it plans the checks of references so, which no other
// setting reaches. The pool's connections do the same after five executions.
const AverageSchool = `SET LOCAL plan_cache_mode = force_generic_plan`

// fewKeys is the number of keys up to which a look-up leaves sorting on: turning
// it off and on takes two round trips.
const fewKeys = 20

// ByKey returns a FROM item r with columns of the rows of table of the school $1
// whose column has one of the keys in array, in the order of the keys. The last
// clauses are end: LIMIT 1 where the key is unique, else OFFSET 0, and a lock. The
// planner does not see the value of the school, so that it takes the school for
// one of average size.
func ByKey(table, columns, column, array, end string) string {
	return `(SELECT DISTINCT k FROM unnest(` + array + `) k ORDER BY k) k CROSS JOIN LATERAL (
		SELECT ` + columns + ` FROM ` + table + ` r WHERE r.school_id = (SELECT $1::uuid) AND` + AtKey("r."+column, "k") + end + `) r`
}

// AtKey returns the condition and the order of a look-up of one key in a column.
func AtKey(column, key string) string {
	return ` ` + column + ` BETWEEN ` + key + ` AND ` + key + ` ORDER BY ` + column + ` `
}

// keyed calls run with the text of a statement that looks up n keys. Sorting is
// off in the meantime if they are many.
func (c *Session) keyed(ctx context.Context, n int, text string, run func(text string) error) error {
	if n <= fewKeys || c.tx == nil {
		return run(text)
	}
	if _, err := c.Exec(ctx, sortingOff); err != nil {
		return err
	}
	// A text of its own: the plan for few keys may be kept on the connection.
	if err := run(text + " -- many keys"); err != nil {
		return err
	}
	_, err := c.Exec(ctx, sortingBack)
	return err
}

// AllKeyed is all for a statement that looks up n keys.
func (c *Session) AllKeyed(ctx context.Context, n int, dest any, text string, args ...any) error {
	return c.keyed(ctx, n, text, func(text string) error { return c.SelectRows(ctx, dest, text, args...) })
}

// ExecKeyed is exec for a statement that looks up n keys.
func (c *Session) ExecKeyed(ctx context.Context, n int, text string, args ...any) (touched int, err error) {
	err = c.keyed(ctx, n, text, func(text string) error {
		touched, err = c.Exec(ctx, text, args...)
		return err
	})
	return touched, err
}
