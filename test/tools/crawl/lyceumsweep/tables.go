package main

import (
	"context"
	"database/sql"
	"errors"
	"time"

	_ "github.com/lib/pq" // the driver
	"lyceum/test/tools/crawl"
)

// largeTable is the minimum number of rows of a large table, which must not be scanned for one
// page.
const largeTable = 50_000

// tables reads PostgreSQL's statistics about large tables.
type tables struct{ db *sql.DB }

func openTables(ctx context.Context, database string) (tables, error) {
	if database == "" {
		return tables{}, nil
	}
	db, err := sql.Open("postgres", database)
	if err != nil {
		return tables{}, err
	}
	return tables{db}, db.PingContext(ctx)
}

// findScans returns the queries that scan a large table. It bisects the list of queries, because
// reading the statistics takes a second each time.
func (t tables) findScans(ctx context.Context, w crawl.Walker, all []measuredQuery) ([]measuredQuery, error) {
	if t.db == nil || len(all) == 0 {
		return nil, nil
	}
	read, err := t.rowsScanned(ctx, w, all)
	switch {
	case err != nil || len(read) == 0:
		return nil, err
	case len(all) == 1:
		first := all[0]
		first.read = read
		return []measuredQuery{first}, nil
	}
	half := len(all) / 2
	first, errFirst := t.findScans(ctx, w, all[:half:half])
	second, errSecond := t.findScans(ctx, w, all[half:])
	return append(first, second...), errors.Join(errFirst, errSecond)
}

// rowsScanned sends the queries and returns the number of rows of large tables that scans have
// read.
func (t tables) rowsScanned(ctx context.Context, w crawl.Walker, all []measuredQuery) (map[string]int64, error) {
	before, err := t.counts(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if _, _, err := w.Ask(ctx, a.ListQuery); err != nil {
			return nil, err
		}
	}
	// A connection reports its statistics at the end of a statement, at most once a second.
	time.Sleep(1100 * time.Millisecond)
	if _, _, err := w.Ask(ctx, crawl.ListQuery{List: "/v1/categories"}); err != nil {
		return nil, err
	}
	time.Sleep(50 * time.Millisecond)
	after, err := t.counts(ctx)
	for table, n := range after {
		if after[table] -= before[table]; n == before[table] {
			delete(after, table)
		}
	}
	return after, err
}

// counts returns the number of rows of each large table that scans have read so far.
func (t tables) counts(ctx context.Context) (map[string]int64, error) {
	rows, err := t.db.QueryContext(ctx, `
		SELECT s.relname, s.seq_tup_read FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
		WHERE c.reltuples > $1`, largeTable)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	counts := map[string]int64{}
	for rows.Next() {
		var table string
		var n int64
		if err := rows.Scan(&table, &n); err != nil {
			return nil, err
		}
		counts[table] = n
	}
	return counts, rows.Err()
}
