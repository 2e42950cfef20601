package postgres_test

import (
	"database/sql"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/change"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// changePlans checks the plans of queries on a feed in which one type of records is rare and each
// record has few changes.
func changePlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	_, err := db.ExecContext(t.Context(), `
		INSERT INTO changes (school_id, kind, record_id, action, changed_at)
		SELECT $1, CASE WHEN i % 50000 = 0 THEN 'categories' WHEN i % 2 = 0 THEN 'enrollments' ELSE 'people' END, gen_random_uuid(), 'created',
			now() + i * interval '1 second'
		FROM generate_series(1, 200000) i`, id.UUID)
	is.NoErr(err)
	t.Run("some positions, without statistics", func(t *testing.T) {
		is := is.New(t)
		some := query.Cond{Attr: change.Schema.Attr("uuid"), Op: query.Eq}
		for i := range 32 {
			some.Values = append(some.Values, query.Value{Int: int64(i+1) * 1000})
		}
		for _, generic := range []bool{false, true} {
			statement, args := postgres.ChangesSQL(query.Query{Where: some}, id)
			p := explain(t, db, statement, args, generic)
			is.Equal(p.scanned(), nil)
			p.walk(func(n plan) { is.True(n.Loops*(n.Rows+n.Removed) <= 32) })
		}
	})
	execute(t, db, `VACUUM ANALYZE changes`)
	cond := func(name string, op query.Op, v query.Value) query.Query {
		v.Fold = text.Fold(v.Text)
		return query.Query{Where: query.Cond{Attr: change.Schema.Attr(name), Op: op, Values: []query.Value{v}}}
	}
	last := time.Now().Add(200_000 * time.Second)
	// All changes of this school are in the feed, so both indexes have the same entries.
	inOrder := []string{"changes_pkey", "changes_in_feed"}
	for _, tt := range []struct {
		name    string
		query   query.Query
		generic bool
		indexes []string // one of these
	}{
		{"page 1", query.Query{}, true, inOrder},
		{"after a position", cond("uuid", query.Gt, query.Value{Int: 150_000}), true, inOrder},
		{"a frequent type", cond("record.type", query.Eq, query.Value{Text: "enrollments"}), false, []string{"changes_by_kind"}},
		{"a rare type", cond("record.type", query.Eq, query.Value{Text: "categories"}), false, []string{"changes_by_kind"}},
		{"one record", cond("record.id", query.Eq, query.Value{Text: id.String()}), true, []string{"changes_by_record"}},
		{"recent changes", cond("changed_at", query.Gteq, query.Value{From: last, To: last.Add(time.Millisecond)}), false, []string{"changes_by_time"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.ChangesSQL(tt.query, id)
			p := explain(t, db, statement, args, tt.generic)
			is.Equal(p.scanned(), nil)
			used := p.indexes("changes_")
			is.Equal(len(used), 1)
			is.True(slices.Contains(tt.indexes, used[0])) // the plan uses one of the indexes
		})
	}
}
