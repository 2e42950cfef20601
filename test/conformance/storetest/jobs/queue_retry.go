package jobs

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/test/conformance/storetest/fixture"
)

// QueueRetry tests the methods of ports.Queue that operators use: List and Retry.
func QueueRetry(t *testing.T, b fixture.Backend) {
	t.Run("List returns the jobs of the kind in the given states (default: all), oldest first", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		kind, now := fixture.NewKind(), w.NextTime().Add(time.Hour)
		dead, leased, waiting, late := w.NewJob(kind), w.NewJob(kind), w.NewJob(kind), w.OtherTenant.NewJob(kind)
		late.CreatedAt = w.NextTime() // a job of another school, which is the newest
		dead.RunAt, leased.RunAt, waiting.RunAt, late.RunAt = now, now.Add(time.Minute), now.AddDate(0, 0, 1), now
		w.Must(w.TryAddJob(waiting, dead, leased)) // not in the order of their creation
		w.Must(w.Queue.MarkDead(w.Context(), leaseOne(w, kind, now), "in vain"))
		w.Must(w.OtherTenant.TryAddJob(late))
		w.Must(w.Queue.Reschedule(w.Context(), leaseOne(w, kind, now), now.AddDate(0, 0, 1), "later"))
		leaseOne(w, kind, leased.RunAt)
		w.AddJob(fixture.NewKind())

		tests := []struct {
			name   string
			states []job.State
			want   []job.Job
		}{
			{"all", nil, []job.Job{dead, leased, waiting, late}},
			{"waiting", []job.State{job.Waiting}, []job.Job{waiting, late}},
			{"leased", []job.State{job.Leased}, []job.Job{leased}},
			{"dead", []job.State{job.Dead}, []job.Job{dead}},
			{"two", []job.State{job.Waiting, job.Dead}, []job.Job{dead, waiting, late}},
			{"one id twice", []job.State{job.Dead, job.Dead}, []job.Job{dead}},
			{"each", []job.State{job.Dead, job.Waiting, job.Leased}, []job.Job{dead, leased, waiting, late}},
		}
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				is := is.New(t)
				is.Equal(idsOf(w.Jobs(kind, tt.states...)), idsOf(tt.want))
			})
		}
	})

	t.Run("List returns nothing for a kind without jobs", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		w.AddJob(fixture.NewKind())
		is.Equal(len(w.Jobs(fixture.NewKind())), 0)
		is.Equal(len(w.Jobs(fixture.NewKind(), job.Waiting, job.Dead)), 0)
	})

	retries(t, b, func(w fixture.World, kind job.Kind, id job.ID, now time.Time) error {
		return w.Queue.Retry(w.Context(), kind, id, now)
	})
}

// retries tests ports.Queue.Retry and ports.JobRepo.Retry.
func retries(t *testing.T, b fixture.Backend, retry func(w fixture.World, kind job.Kind, id job.ID, now time.Time) error) {
	t.Run("Retry makes a dead job run now, with no attempts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, other := w.AddJob(fixture.NewKind()), w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		is.NoErr(w.Queue.Reschedule(w.Context(), held, held.RunAt, "busy"))
		is.NoErr(w.Queue.MarkDead(w.Context(), leaseOne(w, j.Kind, held.RunAt), "in vain"))
		now := held.RunAt.Add(time.Hour)
		is.NoErr(retry(w, j.Kind, j.ID, now))
		mustWait(w, j, now)
		is.Equal(leaseOne(w, j.Kind, now).Attempts, 1)
		is.Equal(fixture.Diff(w.Jobs(other.Kind), []job.Job{other}), "") // other jobs are unchanged
	})

	t.Run("Retry makes a waiting job run now, with no attempts", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		is.NoErr(w.Queue.Reschedule(w.Context(), held, held.RunAt.AddDate(1, 0, 0), "busy"))
		now := held.RunAt.Add(time.Hour)
		is.NoErr(retry(w, j.Kind, j.ID, now))
		mustWait(w, j, now)
		is.Equal(leaseOne(w, j.Kind, now).Attempts, 1)
	})

	t.Run("Retry returns NotFound for an unknown job", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		is.True(fixture.IsNotFound(retry(w, j.Kind, job.ID{UUID: uuid.New()}, j.RunAt)))
		is.True(fixture.IsNotFound(retry(w, fixture.NewKind(), j.ID, j.RunAt.Add(time.Hour)))) // another kind
		is.Equal(fixture.Diff(w.Jobs(j.Kind), []job.Job{j}), "")
		is.NoErr(w.Queue.Complete(w.Context(), leaseOne(w, j.Kind, j.RunAt)))
		is.True(fixture.IsNotFound(retry(w, j.Kind, j.ID, j.RunAt)))
		is.Equal(len(w.Jobs(j.Kind)), 0)
	})

	t.Run("Retry returns NotFound for a leased job, which stays leased", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		before := w.Jobs(j.Kind)
		is.True(fixture.IsNotFound(retry(w, j.Kind, j.ID, held.RunAt.Add(-time.Millisecond))))
		is.Equal(fixture.Diff(w.Jobs(j.Kind), before), "")
		is.NoErr(w.Queue.Complete(w.Context(), held))
	})
}

// mustWait checks that j waits like a new job and can run at the given instant.
func mustWait(w fixture.World, j job.Job, at time.Time) {
	w.T.Helper()
	is := is.New(w.T)
	got := w.Jobs(j.Kind)
	is.Equal(len(got), 1)
	want := j
	want.RunAt, want.LastError, want.UpdatedAt = at, got[0].LastError, got[0].UpdatedAt
	is.Equal(fixture.Diff(got[0], want), "")
}
