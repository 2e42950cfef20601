package postgres_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
)

// The planner has statistics about other schools, but not about a new school. Without special
// settings it would plan for one row instead of a million.
func TestLoadOfNewSchoolIsNotQuadratic(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	known, fresh := newSchool(t, s), newSchool(t, s)
	_, err := db.ExecContext(t.Context(), populous, known.UUID, 10_000)
	is.NoErr(err)
	_, err = db.ExecContext(t.Context(), "ANALYZE")
	is.NoErr(err)
	_, err = db.ExecContext(t.Context(), furnishing, known.UUID)
	is.NoErr(err)
	_, err = db.ExecContext(t.Context(), "ANALYZE")
	is.NoErr(err)
	plans, err := postgres.FinalPlans(t.Context(), s, fresh)
	is.NoErr(err)
	is.True(len(plans) > 0)
	for _, plan := range plans {
		if strings.Contains(plan, "Nested Loop") {
			t.Error(plan)
		}
	}
}
