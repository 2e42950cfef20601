package pgdb

import "context"

// The planner assumes that a table has at most one row of a school that was added after the last
// ANALYZE. Each index that begins with the school then seems as good as the index of a key, and a
// lookup by the key may read the whole school. Therefore a lookup of many keys selects the rows of
// each key as a range, in the order of the key, with sorting disabled: only the index of the key
// has that order (ADR 30).
const (
	sortingOff  = `SET LOCAL enable_sort = off`
	sortingBack = `SET LOCAL enable_sort TO DEFAULT`
)

// AverageSchool makes the planner assume a school of average size in a long transaction. No other
// setting affects the plans of foreign key checks. On the connections of the pool, prepared
// statements have the same effect after five executions.
const AverageSchool = `SET LOCAL plan_cache_mode = force_generic_plan`

// fewKeys is the number of keys up to which a lookup leaves sorting enabled, because disabling
// sorting and enabling it again takes two round trips.
const fewKeys = 20

// ByKey returns a FROM item with the alias r. It contains the rows of table in the school $1 whose
// column equals a key of array, in the order of the keys; columns is the select list. end contains
// the final clauses: LIMIT 1 for a unique key, otherwise OFFSET 0, and a lock. The planner does not
// see the school in (SELECT $1::uuid), so it assumes a school of average size. For example,
// ByKey("people", "r.id", "email_key", "$2::text[]", "LIMIT 1") returns:
//
//	(SELECT DISTINCT k FROM unnest($2::text[]) k ORDER BY k) k CROSS JOIN LATERAL (
//		SELECT r.id FROM people r WHERE r.school_id = (SELECT $1::uuid)
//		AND r.email_key BETWEEN k AND k ORDER BY r.email_key LIMIT 1) r
func ByKey(table, columns, column, array, end string) string {
	return `(SELECT DISTINCT k FROM unnest(` + array + `) k ORDER BY k) k CROSS JOIN LATERAL (
		SELECT ` + columns + ` FROM ` + table + ` r WHERE r.school_id = (SELECT $1::uuid) AND` + AtKey("r."+column, "k") + end + `) r`
}

// AtKey returns the condition that column equals key, followed by an ORDER BY clause. While sorting
// is disabled, the planner can only use an index on the column for it.
func AtKey(column, key string) string {
	return ` ` + column + ` BETWEEN ` + key + ` AND ` + key + ` ORDER BY ` + column + ` `
}

// keyed calls run with the text of a statement that looks up n keys. In a transaction, if n is
// greater than fewKeys, keyed disables sorting during the call.
func (s *Session) keyed(ctx context.Context, n int, text string, run func(text string) error) error {
	if n <= fewKeys || s.tx == nil {
		return run(text)
	}
	if _, err := s.Exec(ctx, sortingOff); err != nil {
		return err
	}
	// The text must differ, because the connection may have a cached plan for few keys.
	if err := run(text + " -- many keys"); err != nil {
		return err
	}
	_, err := s.Exec(ctx, sortingBack)
	return err
}

// AllKeyed is like SelectRows, but for a statement that looks up n keys.
func (s *Session) AllKeyed(ctx context.Context, n int, dest any, text string, args ...any) error {
	return s.keyed(ctx, n, text, func(text string) error { return s.SelectRows(ctx, dest, text, args...) })
}

// ExecKeyed is like Exec, but for a statement that looks up n keys.
func (s *Session) ExecKeyed(ctx context.Context, n int, text string, args ...any) (touched int, err error) {
	err = s.keyed(ctx, n, text, func(text string) error {
		touched, err = s.Exec(ctx, text, args...)
		return err
	})
	return touched, err
}

// AfterLock is a condition that is always true. It forces PostgreSQL to evaluate the CTE "locked",
// and so lock its rows, first.
const AfterLock = ` (SELECT count(*) FROM locked) >= 0 `

// Without statistics about a new school, the planner assumes that each table has one row, and would
// compare each row of one table with each row of the other.
const (
	// NestedLoopsOff turns off nested loops for the rest of a transaction.
	NestedLoopsOff = `SET LOCAL enable_nestloop = off`
	// NestedLoopsDefault cancels NestedLoopsOff.
	NestedLoopsDefault = `SET LOCAL enable_nestloop TO DEFAULT`
)
