package jobqueue

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/domain/school"
)

// The index by subject and the two trees must contain every job of the queue, in any state, and no
// deleted job.
func TestJobsAreIndexedBySubject(t *testing.T) {
	is, q, now := is.New(t), New(), time.Unix(1e9, 0)
	s := school.ID{UUID: uuid.New()}
	jobs := map[job.ID]job.Job{}
	for i := range 20 {
		j := job.New(job.ID{UUID: uuid.New()}, s, "chore", strconv.Itoa(i%5), now)
		jobs[j.ID] = j
	}
	is.NoErr(q.Apply(Changes{Added: jobs}, func() {}))
	leased, err := q.Lease(t.Context(), "chore", 7, now, now.Add(time.Minute))
	is.NoErr(err)
	is.NoErr(q.MarkDead(t.Context(), leased[0], "x"))
	is.NoErr(q.Complete(t.Context(), leased[1]))
	left := 0
	for m, ids := range q.about {
		for id := range ids {
			is.Equal(SubjectOf(*q.jobs[id]), m)
		}
		left += len(ids)
	}
	is.Equal(left, len(q.jobs))
	is.Equal([]int{q.due.Len(), q.dead.Len()}, []int{len(q.jobs) - 1, 1})
	gone := map[Subject]bool{}
	for i := range 5 {
		gone[Subject{s, "chore", strconv.Itoa(i)}] = true
	}
	is.NoErr(q.Apply(Changes{Gone: gone}, func() {}))
	is.Equal([]int{len(q.jobs), len(q.about), q.due.Len(), q.dead.Len()}, []int{0, 0, 0, 0})
}
