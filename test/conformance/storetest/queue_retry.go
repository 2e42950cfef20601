package storetest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/job"
)

// queueRetry tests the methods of ports.Queue that operators use: List and Retry.
func queueRetry(t *testing.T, b Backend) {
	t.Run("List returns the jobs of the kind in the given states (default: all), oldest first", func(t *testing.T) {
		w := newWorld(t, b)
		kind, now := newKind(), w.nextTime().Add(time.Hour)
		dead, leased, waiting, late := w.newJob(kind), w.newJob(kind), w.newJob(kind), w.otherTenant.newJob(kind)
		late.CreatedAt = w.nextTime() // a job of another school, which is the newest
		dead.RunAt, leased.RunAt, waiting.RunAt, late.RunAt = now, now.Add(time.Minute), now.AddDate(0, 0, 1), now
		w.must(w.tryAddJob(waiting, dead, leased)) // not in the order of their creation
		w.must(w.queue.MarkDead(w.ctx(), w.leaseOne(kind, now), "in vain"))
		w.must(w.otherTenant.tryAddJob(late))
		w.must(w.queue.Reschedule(w.ctx(), w.leaseOne(kind, now), now.AddDate(0, 0, 1), "later"))
		w.leaseOne(kind, leased.RunAt)
		w.addJob(newKind())

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
				is.Equal(idsOf(w.jobs(kind, tt.states...)), idsOf(tt.want))
			})
		}
	})

	t.Run("List returns nothing for a kind without jobs", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		w.addJob(newKind())
		is.Equal(len(w.jobs(newKind())), 0)
		is.Equal(len(w.jobs(newKind(), job.Waiting, job.Dead)), 0)
	})

	retries(t, b, func(w world, kind job.Kind, id job.ID, now time.Time) error {
		return w.queue.Retry(w.ctx(), kind, id, now)
	})
}

// retries tests ports.Queue.Retry and ports.JobRepo.Retry.
func retries(t *testing.T, b Backend, retry func(w world, kind job.Kind, id job.ID, now time.Time) error) {
	t.Run("Retry makes a dead job run now, with no attempts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, other := w.addJob(newKind()), w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		is.NoErr(w.queue.Reschedule(w.ctx(), held, held.RunAt, "busy"))
		is.NoErr(w.queue.MarkDead(w.ctx(), w.leaseOne(j.Kind, held.RunAt), "in vain"))
		now := held.RunAt.Add(time.Hour)
		is.NoErr(retry(w, j.Kind, j.ID, now))
		w.mustWait(j, now)
		is.Equal(w.leaseOne(j.Kind, now).Attempts, 1)
		is.Equal(diff(w.jobs(other.Kind), []job.Job{other}), "") // other jobs are unchanged
	})

	t.Run("Retry makes a waiting job run now, with no attempts", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		is.NoErr(w.queue.Reschedule(w.ctx(), held, held.RunAt.AddDate(1, 0, 0), "busy"))
		now := held.RunAt.Add(time.Hour)
		is.NoErr(retry(w, j.Kind, j.ID, now))
		w.mustWait(j, now)
		is.Equal(w.leaseOne(j.Kind, now).Attempts, 1)
	})

	t.Run("Retry returns NotFound for an unknown job", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		is.True(isNotFound(retry(w, j.Kind, job.ID{UUID: uuid.New()}, j.RunAt)))
		is.True(isNotFound(retry(w, newKind(), j.ID, j.RunAt.Add(time.Hour)))) // another kind
		is.Equal(diff(w.jobs(j.Kind), []job.Job{j}), "")
		is.NoErr(w.queue.Complete(w.ctx(), w.leaseOne(j.Kind, j.RunAt)))
		is.True(isNotFound(retry(w, j.Kind, j.ID, j.RunAt)))
		is.Equal(len(w.jobs(j.Kind)), 0)
	})

	t.Run("Retry returns NotFound for a leased job, which stays leased", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		before := w.jobs(j.Kind)
		is.True(isNotFound(retry(w, j.Kind, j.ID, held.RunAt.Add(-time.Millisecond))))
		is.Equal(diff(w.jobs(j.Kind), before), "")
		is.NoErr(w.queue.Complete(w.ctx(), held))
	})
}

// mustWait checks that j waits like a new job and can run at the given instant.
func (w world) mustWait(j job.Job, at time.Time) {
	w.t.Helper()
	is := is.New(w.t)
	got := w.jobs(j.Kind)
	is.Equal(len(got), 1)
	want := j
	want.RunAt, want.LastError, want.UpdatedAt = at, got[0].LastError, got[0].UpdatedAt
	is.Equal(diff(got[0], want), "")
}
