package storetest

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/analytics"
	"lyceum/domain/decimal"
)

// statisticsOfAttempts tests which attempt ports.Statistics counts. Only the number of an attempt
// says which is the latest: the IDs of imported attempts are in no order.
func statisticsOfAttempts(t *testing.T, b Backend) {
	for name, ids := range map[string][2]uuid.UUID{
		"ids in the order of the attempts": {{15: 1}, {15: 2}}, "in the opposite order": {{15: 2}, {15: 1}},
	} {
		t.Run("The latest attempt counts, "+name, func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			l := newCourseFixture(w.tenant, "one")
			for i, id := range ids {
				a := w.newAttempt(l.learner.ID, l.course.ID, i+2)
				a.ID.UUID = id
				a.Progress = []decimal.Percent{100_00, 20_00}[i]
				w.save(a)
			}
			found, err := w.read().Statistics.Of(w.ctx(), analytics.StatisticsScope{Limit: 1})
			is.NoErr(err)
			is.Equal(found.Courses[0].Learners, [analytics.ProgressBands]int64{0, 1, 0, 0})
		})
	}
}
