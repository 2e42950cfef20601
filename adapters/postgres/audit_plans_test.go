package postgres_test

import (
	"database/sql"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/audit"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/domain/text"
)

// auditPlans checks the plans of queries on an audit trail with 1,000 actors, 500 learners and as
// many requests as events. The filters by request and by address have no index, because each index
// makes every write slower: they read the trail in the order of the list until the page is full.
func auditPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	actor := func(i int) uuid.UUID { return uuid.MustParse(fmt.Sprintf("00000000-0000-7000-8000-%012d", i)) }
	_, err := db.ExecContext(t.Context(), `
		INSERT INTO changes (school_id, kind, record_id, action, changed_at, actor_type, actor_id, person_id, request_id, address)
		SELECT $1, 'memberships', gen_random_uuid(), 'created', now(), 'key',
			('00000000-0000-7000-8000-' || lpad((i % 1000)::text, 12, '0'))::uuid,
			CASE WHEN i % 2 = 0 THEN ('00000000-0000-7000-8000-' || lpad((i % 1000)::text, 12, '0'))::uuid END,
			'request-' || i, '192.0.2.' || i % 250
		FROM generate_series(1, 100000) i`, id.UUID)
	is.NoErr(err)
	execute(t, db, `VACUUM ANALYZE changes`)
	cond := func(name string, v query.Value) query.Query {
		v.Fold = text.Fold(v.Text)
		return query.Query{Where: query.Cond{Attr: audit.Schema.Attr(name), Op: query.Eq, Values: []query.Value{v}}, Page: query.NewPage(1, 25)}
	}
	for _, tt := range []struct {
		name    string
		query   query.Query
		indexes []string
	}{
		{"page 1", query.Query{Page: query.NewPage(1, 25)}, []string{"changes_pkey"}},
		{"one actor", cond("actor_id", query.Value{ID: actor(7)}), []string{"changes_by_actor"}},
		{"one learner", cond("person_id", query.Value{ID: actor(8)}), []string{"changes_by_person"}},
		{"one record", cond("record_id", query.Value{Text: id.String()}), []string{"changes_by_record"}},
		{"one address", cond("address", query.Value{Text: "192.0.2.7"}), []string{"changes_pkey"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.AuditSQL(tt.query, id)
			p := explain(t, db, statement, args, false)
			is.Equal(p.scanned(), nil)
			is.Equal(p.indexes("changes_"), tt.indexes)
		})
	}
}
