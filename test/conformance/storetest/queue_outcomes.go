package storetest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/job"
)

// queueOutcomes tests how a leased job is given back to ports.Queue, and that only who
// holds it can do that.
func queueOutcomes(t *testing.T, b Backend) {
	t.Run("Complete deletes the leased job", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, other := w.addJob(newKind()), w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		is.NoErr(w.queue.Complete(w.ctx(), held))
		is.Equal(len(w.jobs(j.Kind)), 0)
		is.Equal(len(w.lease(j.Kind, 1, held.RunAt.Add(time.Hour), held.RunAt.Add(2*time.Hour))), 0)
		is.Equal(diff(w.jobs(other.Kind), []job.Job{other}), "")
	})

	t.Run("Reschedule makes the leased job wait until the given instant and saves cause as its LastError", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		until := j.RunAt
		for attempt, cause := range []string{"no route to host", "déjà vu: 421 “later”", ""} {
			held := w.leaseOne(j.Kind, until)
			is.Equal(held.Attempts, attempt+1)
			until = held.RunAt.Add(time.Hour)
			is.NoErr(w.queue.Reschedule(w.ctx(), held, until, cause))
			want := j
			want.Attempts, want.RunAt, want.LastError = attempt+1, until, cause
			got := w.jobs(j.Kind)[0]
			want.UpdatedAt = got.UpdatedAt
			is.Equal(diff(got, want), "") // it waits, with the attempts so far
			is.Equal(len(w.lease(j.Kind, 1, until.Add(-time.Millisecond), until.Add(time.Hour))), 0)
		}
		is.NoErr(w.queue.Reschedule(w.ctx(), w.leaseOne(j.Kind, until), until.Add(time.Hour), "again"))
		is.Equal(w.leaseOne(j.Kind, until.Add(time.Hour)).LastError, "again") // the next worker is told
	})

	t.Run("Defer reschedules the job without counting the attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		until := j.RunAt
		for range 3 {
			held := w.leaseOne(j.Kind, until)
			is.Equal(held.Attempts, 1)
			until = held.RunAt.Add(time.Hour)
			is.NoErr(w.queue.Defer(w.ctx(), held, until, "tomorrow"))
			want := j
			got := w.jobs(j.Kind)[0]
			want.RunAt, want.LastError, want.UpdatedAt = until, "tomorrow", got.UpdatedAt
			is.Equal(diff(got, want), "")
			is.Equal(len(w.lease(j.Kind, 1, until.Add(-time.Millisecond), until.Add(time.Hour))), 0)
		}
		is.NoErr(w.queue.Reschedule(w.ctx(), w.leaseOne(j.Kind, until), until.Add(time.Hour), "busy"))
		held := w.leaseOne(j.Kind, until.Add(time.Hour))
		is.NoErr(w.queue.Defer(w.ctx(), held, until, "tomorrow"))
		is.Equal(w.jobs(j.Kind)[0].Attempts, 1) // the one that was tried
	})

	t.Run("A job can be rescheduled to before the end of its lease", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		soon := j.RunAt.Add(time.Second)
		is.NoErr(w.queue.Reschedule(w.ctx(), held, soon, "busy"))
		is.Equal(w.leaseOne(j.Kind, soon).ID, j.ID)
	})

	t.Run("MarkDead makes the leased job dead and saves cause as its LastError; it is not leased again", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		is.NoErr(w.queue.MarkDead(w.ctx(), held, "no such user"))
		got := w.jobs(j.Kind)
		is.Equal(len(got), 1)
		want := held
		want.State, want.LastError, want.RunAt, want.UpdatedAt = job.Dead, "no such user", got[0].RunAt, got[0].UpdatedAt
		is.Equal(diff(got[0], want), "")
		is.Equal(len(w.lease(j.Kind, 1, held.RunAt.AddDate(9, 0, 0), held.RunAt.AddDate(10, 0, 0))), 0)
	})

	for _, s := range settlements {
		t.Run(s.name+" works after the lease has ended, as long as nobody took the job", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			held := w.lease(j.Kind, 1, j.RunAt, j.RunAt) // ends as it begins
			is.NoErr(s.settle(w, held[0]))
		})

		t.Run(s.name+" is NotFound and does nothing when somebody else took the job", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			lost := w.leaseOne(j.Kind, j.RunAt)
			held := w.leaseOne(j.Kind, lost.RunAt)
			w.mustHaveLost(s, lost)
			is.NoErr(w.queue.Complete(w.ctx(), held)) // it is the other's still
			w.mustHaveLost(s, lost)
		})

		t.Run(s.name+" is NotFound and does nothing when somebody else took the job, though both leases end at once", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			lost := w.lease(j.Kind, 1, j.RunAt, j.RunAt)[0]
			held := w.lease(j.Kind, 1, j.RunAt, j.RunAt)[0]
			w.mustHaveLost(s, lost)
			is.NoErr(s.settle(w, held))
		})

		t.Run(s.name+" is NotFound and does nothing when an operator revived the job", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			lost := w.leaseOne(j.Kind, j.RunAt)
			now := lost.RunAt.Add(time.Hour)
			is.NoErr(w.queue.Retry(w.ctx(), j.Kind, j.ID, now)) // the lease had ended
			w.mustHaveLost(s, lost)

			held := w.leaseOne(j.Kind, now)
			is.Equal(held.Attempts, lost.Attempts) // as many, but not the same
			w.mustHaveLost(s, lost)
			is.NoErr(w.queue.Complete(w.ctx(), held))
		})

		t.Run(s.name+" is NotFound and does nothing when another buried the job and it was revived", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			lost := w.leaseOne(j.Kind, j.RunAt)
			held := w.leaseOne(j.Kind, lost.RunAt)
			is.NoErr(w.queue.MarkDead(w.ctx(), held, "in vain"))
			w.mustHaveLost(s, lost)
			is.NoErr(w.queue.Retry(w.ctx(), j.Kind, j.ID, held.RunAt))
			w.mustHaveLost(s, lost)
			w.leaseOne(j.Kind, held.RunAt)
			w.mustHaveLost(s, lost)
			w.mustHaveLost(s, held)
		})

		t.Run(s.name+" is NotFound for a job that was given back already", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			for _, first := range settlements {
				j := w.addJob(newKind())
				held := w.leaseOne(j.Kind, j.RunAt)
				is.NoErr(first.settle(w, held))
				w.mustHaveLost(s, held)
			}
		})

		t.Run(s.name+" is NotFound for a job that is not leased, and for none", func(t *testing.T) {
			w := newWorld(t, b)
			j := w.addJob(newKind())
			w.mustHaveLost(s, j)
			j.ID = job.ID{UUID: uuid.New()}
			j.State, j.Attempts = job.Leased, 1
			w.mustHaveLost(s, j)
		})
	}

	t.Run("One of many concurrent outcomes of a job succeeds", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		var done tally
		for _, err := range atOnce(func(i int) error {
			err := settlements[i%len(settlements)].settle(w, held)
			if isNotFound(err) {
				return nil
			}
			done.add(1)
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(done.n, 1)
	})
}

// jobOutcome is a way to give a leased job back.
type jobOutcome struct {
	name   string
	settle func(w world, j job.Job) error
}

var settlements = []jobOutcome{
	{"Finish", func(w world, j job.Job) error { return w.queue.Complete(w.ctx(), j) }},
	{"Postpone", func(w world, j job.Job) error {
		return w.queue.Reschedule(w.ctx(), j, j.RunAt.Add(time.Hour), "put off")
	}},
	{"Hold", func(w world, j job.Job) error {
		return w.queue.Defer(w.ctx(), j, j.RunAt.Add(time.Hour), "held")
	}},
	{"Bury", func(w world, j job.Job) error { return w.queue.MarkDead(w.ctx(), j, "buried") }},
}

// mustHaveLost checks that s fails as with a lease that was lost.
func (w world) mustHaveLost(s jobOutcome, j job.Job) {
	w.t.Helper()
	is := is.New(w.t)
	before := w.jobs(j.Kind)
	is.True(isNotFound(s.settle(w, j)))
	is.Equal(diff(w.jobs(j.Kind), before), "")
}
