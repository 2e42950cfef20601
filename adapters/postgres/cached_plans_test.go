package postgres_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/demo"
	"lyceum/adapters/postgres"
	"lyceum/domain/query"
	"lyceum/domain/school"
)

// A session keeps the plan of a prepared statement while other schools fill its tables. Therefore
// even a plan for nearly empty tables reads no table completely.
func TestPlansForNearlyEmptyTables(t *testing.T) {
	db := openDB(t, freshDSN(t))
	id := newGenerated(t, postgres.New(db), demo.Size{People: 5, Courses: 2, Categories: 2, Coupons: 2, Groups: 2, Enrollments: 5, Memberships: 2, Seed: 1})
	pool := postgres.Pool(db).DB
	execute(t, pool, `VACUUM ANALYZE`)
	for name, list := range map[string]func(q query.Query, id school.ID) (string, []any){
		"courses": postgres.CoursesSQL, "people": postgres.PeopleSQL, "coupons": postgres.CouponsSQL, "changes": postgres.ChangesSQL,
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			statement, args := list(query.Query{Page: query.NewPage(1, 10)}, id)
			p := explain(t, pool, statement, args, true)
			is.Equal(p.scanned(), nil)
		})
	}
}

// Visitors without a key can fill these tables, and every request with a session or a token reads one.
func TestLookupsOfHashesInNearlyEmptyTables(t *testing.T) {
	pool := postgres.Pool(openDB(t, freshDSN(t))).DB
	execute(t, pool, `VACUUM ANALYZE`)
	for index, statement := range postgres.HashLookups {
		t.Run(index, func(t *testing.T) {
			is := is.New(t)
			p := explain(t, pool, statement, []any{uuid.New(), []byte("hash")}, true)
			table, _, _ := strings.Cut(index, "_")
			is.Equal(p.indexes(table), []string{index})
		})
	}
}
