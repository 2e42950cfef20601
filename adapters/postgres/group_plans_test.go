package postgres_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/domain/group"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// clubs adds 5,000 groups to the school $1. One group gets 5,000 members and 500 managers, the
// other groups get few members.
const clubs = `
	WITH school AS (SELECT $1::uuid AS id),
	groups AS (
		INSERT INTO groups (school_id, id, name, name_key, name_fold, enroll_token, created_at, updated_at)
		SELECT s.id, gen_random_uuid(), 'Group ' || i, 'group ' || i, 'group ' || i, repeat('0', 40), now(), now()
		FROM generate_series(1, 5000) i, school s RETURNING id
	),
	left_over AS (
		INSERT INTO group_count_deltas (school_id, group_id, delta)
		SELECT s.id, g.id, 1 FROM groups g, school s, generate_series(1, 2)
	),
	big AS (SELECT id FROM groups ORDER BY id LIMIT 1),
	all_people AS (SELECT p.id, row_number() OVER (ORDER BY p.id) AS n FROM people p, school s WHERE p.school_id = s.id)
	INSERT INTO memberships (school_id, id, person_id, group_id, role, created_at, updated_at)
	SELECT s.id, gen_random_uuid(), p.id, b.id, r.role, now() - p.n * interval '1 minute', now()
	FROM school s, all_people p, big b, (VALUES ('member', 5000), ('manager', 500)) r (role, n) WHERE p.n <= r.n
	UNION ALL
	SELECT s.id, gen_random_uuid(), p.id, g.id, 'member', now() - p.n * interval '1 minute', now()
	FROM school s, (SELECT id, row_number() OVER (ORDER BY id) AS n FROM groups) g
	JOIN all_people p ON p.n / 10 = g.n WHERE g.n > 1`

func groupPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	execute(t, db, `ALTER TABLE memberships DISABLE TRIGGER USER`) // otherwise the trigger would merge the deltas
	_, err := db.ExecContext(t.Context(), clubs, id.UUID)
	is.NoErr(err)
	execute(t, db, `ALTER TABLE memberships ENABLE TRIGGER USER`, `VACUUM ANALYZE groups`, `VACUUM ANALYZE group_count_deltas`, `VACUUM ANALYZE memberships`)
	var big group.ID
	is.NoErr(db.QueryRowContext(t.Context(),
		`SELECT group_id FROM memberships GROUP BY group_id ORDER BY count(*) DESC LIMIT 1`).Scan(&big.UUID))

	for _, tt := range []struct {
		name    string
		page    query.Page
		indexes []string
	}{
		{"page 1", query.NewPage(1, 25), []string{"groups_by_name"}},
		{"a deep page", query.NewPage(100, 25), []string{"groups_by_name", "groups_pkey"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			statement, args := postgres.GroupsSQL(query.Query{Page: tt.page}, id)
			p := explain(t, db, statement, args, true)
			is.Equal(p.scanned(), nil)
			is.Equal(p.indexes("groups_"), tt.indexes)
			made := 0.0
			p.walk(func(n plan) {
				if n.Relationship == "SubPlan" {
					made += n.Loops
				}
			})
			is.Equal(made, 26.0) // deltas are added up only for the rows of the page
		})
	}
	for _, tt := range []struct {
		name    string
		page    query.Page
		indexes []string
	}{
		{"memberships of a big group, page 1", query.NewPage(1, 25), []string{"memberships_by_creation"}},
		{"memberships of a big group, a deep page", query.NewPage(100, 25), []string{"memberships_by_creation", "memberships_pkey"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			q := ofGroup(big)
			q.Page = tt.page
			statement, args := postgres.MembershipsSQL(q, id)
			p := explain(t, db, statement, args, true)
			is.Equal(p.scanned(), nil)
			is.Equal(p.indexes("memberships_"), tt.indexes)
			p.walk(func(n plan) {
				is.True(n.Node != "Sort" || n.Rows <= 26) // the index has the order of the list
			})
		})
	}
	t.Run("the members of a big group", func(t *testing.T) {
		is := is.New(t)
		p := explain(t, db, postgres.MembersSQL, []any{id.UUID, big.UUID}, true)
		is.Equal(p.indexes("memberships_"), []string{"memberships_by_role"})
		is.Equal(p.nodes(), []string{"Index Only Scan"})
	})
}

// A due job is found by an index, by reading few rows, regardless of how many jobs are waiting,
// rescheduled or dead, how many schools have jobs, and whether the table has statistics.
func jobPlans(t *testing.T, db *sql.DB, id school.ID) {
	is := is.New(t)
	_, err := db.ExecContext(t.Context(), `
		WITH many AS (
			INSERT INTO schools (id, name, name_fold, auth, created_at, updated_at)
			SELECT gen_random_uuid(), 'School ' || i, 'school ' || i, 'open', now(), now()
			FROM generate_series(1, 1000) i RETURNING id
		)
		INSERT INTO jobs (school_id, id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at)
		SELECT $1, gen_random_uuid(), 'letter', '', CASE WHEN i % 2 = 0 THEN 'dead' ELSE 'waiting' END, 0,
			$2::timestamptz + (i % 100 - 98) * interval '1 minute', '', now(), now()
		FROM generate_series(1, 100000) i
		UNION ALL
		SELECT m.id, gen_random_uuid(), 'letter', '', 'waiting', 0,
			$2::timestamptz + CASE WHEN get_byte(uuid_send(m.id), 15) < 32 THEN i ELSE -i END * interval '1 minute', '', now(), now()
		FROM many m, generate_series(1, 10) i`, id.UUID, now)
	is.NoErr(err)
	for _, analyzed := range []bool{false, true} {
		if analyzed {
			execute(t, db, `VACUUM ANALYZE jobs`)
		}
		for name, generic := range map[string]bool{"prepared": true, "for its values": false} {
			t.Run(fmt.Sprintf("%s, analyzed %t", name, analyzed), func(t *testing.T) {
				is := is.New(t)
				at, until := now.Format(time.RFC3339Nano), now.Add(time.Minute).Format(time.RFC3339Nano)
				p := explain(t, db, postgres.LeaseSQL, []any{"letter", at, until, id.UUID, "web1", id.UUID, "{}"}, generic)
				is.Equal(p.scanned(), nil)
				is.True(slices.Contains(p.indexes("jobs_"), "jobs_due_by_school"))
				p.walk(func(n plan) { is.True(n.Rows <= 200) })
			})
		}
	}
}
