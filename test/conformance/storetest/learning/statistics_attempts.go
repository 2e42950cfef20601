package learning

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/analytics"
	"lyceum/domain/decimal"
	"lyceum/test/conformance/storetest/fixture"
)

// StatisticsOfAttempts tests which attempt ports.Statistics counts. Only the number of an attempt
// says which is the latest: the IDs of imported attempts are in no order.
func StatisticsOfAttempts(t *testing.T, b fixture.Backend) {
	for name, ids := range map[string][2]uuid.UUID{
		"ids in the order of the attempts": {{15: 1}, {15: 2}}, "in the opposite order": {{15: 2}, {15: 1}},
	} {
		t.Run("The latest attempt counts, "+name, func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			l := fixture.NewCourseFixture(w.Tenant, "one")
			for i, id := range ids {
				a := w.NewAttempt(l.Learner.ID, l.Course.ID, i+2)
				a.ID.UUID = id
				a.Progress = []decimal.Percent{100_00, 20_00}[i]
				w.Save(a)
			}
			found, err := w.Read().Statistics.Of(w.Context(), analytics.StatisticsScope{Limit: 1})
			is.NoErr(err)
			is.Equal(found.Courses[0].Learners, [analytics.ProgressBands]int64{0, 1, 0, 0})
		})
	}
}
