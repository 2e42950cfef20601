package main

import (
	"context"
	"database/sql"
	"errors"
	"time"

	_ "github.com/lib/pq" // the driver
	"lyceum/test/tools/crawl"
)

// large is how many rows make it too dear to read a whole table for one page.
const large = 50_000

// tables is what Postgres counts of its large tables.
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

// blame returns the questions that read a whole table. Lists are tried by
// halves, since what a request has read is counted a second later.
func (t tables) blame(ctx context.Context, w crawl.Walker, all []asked) ([]asked, error) {
	if t.db == nil || len(all) == 0 {
		return nil, nil
	}
	read, err := t.reads(ctx, w, all)
	switch {
	case err != nil || len(read) == 0:
		return nil, err
	case len(all) == 1:
		guilty := all[0]
		guilty.read = read
		return []asked{guilty}, nil
	}
	half := len(all) / 2
	first, errFirst := t.blame(ctx, w, all[:half:half])
	second, errSecond := t.blame(ctx, w, all[half:])
	return append(first, second...), errors.Join(errFirst, errSecond)
}

// reads asks the questions and returns how many rows of large tables were read
// from one end to the other for them.
func (t tables) reads(ctx context.Context, w crawl.Walker, all []asked) (map[string]int64, error) {
	before, err := t.counts(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range all {
		if _, _, err := w.Ask(ctx, a.Question); err != nil {
			return nil, err
		}
	}
	// A session tells what it has read once a second, at the end of a statement.
	time.Sleep(1100 * time.Millisecond)
	if _, _, err := w.Ask(ctx, crawl.Question{List: "/v1/categories"}); err != nil {
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

// counts returns how many rows of each large table were read from one end to the
// other so far.
func (t tables) counts(ctx context.Context) (map[string]int64, error) {
	rows, err := t.db.QueryContext(ctx, `
		SELECT s.relname, s.seq_tup_read FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
		WHERE c.reltuples > $1`, large)
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
