package postgres_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/audit"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// auditPlans checks the plans of queries on an audit trail with 1,000 actors, 500 learners and as
// many requests as events. The filters by action, by type of actor, by request and by address have no
// index, because each index makes every write slower: they read the trail in the order of the list
// until the page is full, or the events since a time. The trail of another school is never read.
func auditPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	actor := func(i int) uuid.UUID { return uuid.MustParse(fmt.Sprintf("00000000-0000-7000-8000-%012d", i)) }
	var small school.ID
	is.NoErr(db.QueryRowContext(t.Context(), `SELECT id FROM schools WHERE id <> $1`, id.UUID).Scan(&small.UUID))
	const trail = `
		INSERT INTO changes (school_id, kind, record_id, action, changed_at, actor_type, actor_id, person_id, request_id, address)
		SELECT $1, CASE WHEN i % 50000 = 0 THEN 'api_keys' ELSE 'memberships' END, gen_random_uuid(), 'created',
			now() - ($2 - i) * interval '1 second', 'key',
			('00000000-0000-7000-8000-' || lpad((i % 1000)::text, 12, '0'))::uuid,
			CASE WHEN i % 2 = 0 THEN ('00000000-0000-7000-8000-' || lpad((i % 1000)::text, 12, '0'))::uuid END,
			'request-' || i, '192.0.2.' || i % 250
		FROM generate_series(1, $2) i`
	const events, few = 100_000, 1000
	execute(t, db, `TRUNCATE changes`)
	execute(t, db, `ALTER TABLE changes DISABLE TRIGGER changes_address`) // the learners do not exist
	_, err := db.ExecContext(t.Context(), trail, id.UUID, events)
	is.NoErr(err)
	_, err = db.ExecContext(t.Context(), trail, small.UUID, few)
	is.NoErr(err)
	execute(t, db, `ALTER TABLE changes ENABLE TRIGGER changes_address`)
	execute(t, db, `VACUUM ANALYZE changes`)
	cond := func(name string, v query.Value) query.Query {
		v.Fold = text.Fold(v.Text)
		return query.Query{Where: query.Cond{Attr: audit.Schema.Attr(name), Op: query.Eq, Values: []query.Value{v}}, Page: query.NewPage(1, 25)}
	}
	recent := func(q query.Query) query.Query {
		at := time.Now().Add(-20 * time.Minute)
		return q.And(query.Cond{Attr: audit.Schema.Attr("occurred_at"), Op: query.Gteq, Values: []query.Value{{From: at, To: at.Add(time.Millisecond)}}})
	}
	request := func(i int) query.Query {
		return cond("request_id", query.Value{Text: fmt.Sprint("request-", i)})
	}
	for _, tt := range []struct {
		name    string
		school  school.ID
		query   query.Query
		read    float64 // maximum number of events
		indexes []string
	}{
		{"page 1", id, query.Query{Page: query.NewPage(1, 25)}, 26, []string{"changes_pkey"}},
		{"one actor", id, cond("actor_id", query.Value{ID: actor(7)}), 26, []string{"changes_by_actor"}},
		{"one learner", id, cond("person_id", query.Value{ID: actor(8)}), 26, []string{"changes_by_person"}},
		{"one record", id, cond("record_id", query.Value{Text: id.String()}), 1, []string{"changes_by_record"}},
		{"a rare type", id, cond("record_type", query.Value{Text: "api_keys"}), 2, []string{"changes_by_kind"}},
		{"a frequent type", id, cond("record_type", query.Value{Text: "memberships"}), 27, []string{"changes_pkey"}},
		{"a frequent action", id, cond("action", query.Value{Text: "created"}), 26, []string{"changes_pkey"}},
		{"one address", id, cond("address", query.Value{Text: "192.0.2.7"}), 26 * 250, []string{"changes_pkey"}},
		{"one address since a time", id, recent(cond("address", query.Value{Text: "192.0.2.7"})), 1300, []string{"changes_by_time"}},
		{"one request since a time", id, recent(request(events - 500)), 1300, []string{"changes_by_time"}},
		{"all exports since a time", id, recent(cond("action", query.Value{Text: "exported"})), 1300, []string{"changes_by_time"}},
		{"commands since a time", id, recent(cond("actor_type", query.Value{Text: "operator"})), 1300, []string{"changes_by_time"}},
		{"one request of a small school", small, request(7), few, []string{"changes_pkey"}},
		{"an unknown address in a small school", small, cond("address", query.Value{Text: "192.0.2.251"}), few, []string{"changes_pkey"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.AuditSQL(tt.query, tt.school)
			p := explain(t, db, statement, args, false)
			is.Equal(p.scanned(), nil)
			is.Equal(p.indexes("changes_"), tt.indexes)
			is.True(p.read() <= tt.read)
		})
	}

	t.Run("a batch of addresses to erase", func(t *testing.T) {
		is := is.New(t)
		tx, err := db.BeginTx(t.Context(), nil)
		is.NoErr(err)
		defer func() { _ = tx.Rollback() }()
		scans := func() (n [3]int) { // of this connection, also in earlier transactions
			is.NoErr(tx.QueryRowContext(t.Context(), `SELECT pg_stat_get_xact_numscans('changes_with_address'::regclass),
				pg_stat_get_xact_numscans('changes_by_person'::regclass), pg_stat_get_xact_numscans('changes'::regclass)`).
				Scan(&n[0], &n[1], &n[2]))
			return n
		}
		before := scans()
		for range 2 {
			var erased int
			is.NoErr(tx.QueryRowContext(t.Context(), postgres.EraseAddressesSQL, id.UUID, actor(8), 40).Scan(&erased))
			is.Equal(erased, 40)
		}
		after := scans()
		is.Equal([3]int{after[0] - before[0], after[1] - before[1], after[2] - before[2]}, [3]int{2, 0, 0})
	})
}

// read returns the number of rows that the plan has read from tables.
func (p plan) read() (n float64) {
	p.walk(func(node plan) {
		if node.Relation != "" {
			n += (node.Rows + node.Removed) * node.Loops
		}
	})
	return n
}
