package jobs

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/test/conformance/storetest/fixture"
)

// QueueOutcomes tests the methods of ports.Queue that end a lease, including that they succeed only
// for the owner of the lease.
func QueueOutcomes(t *testing.T, b fixture.Backend) {
	t.Run("Complete deletes the leased job", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, other := w.AddJob(fixture.NewKind()), w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		is.NoErr(w.Queue.Complete(w.Context(), held))
		is.Equal(len(w.Jobs(j.Kind)), 0)
		is.Equal(len(w.Lease(j.Kind, 1, held.RunAt.Add(time.Hour), held.RunAt.Add(2*time.Hour))), 0)
		is.Equal(fixture.Diff(w.Jobs(other.Kind), []job.Job{other}), "")
	})

	t.Run("Reschedule makes the leased job wait until the given instant and saves cause as its LastError", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		until := j.RunAt
		for attempt, cause := range []string{"no route to host", "déjà vu: 421 “later”", ""} {
			held := leaseOne(w, j.Kind, until)
			is.Equal(held.Attempts, attempt+1)
			until = held.RunAt.Add(time.Hour)
			is.NoErr(w.Queue.Reschedule(w.Context(), held, until, cause))
			want := j
			want.Attempts, want.RunAt, want.LastError = attempt+1, until, cause
			got := w.Jobs(j.Kind)[0]
			want.UpdatedAt = got.UpdatedAt
			is.Equal(fixture.Diff(got, want), "") // the job waits, with the number of attempts so far
			is.Equal(len(w.Lease(j.Kind, 1, until.Add(-time.Millisecond), until.Add(time.Hour))), 0)
		}
		is.NoErr(w.Queue.Reschedule(w.Context(), leaseOne(w, j.Kind, until), until.Add(time.Hour), "again"))
		is.Equal(leaseOne(w, j.Kind, until.Add(time.Hour)).LastError, "again") // the next worker can read the error
	})

	t.Run("Defer reschedules the job without counting the attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		until := j.RunAt
		for range 3 {
			held := leaseOne(w, j.Kind, until)
			is.Equal(held.Attempts, 1)
			until = held.RunAt.Add(time.Hour)
			is.NoErr(w.Queue.Defer(w.Context(), held, until, "tomorrow"))
			want := j
			got := w.Jobs(j.Kind)[0]
			want.RunAt, want.LastError, want.UpdatedAt = until, "tomorrow", got.UpdatedAt
			is.Equal(fixture.Diff(got, want), "")
			is.Equal(len(w.Lease(j.Kind, 1, until.Add(-time.Millisecond), until.Add(time.Hour))), 0)
		}
		is.NoErr(w.Queue.Reschedule(w.Context(), leaseOne(w, j.Kind, until), until.Add(time.Hour), "busy"))
		held := leaseOne(w, j.Kind, until.Add(time.Hour))
		is.NoErr(w.Queue.Defer(w.Context(), held, until, "tomorrow"))
		is.Equal(w.Jobs(j.Kind)[0].Attempts, 1) // Defer does not count an attempt, unlike Reschedule
	})

	t.Run("A job can be rescheduled to before the end of its lease", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		soon := j.RunAt.Add(time.Second)
		is.NoErr(w.Queue.Reschedule(w.Context(), held, soon, "busy"))
		is.Equal(leaseOne(w, j.Kind, soon).ID, j.ID)
	})

	t.Run("MarkDead makes the leased job dead and saves cause as its LastError; it is not leased again", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		is.NoErr(w.Queue.MarkDead(w.Context(), held, "no such user"))
		got := w.Jobs(j.Kind)
		is.Equal(len(got), 1)
		want := held
		want.State, want.LastError, want.RunAt, want.UpdatedAt = job.Dead, "no such user", got[0].RunAt, got[0].UpdatedAt
		is.Equal(fixture.Diff(got[0], want), "")
		is.Equal(len(w.Lease(j.Kind, 1, held.RunAt.AddDate(9, 0, 0), held.RunAt.AddDate(10, 0, 0))), 0)
	})

	t.Run("Dead returns the dead jobs of the school of any of the kinds, those that died last first, up to limit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind, second, other := fixture.NewKind(), fixture.NewKind(), fixture.NewKind()
		die := func(of fixture.Tenant, kind job.Kind) job.ID {
			j := of.AddJob(kind)
			is.NoErr(w.Queue.MarkDead(w.Context(), leaseOne(w, kind, j.RunAt), "no such user"))
			return j.ID
		}
		a, c := die(w.Tenant, kind), die(w.Tenant, second)
		die(w.Tenant, other)
		die(w.OtherTenant, kind)
		d := die(w.Tenant, kind)
		leased := w.AddJob(kind)
		leaseOne(w, kind, leased.RunAt)
		w.AddJob(kind)
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
			found, err := w.Queue.Dead(w.Context(), w.ID, tt.kinds, tt.limit)
			is.NoErr(err)
			var got []job.ID
			for _, j := range found {
				got = append(got, j.ID)
			}
			is.Equal(got, tt.want)
		}
	})

	t.Run("CountUnfinished counts the jobs of the kind and the school that are not dead, up to limit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		died := w.AddJob(kind)
		is.NoErr(w.Queue.MarkDead(w.Context(), leaseOne(w, kind, died.RunAt), "no such user"))
		leased := w.AddJob(kind)
		leaseOne(w, kind, leased.RunAt)
		w.AddJob(kind)
		w.AddJob(kind)
		w.AddJob(fixture.NewKind())
		w.OtherTenant.AddJob(kind)
		for limit, want := range map[int]int{0: 0, 1: 1, 3: 3, 9: 3} {
			n, err := w.Queue.CountUnfinished(w.Context(), w.ID, kind, limit)
			is.NoErr(err)
			is.Equal(n, want)
		}
	})

	t.Run("DeleteDead deletes dead jobs of the kind whose last attempt began in time, up to limit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind, other := fixture.NewKind(), fixture.NewKind()
		die := func(kind job.Kind) job.Job {
			j := w.AddJob(kind)
			held := leaseOne(w, kind, j.RunAt)
			is.NoErr(w.Queue.MarkDead(w.Context(), held, "no such user"))
			return held
		}
		first, second, third := die(kind), die(kind), die(kind)
		die(other)
		leased := w.AddJob(kind)
		leaseOne(w, kind, leased.RunAt)
		w.AddJob(kind)
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
			n, err := w.Queue.DeleteDead(w.Context(), kind, step.before, step.limit)
			is.NoErr(err)
			is.Equal(n, step.want)
			is.Equal(len(w.Jobs(kind, job.Dead)), step.remain)
		}
		is.Equal(len(w.Jobs(kind)), 2) // the leased one and the waiting one
		is.Equal(len(w.Jobs(other, job.Dead)), 1)
	})

	for _, s := range jobOutcomes {
		t.Run(s.name+" succeeds after the lease has expired if no other worker leased the job", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			j := w.AddJob(fixture.NewKind())
			held := w.Lease(j.Kind, 1, j.RunAt, j.RunAt) // the lease expires at once
			is.NoErr(s.end(w, held[0]))
		})

		t.Run(s.name+" returns NotFound and does nothing if another worker leased the job", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			j := w.AddJob(fixture.NewKind())
			lost := leaseOne(w, j.Kind, j.RunAt)
			held := leaseOne(w, j.Kind, lost.RunAt)
			mustHaveLost(w, s, lost)
			is.NoErr(w.Queue.Complete(w.Context(), held)) // held is the current lease
			mustHaveLost(w, s, lost)
		})

		t.Run(s.name+" returns NotFound if another worker leased the job, even if both leases expire at the same instant", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			j := w.AddJob(fixture.NewKind())
			lost := w.Lease(j.Kind, 1, j.RunAt, j.RunAt)[0]
			held := w.Lease(j.Kind, 1, j.RunAt, j.RunAt)[0]
			mustHaveLost(w, s, lost)
			is.NoErr(s.end(w, held))
		})

		t.Run(s.name+" returns NotFound and does nothing if an operator retried the job", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			j := w.AddJob(fixture.NewKind())
			lost := leaseOne(w, j.Kind, j.RunAt)
			now := lost.RunAt.Add(time.Hour)
			is.NoErr(w.Queue.Retry(w.Context(), j.Kind, j.ID, now)) // allowed because the lease has expired
			mustHaveLost(w, s, lost)

			held := leaseOne(w, j.Kind, now)
			is.Equal(held.Attempts, lost.Attempts) // the same number of attempts, but another lease
			mustHaveLost(w, s, lost)
			is.NoErr(w.Queue.Complete(w.Context(), held))
		})

		t.Run(s.name+" returns NotFound and does nothing if the job was marked dead and retried", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			j := w.AddJob(fixture.NewKind())
			lost := leaseOne(w, j.Kind, j.RunAt)
			held := leaseOne(w, j.Kind, lost.RunAt)
			is.NoErr(w.Queue.MarkDead(w.Context(), held, "in vain"))
			mustHaveLost(w, s, lost)
			is.NoErr(w.Queue.Retry(w.Context(), j.Kind, j.ID, held.RunAt))
			mustHaveLost(w, s, lost)
			leaseOne(w, j.Kind, held.RunAt)
			mustHaveLost(w, s, lost)
			mustHaveLost(w, s, held)
		})

		t.Run(s.name+" returns NotFound for a job that is not leased any longer", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			for _, first := range jobOutcomes {
				j := w.AddJob(fixture.NewKind())
				held := leaseOne(w, j.Kind, j.RunAt)
				is.NoErr(first.end(w, held))
				mustHaveLost(w, s, held)
			}
		})

		t.Run(s.name+" returns NotFound for a job that is not leased and for an unknown job", func(t *testing.T) {
			w := fixture.NewWorld(t, b)
			j := w.AddJob(fixture.NewKind())
			mustHaveLost(w, s, j)
			j.ID = job.ID{UUID: uuid.New()}
			j.State, j.Attempts = job.Leased, 1
			mustHaveLost(w, s, j)
		})
	}

	t.Run("One of many concurrent outcomes of a job succeeds", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		var done fixture.Counter
		for _, err := range fixture.AtOnce(func(i int) error {
			err := jobOutcomes[i%len(jobOutcomes)].end(w, held)
			if fixture.IsNotFound(err) {
				return nil
			}
			done.Add(1)
			return err
		}) {
			is.NoErr(err)
		}
		is.Equal(done.Count, 1)
	})
}

// jobOutcome is a way to end the lease of a job.
type jobOutcome struct {
	name string
	end  func(w fixture.World, j job.Job) error
}

var jobOutcomes = []jobOutcome{
	{"Complete", func(w fixture.World, j job.Job) error { return w.Queue.Complete(w.Context(), j) }},
	{"Reschedule", func(w fixture.World, j job.Job) error {
		return w.Queue.Reschedule(w.Context(), j, j.RunAt.Add(time.Hour), "rescheduled")
	}},
	{"Defer", func(w fixture.World, j job.Job) error {
		return w.Queue.Defer(w.Context(), j, j.RunAt.Add(time.Hour), "deferred")
	}},
	{"MarkDead", func(w fixture.World, j job.Job) error { return w.Queue.MarkDead(w.Context(), j, "failed") }},
}

// mustHaveLost checks that s returns NotFound and changes nothing, because the worker has lost the
// lease of j.
func mustHaveLost(w fixture.World, s jobOutcome, j job.Job) {
	w.T.Helper()
	is := is.New(w.T)
	before := w.Jobs(j.Kind)
	is.True(fixture.IsNotFound(s.end(w, j)))
	is.Equal(fixture.Diff(w.Jobs(j.Kind), before), "")
}
