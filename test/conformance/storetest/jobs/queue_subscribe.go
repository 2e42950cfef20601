package jobs

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// QueueSubscribe tests Queue.Subscribe. Because wake-ups may be spurious, the test checks that a
// worker that polls only after a wake-up finds the job.
func QueueSubscribe(t *testing.T, b fixture.Backend) {
	t.Run("A subscriber is woken after a job of the kind is added", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		wakeups := w.Queue.Subscribe(w.Context(), kind)
		for range 3 {
			drain(w, wakeups)
			j := w.AddJob(kind)
			mustWake(w, wakeups, kind, j.RunAt)
		}
	})

	t.Run("A waiting worker is woken", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.NewJob(fixture.NewKind())
		wakeups := w.Queue.Subscribe(w.Context(), j.Kind)
		drain(w, wakeups)
		woken := make(chan error, 1)
		go func() { woken <- isWoken(w, wakeups, j.Kind, j.RunAt) }()
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			defer time.Sleep(fixture.ObserveTime) // a worker that is woken before the commit finds nothing
			return tx.Jobs.Add(ctx, j)
		})
		is.NoErr(<-woken)
	})

	t.Run("A subscriber is woken after a job of the kind is retried", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		held := leaseOne(w, j.Kind, j.RunAt)
		is.NoErr(w.Queue.MarkDead(w.Context(), held, "in vain"))
		wakeups := w.Queue.Subscribe(w.Context(), j.Kind)
		drain(w, wakeups)
		is.NoErr(w.Queue.Retry(w.Context(), j.Kind, j.ID, held.RunAt))
		mustWake(w, wakeups, j.Kind, held.RunAt)
	})

	t.Run("All subscribers are woken, and one that does not read blocks no other", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		w.Queue.Subscribe(w.Context(), kind) // nothing reads from the channel
		one, other := w.Queue.Subscribe(w.Context(), kind), w.Queue.Subscribe(w.Context(), kind)
		drain(w, one)
		drain(w, other)
		first := w.AddJob(kind)
		second := w.AddJob(kind)
		mustWake(w, one, kind, first.RunAt)
		mustWake(w, other, kind, second.RunAt)
	})

	t.Run("Jobs of several kinds in one transaction wake the subscribers of each kind", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, other := w.NewJob(fixture.NewKind()), w.NewJob(fixture.NewKind())
		channels := []<-chan struct{}{w.Queue.Subscribe(w.Context(), one.Kind), w.Queue.Subscribe(w.Context(), other.Kind)}
		drain(w, channels[0])
		drain(w, channels[1])
		is.NoErr(w.TryAddJob(one, other))
		mustWake(w, channels[0], one.Kind, one.RunAt)
		mustWake(w, channels[1], other.Kind, other.RunAt)
	})

	t.Run("The channel is closed when the context ends", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		ctx, cancel := context.WithCancel(w.Context())
		wakeups, stays := w.Queue.Subscribe(ctx, kind), w.Queue.Subscribe(w.Context(), kind)
		cancel()
		mustClose(w, wakeups)
		drain(w, stays)
		mustWake(w, stays, kind, w.AddJob(kind).RunAt) // other subscribers are still woken
	})

	t.Run("The channel of an ended context is closed", func(t *testing.T) {
		w := fixture.NewWorld(t, b)
		for _, cause := range fixture.Causes() {
			ctx, cancel := cause.End(w.Context())
			defer cancel()
			mustClose(w, w.Queue.Subscribe(ctx, fixture.NewKind()))
		}
	})
}

// drain receives wake-ups until none arrives for fixture.ObserveTime.
func drain(w fixture.World, wakeups <-chan struct{}) {
	w.T.Helper()
	for {
		select {
		case _, open := <-wakeups:
			if !open {
				w.T.Fatal("the channel is closed before its context ends")
			}
		case <-time.After(fixture.ObserveTime):
			return
		}
	}
}

// mustWake checks that a worker is woken and can lease a job.
func mustWake(w fixture.World, wakeups <-chan struct{}, kind job.Kind, now time.Time) {
	w.T.Helper()
	w.Must(isWoken(w, wakeups, kind, now))
}

// isWoken tries to lease a job after each wake-up until it gets one. It returns fixture.ErrStuck if
// it gets none in fixture.LockTimeout.
func isWoken(w fixture.World, wakeups <-chan struct{}, kind job.Kind, now time.Time) error {
	late := time.After(fixture.LockTimeout)
	for {
		select {
		case _, open := <-wakeups:
			if !open {
				return errors.New("the channel is closed before its context ends")
			}
			found, err := w.Queue.Lease(w.Context(), kind, 1, now, now.Add(time.Hour))
			if err != nil || len(found) == 1 {
				return err
			}
		case <-late:
			return fixture.ErrStuck
		}
	}
}

// mustClose waits until the channel is closed. It fails the test if that takes longer than
// fixture.LockTimeout.
func mustClose(w fixture.World, wakeups <-chan struct{}) {
	w.T.Helper()
	late := time.After(fixture.LockTimeout)
	for {
		select {
		case _, open := <-wakeups:
			if !open {
				return
			}
		case <-late:
			w.T.Fatal("the channel is open after its context has ended")
		}
	}
}
