package storetest

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
	"lyceum/test/kit/fake"
)

// cancellation tests that an operation whose context has ended returns the error of the context and
// changes nothing.
func cancellation(t *testing.T, b Backend) {
	for _, cause := range causes() {
		w := newWorld(t, b)
		ours := newFixture(w.tenant, "ours")
		before := w.all()
		for _, v := range portMethods {
			t.Run(cause.name+": "+v.name(), func(t *testing.T) {
				is, w := is.New(t), w.withT(t)
				if !v.outside {
					err := w.try(func(ctx context.Context, tx ports.Tx) error {
						ctx, cancel := cause.end(ctx)
						defer cancel()
						return second(v.call(ctx, tx, ours, ours))
					})
					is.True(errors.Is(err, cause.err))
				}
				if v.read != nil {
					ctx, cancel := cause.end(w.ctx())
					defer cancel()
					_, err := v.read(ctx, w.read(), ours, ours)
					is.True(errors.Is(err, cause.err))
				}
				if v.read == nil { // reads change nothing
					is.Equal(diff(w.all(), before), "")
				}
			})
		}

		t.Run(cause.name+": Store", func(t *testing.T) {
			is, w := is.New(t), newWorld(t, b)
			p := newScenario(w.tenant)
			ctx, cancel := cause.end(w.ctx())
			defer cancel()
			is.True(errors.Is(w.store.InTx(ctx, w.id, p.run), cause.err))
			is.True(errors.Is(w.store.Ready(ctx), cause.err))
			is.Equal(diff(w.all(), p.before), "")
		})

		for _, op := range schoolsMethods {
			t.Run(cause.name+": Schools."+op.name, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				k := w.newKey(0)
				is.NoErr(w.tryAddKey(k))
				ctx, cancel := cause.end(w.ctx())
				defer cancel()
				is.True(errors.Is(op.call(ctx, w, k), cause.err))
				keys, err := w.schools.ListKeys(w.ctx(), w.id)
				is.NoErr(err)
				is.Equal(diff(keys, []school.Key{k}), "")
			})
		}

		for _, op := range queueMethods {
			t.Run(cause.name+": Queue."+op.name, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				kind := newKind()
				w.addJob(kind)
				idle := w.addJob(kind)
				held := w.lease(kind, 1, idle.RunAt, idle.RunAt.Add(time.Minute))[0]
				before := w.jobs(kind)
				ctx, cancel := cause.end(w.ctx())
				defer cancel()
				is.True(errors.Is(op.call(ctx, w, held, idle), cause.err))
				is.Equal(diff(w.jobs(kind), before), "")
			})
		}
	}

	t.Run("A transaction whose context ends is rolled back even if fn returns nil", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		ctx, cancel := context.WithCancel(w.ctx())
		defer cancel()
		err := w.store.InTx(ctx, w.id, func(ctx context.Context, tx ports.Tx) error {
			err := p.run(ctx, tx)
			cancel()
			return err
		})
		is.True(errors.Is(err, context.Canceled))
		is.Equal(diff(w.all(), p.before), "")
		is.NoErr(w.try(p.run)) // no lock is held
	})

	t.Run("The context of fn ends with the context of InTx", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		p := newScenario(w.tenant)
		ctx, cancel := context.WithCancel(w.ctx())
		defer cancel()
		err := w.store.InTx(ctx, w.id, func(ctx context.Context, tx ports.Tx) error {
			cancel()
			<-ctx.Done()
			return p.run(ctx, tx)
		})
		is.True(errors.Is(err, context.Canceled))
		is.Equal(diff(w.all(), p.before), "")
	})

	t.Run("Waiting for a lock ends with the context", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		c := w.addCategory("Design")
		var waiting error
		w.do(func(ctx context.Context, tx ports.Tx) error {
			if err := lockCategory(c.ID)(ctx, tx); err != nil {
				return err
			}
			other, cancel := context.WithTimeout(w.ctx(), observeTime)
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- w.store.InTx(other, w.id, lockCategory(c.ID)) }()
			select {
			case waiting = <-ended:
				return nil
			case <-time.After(lockTimeout):
				return errStuck
			}
		})
		is.True(errors.Is(waiting, context.DeadlineExceeded))
		is.Equal(diff(w.all().Categories, []category.State{c}), "")
	})
}

// schoolsMethods contains the methods of ports.Schools. The argument k is a key of the school.
// complete.go checks that the list has every method.
var schoolsMethods = []struct {
	name string
	call func(ctx context.Context, w world, k school.Key) error
}{
	{"List", func(ctx context.Context, w world, _ school.Key) error { return second(w.schools.List(ctx)) }},
	{"Get", func(ctx context.Context, w world, _ school.Key) error { return second(w.schools.Get(ctx, w.id)) }},
	{"Only", func(ctx context.Context, w world, _ school.Key) error { return second(w.schools.Only(ctx)) }},
	{"BySlug", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.BySlug(ctx, w.id.String()))
	}},
	{"ListKeys", func(ctx context.Context, w world, _ school.Key) error { return second(w.schools.ListKeys(ctx, w.id)) }},
	{"KeyByHash", func(ctx context.Context, w world, k school.Key) error {
		_, _, err := w.schools.KeyByHash(ctx, k.Hash)
		return err
	}},
	{"InvitationLinkByHash", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.InvitationLinkByHash(ctx, invitation.HashToken("any")))
	}},
	{"OwnerOfKey", func(ctx context.Context, w world, k school.Key) error { return second(w.schools.OwnerOfKey(ctx, k.ID)) }},
	{"DeleteExpiredResponses", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.DeleteExpiredResponses(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no response is older
	}},
	{"DeleteExpiredDeliveries", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.DeleteExpiredDeliveries(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no delivery is older
	}},
	{"ExpireChanges", func(ctx context.Context, w world, _ school.Key) error {
		return w.schools.ExpireChanges(ctx, fake.Start.Add(-300_000*time.Hour)) // no change is older
	}},
	{"DeleteExpiredAuditEvents", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.DeleteExpiredAuditEvents(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no event is older
	}},
	{"DeleteExpiredWebhookDeliveries", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.DeleteExpiredWebhookDeliveries(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no delivery is older
	}},
	{"DeleteExpiredBulkJobs", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.DeleteExpiredBulkJobs(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no bulk job is older
	}},
	{"FollowersBehind", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.FollowersBehind(ctx, []string{"one"}, []string{"two"}))
	}},
	{"DeleteExpiredSignIns", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.DeleteExpiredSignIns(ctx, fake.Start.Add(-300_000*time.Hour), 1)) // no session is older
	}},
	{"Delete", func(ctx context.Context, w world, _ school.Key) error {
		return second(w.schools.Delete(ctx, newSchoolID(), 1))
	}},
	{"TouchKey", func(ctx context.Context, w world, k school.Key) error {
		return w.schools.TouchKey(ctx, k.ID, fake.Start)
	}},
}

// queueMethods contains the methods of ports.Queue except Subscribe and LimitLeases. The arguments
// are a leased job and a waiting job of the same kind. complete.go checks that the list has every
// method.
var queueMethods = []struct {
	name string
	call func(ctx context.Context, w world, held, idle job.Job) error
}{
	{"Lease", func(ctx context.Context, w world, _, idle job.Job) error {
		return second(w.queue.Lease(ctx, idle.Kind, 1, idle.RunAt, idle.RunAt.Add(time.Minute)))
	}},
	{"ReleaseOwnLeases", func(ctx context.Context, w world, _, idle job.Job) error {
		return second(w.queue.ReleaseOwnLeases(ctx, idle.RunAt))
	}},
	{"Complete", func(ctx context.Context, w world, held, _ job.Job) error { return w.queue.Complete(ctx, held) }},
	{"Reschedule", func(ctx context.Context, w world, held, _ job.Job) error {
		return w.queue.Reschedule(ctx, held, held.RunAt, "late")
	}},
	{"Defer", func(ctx context.Context, w world, held, _ job.Job) error {
		return w.queue.Defer(ctx, held, held.RunAt, "late")
	}},
	{"MarkDead", func(ctx context.Context, w world, held, _ job.Job) error { return w.queue.MarkDead(ctx, held, "late") }},
	{"List", func(ctx context.Context, w world, _, idle job.Job) error { return second(w.queue.List(ctx, idle.Kind)) }},
	{"Dead", func(ctx context.Context, w world, _, idle job.Job) error {
		return second(w.queue.Dead(ctx, idle.School, []job.Kind{idle.Kind}, 1))
	}},
	{"CountUnfinished", func(ctx context.Context, w world, _, idle job.Job) error {
		return second(w.queue.CountUnfinished(ctx, idle.School, idle.Kind, 1))
	}},
	{"DeleteDead", func(ctx context.Context, w world, _, idle job.Job) error {
		return second(w.queue.DeleteDead(ctx, idle.Kind, idle.CreatedAt, 1))
	}},
	{"Backlog", func(ctx context.Context, w world, _, _ job.Job) error { return second(w.queue.Backlog(ctx)) }},
	{"Retry", func(ctx context.Context, w world, _, idle job.Job) error {
		return w.queue.Retry(ctx, idle.Kind, idle.ID, idle.RunAt.Add(time.Hour))
	}},
}
