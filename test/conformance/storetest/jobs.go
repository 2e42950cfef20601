package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

// All schools share one queue, and many tests share one database. Each test therefore uses its own
// job kinds, whose names contain a UUID.

// jobs tests ports.JobRepo.
func jobs(t *testing.T, b Backend) {
	t.Run("Add inserts jobs of the transaction's school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind := newKind()
		want := []job.Job{w.newJob(kind), w.newJob(kind)}
		want[0].Payload, want[1].LastError = "", "was tried elsewhere"
		is.NoErr(w.tryAddJob(want...))
		is.Equal(diff(w.jobs(kind), want), "")
	})

	t.Run("Add inserts all jobs or none", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind := newKind()
		one, two, stray := w.newJob(kind), w.newJob(kind), w.newJob(kind)
		one.Payload, two.Attempts = "a {\"list\"}, \\ of 'them'", 3
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Add(ctx, one, two) })
		is.Equal(diff(w.jobs(kind), []job.Job{one, two}), "")
		w.do(func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Add(ctx) })
		stray.School = w.otherTenant.id
		three := w.newJob(kind)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			is.True(tx.Jobs.Add(ctx, three, stray) != nil)
			return nil
		})
		is.Equal(diff(w.jobs(kind), []job.Job{one, two}), "")
	})

	t.Run("Delete deletes the school's jobs with the kind and payload, in every state, at the commit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind, another := newKind(), newKind()
		var about []job.Job
		for range 3 {
			about = append(about, w.newJob(kind))
		}
		dead, leased, waiting := about[0], about[1], about[2]
		for i := range about {
			about[i].Payload = dead.Payload
		}
		is.NoErr(w.tryAddJob(about[0]))
		is.NoErr(w.queue.MarkDead(w.ctx(), w.leaseOne(kind, dead.RunAt), "550 no such mailbox"))
		is.NoErr(w.tryAddJob(about[1]))
		held := w.leaseOne(kind, leased.RunAt)
		is.NoErr(w.tryAddJob(about[2]))
		ofKind, ofSchool, ofPayload := waiting, w.otherTenant.newJob(kind), w.newJob(kind)
		ofKind.ID, ofKind.Kind, ofKind.Payload, ofSchool.Payload = w.newJob(kind).ID, another, dead.Payload, dead.Payload
		is.NoErr(w.tryAddJob(ofKind, ofPayload))
		is.NoErr(w.otherTenant.tryAddJob(ofSchool))

		errDrop := w.try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Jobs.Delete(ctx, kind, dead.Payload); err != nil {
				return err
			}
			return errDropped
		})
		is.True(errDrop != nil)
		is.Equal(len(w.jobs(kind)), 5) // the transaction was rolled back
		w.do(func(ctx context.Context, tx ports.Tx) error {
			fresh := w.newJob(kind)
			fresh.Payload = dead.Payload
			if err := tx.Jobs.Add(ctx, fresh); err != nil { // added earlier in the same transaction
				return err
			}
			return tx.Jobs.Delete(ctx, kind, dead.Payload)
		})
		left := idsOf(w.jobs(kind))
		is.Equal(len(left), 2)
		is.True(slices.Contains(left, ofPayload.ID))
		is.True(slices.Contains(left, ofSchool.ID))
		is.Equal(len(w.jobs(another)), 1)
		is.True(fault.Is(w.queue.Complete(w.ctx(), held), fault.NotFound))
	})

	retries(t, b, func(w world, kind job.Kind, id job.ID, now time.Time) error { return w.try(w.retry(kind, id, now)) })

	t.Run("Retry takes effect at the commit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		is.NoErr(w.queue.MarkDead(w.ctx(), w.leaseOne(j.Kind, j.RunAt), "in vain"))
		dead := w.jobs(j.Kind)
		now := j.RunAt.Add(time.Hour)
		is.Equal(w.try(func(ctx context.Context, tx ports.Tx) error {
			is.NoErr(w.retry(j.Kind, j.ID, now)(ctx, tx))
			is.Equal(diff(w.jobs(j.Kind), dead), "")
			return errDropped
		}), errDropped)
		is.Equal(diff(w.jobs(j.Kind), dead), "") // the transaction was rolled back
		is.NoErr(w.try(w.retry(j.Kind, j.ID, now)))
		w.mustWait(j, now)
	})

	t.Run("Retry finds the jobs that the transaction added, and none that it deleted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		gone, kept := w.addJob(newKind()), w.newJob(newKind())
		now := kept.RunAt.Add(time.Hour)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			is.NoErr(tx.Jobs.Add(ctx, kept))
			is.NoErr(w.retry(kept.Kind, kept.ID, now)(ctx, tx))
			is.NoErr(tx.Jobs.Delete(ctx, gone.Kind, gone.Payload))
			is.True(isNotFound(w.retry(gone.Kind, gone.ID, now)(ctx, tx)))
			return nil
		})
		w.mustWait(kept, now)
		is.Equal(len(w.jobs(gone.Kind)), 0)
	})

	t.Run("Retry returns NotFound for a job of another school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.otherTenant.addJob(newKind())
		is.True(isNotFound(w.try(w.retry(j.Kind, j.ID, j.RunAt.Add(time.Hour)))))
		is.Equal(diff(w.jobs(j.Kind), []job.Job{j}), "")
	})

	t.Run("A job of another school is an error", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind := newKind()
		for name, id := range map[string]school.ID{"another school": w.otherTenant.id, "an unknown id": newSchoolID()} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				j := w.newJob(kind)
				j.School = id
				is.True(w.tryAddJob(j) != nil)
			})
		}
		is.Equal(len(w.jobs(kind)), 0)
	})

	t.Run("A job is leased only after the commit", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.newJob(newKind())
		var early, listed []job.Job
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Jobs.Add(ctx, j); err != nil {
				return err
			}
			early, listed = w.lease(j.Kind, 1, j.RunAt, j.RunAt.Add(time.Minute)), w.jobs(j.Kind)
			return nil
		})
		is.Equal(len(early), 0)
		is.Equal(len(listed), 0)
		is.Equal(len(w.lease(j.Kind, 1, j.RunAt, j.RunAt.Add(time.Minute))), 1)
	})

	t.Run("Jobs of a rolled-back transaction never appear", func(t *testing.T) {
		for name, end := range map[string]func(cancel func()) error{
			"error":    func(func()) error { return errDropped },
			"panic":    func(func()) error { panic("thrown by the test") },
			"canceled": func(cancel func()) error { cancel(); return nil },
		} {
			t.Run(name, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				kind, p := newKind(), newScenario(w.tenant)
				ctx, cancel := context.WithCancel(w.ctx())
				defer cancel()
				recovered(func() {
					_ = w.store.InTx(ctx, w.id, func(ctx context.Context, tx ports.Tx) error {
						for range 2 {
							if err := tx.Jobs.Add(ctx, w.newJob(kind)); err != nil {
								return err
							}
						}
						if err := p.run(ctx, tx); err != nil {
							return err
						}
						return end(cancel)
					})
				})
				is.Equal(len(w.jobs(kind)), 0)
				is.Equal(len(w.lease(kind, 9, w.nextTime().Add(time.Hour), w.nextTime().Add(2*time.Hour))), 0)
				is.Equal(diff(w.all(), p.before), "")
			})
		}
	})

	t.Run("Jobs appear with the rest of the transaction", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j, p := w.newJob(newKind()), newScenario(w.tenant)
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Jobs.Add(ctx, j); err != nil {
				return err
			}
			return p.run(ctx, tx)
		})
		is.Equal(diff(w.all(), p.after), "")
		is.Equal(diff(w.jobs(j.Kind), []job.Job{j}), "")
	})
}

// newKind returns a kind that no other test uses.
func newKind() job.Kind { return job.Kind("storetest-" + uuid.NewString()) }

// newJob returns a job without adding it. Its run time is later than the run times of all jobs made
// before.
func (s tenant) newJob(kind job.Kind) job.Job {
	return job.New(job.ID{UUID: uuid.New()}, s.id, kind, "payload of "+s.ids.New().String(), s.nextTime())
}

// newJobs returns n jobs with increasing run times without adding them.
func (s tenant) newJobs(kind job.Kind, n int) []job.Job {
	jobs := make([]job.Job, n)
	for i := range jobs {
		jobs[i] = s.newJob(kind)
	}
	return jobs
}

// tryAddJob adds jobs in one transaction.
func (s tenant) tryAddJob(js ...job.Job) error {
	return s.try(func(ctx context.Context, tx ports.Tx) error {
		for _, j := range js {
			if err := tx.Jobs.Add(ctx, j); err != nil {
				return err
			}
		}
		return nil
	})
}

// addJob adds a job of a kind.
func (s tenant) addJob(kind job.Kind) job.Job {
	s.t.Helper()
	j := s.newJob(kind)
	s.must(s.tryAddJob(j))
	return j
}

func (w world) retry(kind job.Kind, id job.ID, now time.Time) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Retry(ctx, kind, id, now) }
}

// jobs returns the jobs of the kind that are in one of the given states.
func (w world) jobs(kind job.Kind, states ...job.State) []job.Job {
	w.t.Helper()
	found, err := w.queue.List(w.ctx(), kind, states...)
	w.must(err)
	return found
}

// lease leases at most n jobs of the kind that can run at the instant now. The leases end at until.
func (w world) lease(kind job.Kind, n int, now, until time.Time) []job.Job {
	w.t.Helper()
	found, err := w.queue.Lease(w.ctx(), kind, n, now, until)
	w.must(err)
	return found
}

// leaseOne leases the only job of the kind that can run at the instant now. The lease lasts a
// minute.
func (w world) leaseOne(kind job.Kind, now time.Time) job.Job {
	w.t.Helper()
	found := w.lease(kind, 2, now, now.Add(time.Minute))
	if len(found) != 1 {
		w.t.Fatalf("got %d jobs, want one", len(found))
	}
	return found[0]
}

// idsOf returns the ids of jobs in their order.
func idsOf(jobs []job.Job) []job.ID {
	ids := make([]job.ID, len(jobs))
	for i, j := range jobs {
		ids[i] = j.ID
	}
	return ids
}
