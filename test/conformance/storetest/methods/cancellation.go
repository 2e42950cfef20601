package methods

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/category"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
	"lyceum/test/kit/fake"
)

// Cancellation tests that an operation whose context has ended returns the error of the context and
// changes nothing.
func Cancellation(t *testing.T, b fixture.Backend) {
	for _, cause := range fixture.Causes() {
		w := fixture.NewWorld(t, b)
		ours := fixture.New(w.Tenant, "ours")
		before := w.All()
		for _, v := range portMethods {
			t.Run(cause.Name+": "+v.name(), func(t *testing.T) {
				is, w := is.New(t), w.WithT(t)
				if !v.outside {
					err := w.Try(func(ctx context.Context, tx ports.Tx) error {
						ctx, cancel := cause.End(ctx)
						defer cancel()
						return fixture.Second(v.call(ctx, tx, ours, ours))
					})
					is.True(errors.Is(err, cause.Err))
				}
				if v.read != nil {
					ctx, cancel := cause.End(w.Context())
					defer cancel()
					_, err := v.read(ctx, w.Read(), ours, ours)
					is.True(errors.Is(err, cause.Err))
				}
				if v.read == nil { // reads change nothing
					is.Equal(fixture.Diff(w.All(), before), "")
				}
			})
		}

		t.Run(cause.Name+": Store", func(t *testing.T) {
			is, w := is.New(t), fixture.NewWorld(t, b)
			p := fixture.NewScenario(w.Tenant)
			ctx, cancel := cause.End(w.Context())
			defer cancel()
			is.True(errors.Is(w.Store.InTx(ctx, w.ID, p.Run), cause.Err))
			is.True(errors.Is(w.Store.Ready(ctx), cause.Err))
			is.Equal(fixture.Diff(w.All(), p.Before), "")
		})

		for _, op := range schoolsMethods {
			t.Run(cause.Name+": Schools."+op.name, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				k := w.NewKey(0)
				is.NoErr(w.TryAddKey(k))
				ctx, cancel := cause.End(w.Context())
				defer cancel()
				is.True(errors.Is(op.call(ctx, w, k), cause.Err))
				keys, err := w.Schools.ListKeys(w.Context(), w.ID)
				is.NoErr(err)
				is.Equal(fixture.Diff(keys, []school.Key{k}), "")
			})
		}

		for _, op := range queueMethods {
			t.Run(cause.Name+": Queue."+op.name, func(t *testing.T) {
				is, w := is.New(t), fixture.NewWorld(t, b)
				kind := fixture.NewKind()
				w.AddJob(kind)
				idle := w.AddJob(kind)
				held := w.Lease(kind, 1, idle.RunAt, idle.RunAt.Add(time.Minute))[0]
				before := w.Jobs(kind)
				ctx, cancel := cause.End(w.Context())
				defer cancel()
				is.True(errors.Is(op.call(ctx, w, held, idle), cause.Err))
				is.Equal(fixture.Diff(w.Jobs(kind), before), "")
			})
		}
	}

	t.Run("A transaction whose context ends is rolled back even if fn returns nil", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		ctx, cancel := context.WithCancel(w.Context())
		defer cancel()
		err := w.Store.InTx(ctx, w.ID, func(ctx context.Context, tx ports.Tx) error {
			err := p.Run(ctx, tx)
			cancel()
			return err
		})
		is.True(errors.Is(err, context.Canceled))
		is.Equal(fixture.Diff(w.All(), p.Before), "")
		is.NoErr(w.Try(p.Run)) // no lock is held
	})

	t.Run("The context of fn ends with the context of InTx", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		p := fixture.NewScenario(w.Tenant)
		ctx, cancel := context.WithCancel(w.Context())
		defer cancel()
		err := w.Store.InTx(ctx, w.ID, func(ctx context.Context, tx ports.Tx) error {
			cancel()
			<-ctx.Done()
			return p.Run(ctx, tx)
		})
		is.True(errors.Is(err, context.Canceled))
		is.Equal(fixture.Diff(w.All(), p.Before), "")
	})

	t.Run("Waiting for a lock ends with the context", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		c := w.AddCategory("Design")
		var waiting error
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			if err := lockCategory(c.ID)(ctx, tx); err != nil {
				return err
			}
			other, cancel := context.WithTimeout(w.Context(), fixture.ObserveTime)
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- w.Store.InTx(other, w.ID, lockCategory(c.ID)) }()
			select {
			case waiting = <-ended:
				return nil
			case <-time.After(fixture.LockTimeout):
				return fixture.ErrStuck
			}
		})
		is.True(errors.Is(waiting, context.DeadlineExceeded))
		is.Equal(fixture.Diff(w.All().Categories, []category.State{c}), "")
	})
}

// schoolsMethods contains the methods of ports.Schools. The argument k is a key of the school.
// complete.go checks that the list has every method.
var schoolsMethods = []struct {
	name string
	call func(ctx context.Context, w fixture.World, k school.Key) error
}{
	{"List", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.List(ctx))
	}},
	{"Get", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.Get(ctx, w.ID))
	}},
	{"Only", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.Only(ctx))
	}},
	{"BySlug", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.BySlug(ctx, w.ID.String()))
	}},
	{"ListKeys", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.ListKeys(ctx, w.ID))
	}},
	{"KeyByHash", func(ctx context.Context, w fixture.World, k school.Key) error {
		_, _, err := w.Schools.KeyByHash(ctx, k.Hash)
		return err
	}},
	{"InvitationLinkByHash", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.InvitationLinkByHash(ctx, invitation.HashToken("any")))
	}},
	{"OwnerOfKey", func(ctx context.Context, w fixture.World, k school.Key) error {
		return fixture.Second(w.Schools.OwnerOfKey(ctx, k.ID))
	}},
	{"DeleteExpiredResponses", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.DeleteExpiredResponses(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no response is older
	}},
	{"DeleteExpiredDeliveries", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.DeleteExpiredDeliveries(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no delivery is older
	}},
	{"ExpireChanges", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return w.Schools.ExpireChanges(ctx, fake.Start.Add(-300_000*time.Hour)) // no change is older
	}},
	{"DeleteExpiredAuditEvents", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.DeleteExpiredAuditEvents(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no event is older
	}},
	{"DeleteExpiredWebhookDeliveries", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.DeleteExpiredWebhookDeliveries(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no delivery is older
	}},
	{"DeleteExpiredBulkJobs", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.DeleteExpiredBulkJobs(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no bulk job is older
	}},
	{"FollowersBehind", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.FollowersBehind(ctx, []string{"one"}, []string{"two"}))
	}},
	{"DeleteExpiredSignIns", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.DeleteExpiredSignIns(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no session is older
	}},
	{"Delete", func(ctx context.Context, w fixture.World, _ school.Key) error {
		return fixture.Second(w.Schools.Delete(ctx, fixture.NewSchoolID(), 1))
	}},
	{"TouchKey", func(ctx context.Context, w fixture.World, k school.Key) error {
		return w.Schools.TouchKey(ctx, k.ID, fake.Start)
	}},
}

// queueMethods contains the methods of ports.Queue except Subscribe and LimitLeases. The arguments
// are a leased job and a waiting job of the same kind. complete.go checks that the list has every
// method.
var queueMethods = []struct {
	name string
	call func(ctx context.Context, w fixture.World, held, idle job.Job) error
}{
	{"Lease", func(ctx context.Context, w fixture.World, _, idle job.Job) error {
		return fixture.Second(w.Queue.Lease(ctx, idle.Kind, 1, idle.RunAt, idle.RunAt.Add(time.Minute)))
	}},
	{"ReleaseOwnLeases", func(ctx context.Context, w fixture.World, _, idle job.Job) error {
		return fixture.Second(w.Queue.ReleaseOwnLeases(ctx, idle.RunAt))
	}},
	{"Complete", func(ctx context.Context, w fixture.World, held, _ job.Job) error { return w.Queue.Complete(ctx, held) }},
	{"Reschedule", func(ctx context.Context, w fixture.World, held, _ job.Job) error {
		return w.Queue.Reschedule(ctx, held, held.RunAt, "late")
	}},
	{"Defer", func(ctx context.Context, w fixture.World, held, _ job.Job) error {
		return w.Queue.Defer(ctx, held, held.RunAt, "late")
	}},
	{"MarkDead", func(ctx context.Context, w fixture.World, held, _ job.Job) error {
		return w.Queue.MarkDead(ctx, held, "late")
	}},
	{"List", func(ctx context.Context, w fixture.World, _, idle job.Job) error {
		return fixture.Second(w.Queue.List(ctx, idle.Kind))
	}},
	{"Dead", func(ctx context.Context, w fixture.World, _, idle job.Job) error {
		return fixture.Second(w.Queue.Dead(ctx, idle.School, []job.Kind{idle.Kind}, 1))
	}},
	{"CountUnfinished", func(ctx context.Context, w fixture.World, _, idle job.Job) error {
		return fixture.Second(w.Queue.CountUnfinished(ctx, idle.School, idle.Kind, 1))
	}},
	{"DeleteDead", func(ctx context.Context, w fixture.World, _, idle job.Job) error {
		return fixture.Second(w.Queue.DeleteDead(ctx, idle.Kind, idle.CreatedAt, 1))
	}},
	{"Backlog", func(ctx context.Context, w fixture.World, _, _ job.Job) error {
		return fixture.Second(w.Queue.Backlog(ctx))
	}},
	{"Retry", func(ctx context.Context, w fixture.World, _, idle job.Job) error {
		return w.Queue.Retry(ctx, idle.Kind, idle.ID, idle.RunAt.Add(time.Hour))
	}},
}
