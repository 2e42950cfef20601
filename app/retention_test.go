package app_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	appbulk "lyceum/app/bulk"
	"lyceum/app/jobs"
	"lyceum/domain/bulk"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// A bulk job is kept for exactly the configured time after its last row was applied.
func TestBulkJobsAreKeptForTheConfiguredTime(t *testing.T) {
	for _, kept := range []time.Duration{appbulk.Retention, 24 * time.Hour, 0} {
		t.Run(kept.String(), func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			w.Bulk.KeepFor(kept)
			j, err := w.Bulk.Accept(w.ctx, w.actor, bulk.People, []bulk.Row{{Subject: "eve@example.test"}})
			is.NoErr(err)
			exists := func() bool {
				more, err := w.Bulk.Sweep(w.ctx)
				is.NoErr(err)
				is.True(!more)
				_, err = w.Bulk.Get(w.ctx, w.actor, j.ID)
				is.True(err == nil || fault.Is(err, fault.NotFound))
				return err == nil
			}
			w.clock.Advance(365 * 24 * time.Hour)
			is.True(exists()) // not yet applied
			took, err := w.Bulk.ApplyNext(w.ctx)
			is.NoErr(err)
			is.True(took)
			w.clock.Advance(kept - time.Millisecond)
			is.True(exists())
			w.clock.Advance(time.Millisecond)
			is.Equal(exists(), kept == 0)
		})
	}
}

// Dead jobs of emails and bulk requests are kept for the configured time after their last attempt.
// The others are kept, because work is left undone without them.
func TestDeadJobsAreKeptForTheConfiguredTime(t *testing.T) {
	for _, kept := range []time.Duration{jobs.Retention, 24 * time.Hour, 0} {
		t.Run(kept.String(), func(t *testing.T) {
			is := is.New(t)
			w := newWorld(t, school.Preregistration)
			w.Jobs.KeepFor(kept)
			kinds := []job.Kind{invitation.Kind, signin.Kind, bulk.JobKind, jobs.CourseRemovalKind, jobs.FileCleanupKind, "webhook"}
			for _, kind := range kinds {
				now := w.clock.Now()
				is.NoErr(w.store.InTx(w.ctx, w.school, func(ctx context.Context, tx ports.Tx) error {
					return tx.Jobs.Add(ctx, job.New(job.ID{UUID: uuid.New()}, w.school, kind, "x", now))
				}))
				held, err := w.queue.Lease(w.ctx, kind, 1, now, now.Add(time.Minute))
				is.NoErr(err)
				is.NoErr(w.queue.MarkDead(w.ctx, held[0], "no such mailbox"))
			}
			dead := func() (found []job.Kind) {
				more, err := w.Jobs.Sweep(w.ctx)
				is.NoErr(err)
				is.True(!more)
				for _, kind := range kinds {
					left, err := w.queue.List(w.ctx, kind, job.Dead)
					is.NoErr(err)
					if len(left) > 0 {
						found = append(found, kind)
					}
				}
				return found
			}
			w.clock.Advance(kept - time.Millisecond)
			is.Equal(dead(), kinds)
			w.clock.Advance(time.Millisecond)
			if kept == 0 {
				is.Equal(dead(), kinds)
				return
			}
			is.Equal(dead(), kinds[3:])
		})
	}
}
