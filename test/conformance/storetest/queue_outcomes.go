package storetest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/job"
)

// queueOutcomes tests the methods of ports.Queue that end a lease, including that they succeed only
// for the owner of the lease.
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
			is.Equal(diff(got, want), "") // the job waits, with the number of attempts so far
			is.Equal(len(w.lease(j.Kind, 1, until.Add(-time.Millisecond), until.Add(time.Hour))), 0)
		}
		is.NoErr(w.queue.Reschedule(w.ctx(), w.leaseOne(j.Kind, until), until.Add(time.Hour), "again"))
		is.Equal(w.leaseOne(j.Kind, until.Add(time.Hour)).LastError, "again") // the next worker can read the error
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
		is.Equal(w.jobs(j.Kind)[0].Attempts, 1) // Defer does not count an attempt, unlike Reschedule
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

	t.Run("Dead returns the dead jobs of the school of any of the kinds, those that died last first, up to limit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind, second, other := newKind(), newKind(), newKind()
		die := func(of tenant, kind job.Kind) job.ID {
			j := of.addJob(kind)
			is.NoErr(w.queue.MarkDead(w.ctx(), w.leaseOne(kind, j.RunAt), "no such user"))
			return j.ID
		}
		a, c := die(w.tenant, kind), die(w.tenant, second)
		die(w.tenant, other)
		die(w.otherTenant, kind)
		d := die(w.tenant, kind)
		leased := w.addJob(kind)
		w.leaseOne(kind, leased.RunAt)
		w.addJob(kind)
		for _, tt := range []struct {
			kinds []job.Kind
			limit int
			want  []job.ID
		}{
			{[]job.Kind{kind, second}, 9, []job.ID{d, c, a}},
			{[]job.Kind{kind}, 9, []job.ID{d, a}},
			{[]job.Kind{second, kind}, 2, []job.ID{d, c}},
			{[]job.Kind{kind}, 0, nil},
			{nil, 9, nil},
		} {
			found, err := w.queue.Dead(w.ctx(), w.id, tt.kinds, tt.limit)
			is.NoErr(err)
			var got []job.ID
			for _, j := range found {
				got = append(got, j.ID)
			}
			is.Equal(got, tt.want)
		}
	})

	t.Run("CountUnfinished counts the jobs of the kind and the school that are not dead, up to limit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind := newKind()
		died := w.addJob(kind)
		is.NoErr(w.queue.MarkDead(w.ctx(), w.leaseOne(kind, died.RunAt), "no such user"))
		leased := w.addJob(kind)
		w.leaseOne(kind, leased.RunAt)
		w.addJob(kind)
		w.addJob(kind)
		w.addJob(newKind())
		w.otherTenant.addJob(kind)
		for limit, want := range map[int]int{0: 0, 1: 1, 3: 3, 9: 3} {
			n, err := w.queue.CountUnfinished(w.ctx(), w.id, kind, limit)
			is.NoErr(err)
			is.Equal(n, want)
		}
	})

	t.Run("DeleteDead deletes dead jobs of the kind whose last attempt began in time, up to limit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind, other := newKind(), newKind()
		die := func(kind job.Kind) job.Job {
			j := w.addJob(kind)
			held := w.leaseOne(kind, j.RunAt)
			is.NoErr(w.queue.MarkDead(w.ctx(), held, "no such user"))
			return held
		}
		first, second, third := die(kind), die(kind), die(kind)
		die(other)
		leased := w.addJob(kind)
		w.leaseOne(kind, leased.RunAt)
		w.addJob(kind)
		late := third.UpdatedAt.Add(100_000 * time.Hour)
		for _, step := range []struct {
			before              time.Time
			limit, want, remain int
		}{
			{first.UpdatedAt.Add(-time.Millisecond), 9, 0, 3},
			{second.UpdatedAt, 9, 2, 1},
			{late, 0, 0, 1},
			{late, 1, 1, 0},
			{late, 9, 0, 0},
		} {
			n, err := w.queue.DeleteDead(w.ctx(), kind, step.before, step.limit)
			is.NoErr(err)
			is.Equal(n, step.want)
			is.Equal(len(w.jobs(kind, job.Dead)), step.remain)
		}
		is.Equal(len(w.jobs(kind)), 2) // the leased one and the waiting one
		is.Equal(len(w.jobs(other, job.Dead)), 1)
	})

	for _, s := range jobOutcomes {
		t.Run(s.name+" succeeds after the lease has expired if no other worker leased the job", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			held := w.lease(j.Kind, 1, j.RunAt, j.RunAt) // the lease expires at once
			is.NoErr(s.end(w, held[0]))
		})

		t.Run(s.name+" returns NotFound and does nothing if another worker leased the job", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			lost := w.leaseOne(j.Kind, j.RunAt)
			held := w.leaseOne(j.Kind, lost.RunAt)
			w.mustHaveLost(s, lost)
			is.NoErr(w.queue.Complete(w.ctx(), held)) // held is the current lease
			w.mustHaveLost(s, lost)
		})

		t.Run(s.name+" returns NotFound if another worker leased the job, even if both leases expire at the same instant", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			lost := w.lease(j.Kind, 1, j.RunAt, j.RunAt)[0]
			held := w.lease(j.Kind, 1, j.RunAt, j.RunAt)[0]
			w.mustHaveLost(s, lost)
			is.NoErr(s.end(w, held))
		})

		t.Run(s.name+" returns NotFound and does nothing if an operator retried the job", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			j := w.addJob(newKind())
			lost := w.leaseOne(j.Kind, j.RunAt)
			now := lost.RunAt.Add(time.Hour)
			is.NoErr(w.queue.Retry(w.ctx(), j.Kind, j.ID, now)) // allowed because the lease has expired
			w.mustHaveLost(s, lost)

			held := w.leaseOne(j.Kind, now)
			is.Equal(held.Attempts, lost.Attempts) // the same number of attempts, but another lease
			w.mustHaveLost(s, lost)
			is.NoErr(w.queue.Complete(w.ctx(), held))
		})

		t.Run(s.name+" returns NotFound and does nothing if the job was marked dead and retried", func(t *testing.T) {
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

		t.Run(s.name+" returns NotFound for a job that is not leased any longer", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			for _, first := range jobOutcomes {
				j := w.addJob(newKind())
				held := w.leaseOne(j.Kind, j.RunAt)
				is.NoErr(first.end(w, held))
				w.mustHaveLost(s, held)
			}
		})

		t.Run(s.name+" returns NotFound for a job that is not leased and for an unknown job", func(t *testing.T) {
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
			err := jobOutcomes[i%len(jobOutcomes)].end(w, held)
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

// jobOutcome is a way to end the lease of a job.
type jobOutcome struct {
	name string
	end  func(w world, j job.Job) error
}

var jobOutcomes = []jobOutcome{
	{"Complete", func(w world, j job.Job) error { return w.queue.Complete(w.ctx(), j) }},
	{"Reschedule", func(w world, j job.Job) error {
		return w.queue.Reschedule(w.ctx(), j, j.RunAt.Add(time.Hour), "rescheduled")
	}},
	{"Defer", func(w world, j job.Job) error {
		return w.queue.Defer(w.ctx(), j, j.RunAt.Add(time.Hour), "deferred")
	}},
	{"MarkDead", func(w world, j job.Job) error { return w.queue.MarkDead(w.ctx(), j, "failed") }},
}

// mustHaveLost checks that s returns NotFound and changes nothing, because the worker has lost the
// lease of j.
func (w world) mustHaveLost(s jobOutcome, j job.Job) {
	w.t.Helper()
	is := is.New(w.t)
	before := w.jobs(j.Kind)
	is.True(isNotFound(s.end(w, j)))
	is.Equal(diff(w.jobs(j.Kind), before), "")
}
