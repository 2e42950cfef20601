package jobs

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// All schools share one queue, and many tests share one database. Each test therefore uses its own
// job kinds, whose names contain a UUID.

// Jobs tests ports.JobRepo.
func Jobs(t *testing.T, b fixture.Backend) {
	t.Run("Add inserts jobs of the transaction's school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		want := []job.Job{w.NewJob(kind), w.NewJob(kind)}
		want[0].Payload, want[1].LastError = "", "was tried elsewhere"
		is.NoErr(w.TryAddJob(want...))
		is.Equal(fixture.Diff(w.Jobs(kind), want), "")
	})

	t.Run("Add inserts all jobs or none", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		one, two, stray := w.NewJob(kind), w.NewJob(kind), w.NewJob(kind)
		one.Payload, two.Attempts = "a {\"list\"}, \\ of 'them'", 3
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Add(ctx, one, two) })
		is.Equal(fixture.Diff(w.Jobs(kind), []job.Job{one, two}), "")
		w.Do(func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Add(ctx) })
		stray.School = w.OtherTenant.ID
		three := w.NewJob(kind)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			is.True(tx.Jobs.Add(ctx, three, stray) != nil)
			return nil
		})
		is.Equal(fixture.Diff(w.Jobs(kind), []job.Job{one, two}), "")
	})

	t.Run("Delete deletes the school's jobs with the kind and payload, in every state, at the commit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind, another := fixture.NewKind(), fixture.NewKind()
		var about []job.Job
		for range 3 {
			about = append(about, w.NewJob(kind))
		}
		dead, leased, waiting := about[0], about[1], about[2]
		for i := range about {
			about[i].Payload = dead.Payload
		}
		is.NoErr(w.TryAddJob(about[0]))
		is.NoErr(w.Queue.MarkDead(w.Context(), leaseOne(w, kind, dead.RunAt), "550 no such mailbox"))
		is.NoErr(w.TryAddJob(about[1]))
		held := leaseOne(w, kind, leased.RunAt)
		is.NoErr(w.TryAddJob(about[2]))
		ofKind, ofSchool, ofPayload := waiting, w.OtherTenant.NewJob(kind), w.NewJob(kind)
		ofKind.ID, ofKind.Kind, ofKind.Payload, ofSchool.Payload = w.NewJob(kind).ID, another, dead.Payload, dead.Payload
		is.NoErr(w.TryAddJob(ofKind, ofPayload))
		is.NoErr(w.OtherTenant.TryAddJob(ofSchool))

		errDrop := w.Try(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Jobs.Delete(ctx, kind, dead.Payload); err != nil {
				return err
			}
			return fixture.ErrDropped
		})
		is.True(errDrop != nil)
		is.Equal(len(w.Jobs(kind)), 5) // the transaction was rolled back
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			fresh := w.NewJob(kind)
			fresh.Payload = dead.Payload
			if err := tx.Jobs.Add(ctx, fresh); err != nil { // added earlier in the same transaction
				return err
			}
			return tx.Jobs.Delete(ctx, kind, dead.Payload)
		})
		left := idsOf(w.Jobs(kind))
		is.Equal(len(left), 2)
		is.True(slices.Contains(left, ofPayload.ID))
		is.True(slices.Contains(left, ofSchool.ID))
		is.Equal(len(w.Jobs(another)), 1)
		is.True(fault.Is(w.Queue.Complete(w.Context(), held), fault.NotFound))
	})

	retries(t, b, func(w fixture.World, kind job.Kind, id job.ID, now time.Time) error {
		return w.Try(retry(kind, id, now))
	})

	t.Run("Retry takes effect at the commit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		is.NoErr(w.Queue.MarkDead(w.Context(), leaseOne(w, j.Kind, j.RunAt), "in vain"))
		dead := w.Jobs(j.Kind)
		now := j.RunAt.Add(time.Hour)
		is.Equal(w.Try(func(ctx context.Context, tx ports.Tx) error {
			is.NoErr(retry(j.Kind, j.ID, now)(ctx, tx))
			is.Equal(fixture.Diff(w.Jobs(j.Kind), dead), "")
			return fixture.ErrDropped
		}), fixture.ErrDropped)
		is.Equal(fixture.Diff(w.Jobs(j.Kind), dead), "") // the transaction was rolled back
		is.NoErr(w.Try(retry(j.Kind, j.ID, now)))
		mustWait(w, j, now)
	})

	t.Run("Retry finds the jobs that the transaction added, and none that it deleted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		gone, kept := w.AddJob(fixture.NewKind()), w.NewJob(fixture.NewKind())
		now := kept.RunAt.Add(time.Hour)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			is.NoErr(tx.Jobs.Add(ctx, kept))
			is.NoErr(retry(kept.Kind, kept.ID, now)(ctx, tx))
			is.NoErr(tx.Jobs.Delete(ctx, gone.Kind, gone.Payload))
			is.True(fixture.IsNotFound(retry(gone.Kind, gone.ID, now)(ctx, tx)))
			return nil
		})
		mustWait(w, kept, now)
		is.Equal(len(w.Jobs(gone.Kind)), 0)
	})

	t.Run("Retry returns NotFound for a job of another school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.OtherTenant.AddJob(fixture.NewKind())
		is.True(fixture.IsNotFound(w.Try(retry(j.Kind, j.ID, j.RunAt.Add(time.Hour)))))
		is.Equal(fixture.Diff(w.Jobs(j.Kind), []job.Job{j}), "")
	})

	t.Run("A job of another school is an error", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		for name, id := range map[string]school.ID{"another school": w.OtherTenant.ID, "an unknown id": fixture.NewSchoolID()} {
			t.Run(name, func(t *testing.T) {
				is := is.New(t)
				j := w.NewJob(kind)
				j.School = id
				is.True(w.TryAddJob(j) != nil)
			})
		}
		is.Equal(len(w.Jobs(kind)), 0)
	})

	t.Run("A job is leased only after the commit", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.NewJob(fixture.NewKind())
		var early, listed []job.Job
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Jobs.Add(ctx, j); err != nil {
				return err
			}
			early, listed = w.Lease(j.Kind, 1, j.RunAt, j.RunAt.Add(time.Minute)), w.Jobs(j.Kind)
			return nil
		})
		is.Equal(len(early), 0)
		is.Equal(len(listed), 0)
		is.Equal(len(w.Lease(j.Kind, 1, j.RunAt, j.RunAt.Add(time.Minute))), 1)
	})

	t.Run("Jobs of a rolled-back transaction never appear", func(t *testing.T) {
		for name, end := range map[string]func(cancel func()) error{
			"error":    func(func()) error { return fixture.ErrDropped },
			"panic":    func(func()) error { panic("thrown by the test") },
			"canceled": func(cancel func()) error { cancel(); return nil },
		} {
			t.Run(name, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				kind, p := fixture.NewKind(), fixture.NewScenario(w.Tenant)
				ctx, cancel := context.WithCancel(w.Context())
				defer cancel()
				fixture.Recovered(func() {
					_ = w.Store.InTx(ctx, w.ID, func(ctx context.Context, tx ports.Tx) error {
						for range 2 {
							if err := tx.Jobs.Add(ctx, w.NewJob(kind)); err != nil {
								return err
							}
						}
						if err := p.Run(ctx, tx); err != nil {
							return err
						}
						return end(cancel)
					})
				})
				is.Equal(len(w.Jobs(kind)), 0)
				is.Equal(len(w.Lease(kind, 9, w.NextTime().Add(time.Hour), w.NextTime().Add(2*time.Hour))), 0)
				is.Equal(fixture.Diff(w.All(), p.Before), "")
			})
		}
	})

	t.Run("Jobs appear with the rest of the transaction", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j, p := w.NewJob(fixture.NewKind()), fixture.NewScenario(w.Tenant)
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := tx.Jobs.Add(ctx, j); err != nil {
				return err
			}
			return p.Run(ctx, tx)
		})
		is.Equal(fixture.Diff(w.All(), p.After), "")
		is.Equal(fixture.Diff(w.Jobs(j.Kind), []job.Job{j}), "")
	})
}

// newJobs returns n jobs with increasing run times without adding them.
func newJobs(s fixture.Tenant, kind job.Kind, n int) []job.Job {
	jobs := make([]job.Job, n)
	for i := range jobs {
		jobs[i] = s.NewJob(kind)
	}
	return jobs
}

func retry(kind job.Kind, id job.ID, now time.Time) func(context.Context, ports.Tx) error {
	return func(ctx context.Context, tx ports.Tx) error { return tx.Jobs.Retry(ctx, kind, id, now) }
}

// leaseOne leases the only job of the kind that can run at the instant now. The lease lasts a
// minute.
func leaseOne(w fixture.World, kind job.Kind, now time.Time) job.Job {
	w.T.Helper()
	found := w.Lease(kind, 2, now, now.Add(time.Minute))
	if len(found) != 1 {
		w.T.Fatalf("got %d jobs, want one", len(found))
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
