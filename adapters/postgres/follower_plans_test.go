package postgres_test

import (
	"testing"

	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
)

// The lookup of followers that are behind does not read the audit events after their positions,
// with and without statistics.
func TestFollowersSkipAuditEvents(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	for range 2 {
		id := newSchool(t, s)
		inReplica(t, db, `
			INSERT INTO changes (school_id, kind, record_id, action, in_feed)
			SELECT $1, 'sessions', gen_random_uuid(), 'deleted', false FROM generate_series(1, 20000)`, id.UUID)
		inReplica(t, db, `INSERT INTO followers SELECT $1, 'webhooks', last_value - 20000, 0 FROM change_positions`, id.UUID)
	}
	for _, statistics := range []string{"without statistics", "with statistics"} {
		t.Run(statistics, func(t *testing.T) {
			is := is.New(t)
			p := explain(t, db, postgres.FollowersBehindSQL, []any{pq.Array([]string{"webhooks"}), pq.Array([]string{})}, true)
			is.Equal(p.indexes("changes"), []string{"changes_in_feed"})
			p.walk(func(n plan) { is.True(n.Removed < 100) })
		})
		execute(t, db, "VACUUM ANALYZE")
	}
}
