package postgres_test

import (
	"database/sql"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/query"
	"lyceum/domain/reconcile"
	"lyceum/domain/school"
)

// Whichever events are deleted, a numbered page of the feed contains the same rows as that range of
// all positions, and a reconciliation finds no wrong gaps.
func TestNumberedPagesOfFeed(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	const people, events = 40, 30_000
	conn, err := db.Conn(t.Context())
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), `SET session_replication_role = replica`) // without foreign key checks
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), `
		INSERT INTO events (school_id, position, kind, person_id, activity_id, created_at)
		SELECT $1, i, 'learner_viewed_activity_events', format('00000000-0000-0000-0000-0000000000%s', 10 + i * i % $2)::uuid,
			gen_random_uuid(), timestamptz '2026-01-01' + i / 7 * interval '1 ms'
		FROM generate_series(1, $3::integer) i`, id.UUID, people, events)
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), `INSERT INTO event_feeds VALUES ($1, $2, now())`, id.UUID, events)
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), `SET session_replication_role = origin`)
	is.NoErr(err)
	is.NoErr(conn.Close())

	random := rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		positions := feedPositions(t, db, id)
		for range 60 {
			limit := 1 + random.IntN(60)
			page := query.NewPage(1+random.Int64N(int64(len(positions)/limit)+3), limit)
			got, err := s.Read(id).Events.List(t.Context(), query.Query{Page: page})
			is.NoErr(err)
			from := min(int(page.Offset()), len(positions))
			to := min(from+limit, len(positions))
			is.Equal(len(got.Items), to-from)
			for i, e := range got.Items {
				is.Equal(e.Position, positions[from+i])
			}
			is.Equal(got.More, to < len(positions))
		}
		wrong, err := recount(t.Context(), s, id)
		is.NoErr(err)
		is.Equal(len(wrong), 0)
		if round == 0 {
			execute(t, db, `DELETE FROM events WHERE position BETWEEN 8000 AND 20500`) // includes whole spans
			continue
		}
		execute(t, db, `DELETE FROM events WHERE person_id = (SELECT person_id FROM events ORDER BY md5(position::text || '`+
			uuid.NewString()+`') LIMIT 1)`)
	}

	execute(t, db, `UPDATE event_gaps SET missing = missing + 3 WHERE span = 2`, `DELETE FROM event_gaps WHERE span = 3`)
	wrong, err := recount(t.Context(), s, id)
	is.NoErr(err)
	is.Equal(len(wrong), 2)
	is.Equal(wrong[1].Record, "events 12289 to 16384")
	is.Equal(wrong[1], reconcile.Discrepancy{Record: wrong[1].Record, Value: "missing", Stored: "0", Expected: "4096"})
	wrong, err = recount(t.Context(), s, id)
	is.NoErr(err)
	is.Equal(len(wrong), 0)
}

// feedPositions returns the positions of the school's events, read without the store.
func feedPositions(t *testing.T, db *sql.DB, id school.ID) []int64 {
	t.Helper()
	is := is.New(t)
	rows, err := db.QueryContext(t.Context(), `SELECT position FROM events WHERE school_id = $1 ORDER BY position`, id.UUID)
	is.NoErr(err)
	defer func() { is.NoErr(rows.Close()) }()
	var positions []int64
	for rows.Next() {
		var p int64
		is.NoErr(rows.Scan(&p))
		positions = append(positions, p)
	}
	is.NoErr(rows.Err())
	return positions
}
