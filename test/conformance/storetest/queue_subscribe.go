package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/ports"
)

// queueSubscribe tests Queue.Subscribe. Because wake-ups may be spurious, the test checks that a
// worker that polls only after a wake-up finds the job.
func queueSubscribe(t *testing.T, b Backend) {
	t.Run("A subscriber is woken after a job of the kind is added", func(t *testing.T) {
		w := newWorld(t, b)
		kind := newKind()
		wakeups := w.queue.Subscribe(w.ctx(), kind)
		for range 3 {
			w.drain(wakeups)
			j := w.addJob(kind)
			w.mustWake(wakeups, kind, j.RunAt)
		}
	})

	t.Run("A waiting worker is woken", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.newJob(newKind())
		wakeups := w.queue.Subscribe(w.ctx(), j.Kind)
		w.drain(wakeups)
		woken := make(chan error, 1)
		go func() { woken <- w.isWoken(wakeups, j.Kind, j.RunAt) }()
		w.do(func(ctx context.Context, tx ports.Tx) error {
			defer time.Sleep(observeTime) // a worker that is woken before the commit finds nothing
			return tx.Jobs.Add(ctx, j)
		})
		is.NoErr(<-woken)
	})

	t.Run("A subscriber is woken after a job of the kind is retried", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		held := w.leaseOne(j.Kind, j.RunAt)
		is.NoErr(w.queue.MarkDead(w.ctx(), held, "in vain"))
		wakeups := w.queue.Subscribe(w.ctx(), j.Kind)
		w.drain(wakeups)
		is.NoErr(w.queue.Retry(w.ctx(), j.Kind, j.ID, held.RunAt))
		w.mustWake(wakeups, j.Kind, held.RunAt)
	})

	t.Run("All subscribers are woken, and one that does not read blocks no other", func(t *testing.T) {
		w := newWorld(t, b)
		kind := newKind()
		w.queue.Subscribe(w.ctx(), kind) // nothing reads from the channel
		one, other := w.queue.Subscribe(w.ctx(), kind), w.queue.Subscribe(w.ctx(), kind)
		w.drain(one)
		w.drain(other)
		first := w.addJob(kind)
		second := w.addJob(kind)
		w.mustWake(one, kind, first.RunAt)
		w.mustWake(other, kind, second.RunAt)
	})

	t.Run("Jobs of several kinds in one transaction wake the subscribers of each kind", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, other := w.newJob(newKind()), w.newJob(newKind())
		channels := []<-chan struct{}{w.queue.Subscribe(w.ctx(), one.Kind), w.queue.Subscribe(w.ctx(), other.Kind)}
		w.drain(channels[0])
		w.drain(channels[1])
		is.NoErr(w.tryAddJob(one, other))
		w.mustWake(channels[0], one.Kind, one.RunAt)
		w.mustWake(channels[1], other.Kind, other.RunAt)
	})

	t.Run("The channel is closed when the context ends", func(t *testing.T) {
		w := newWorld(t, b)
		kind := newKind()
		ctx, cancel := context.WithCancel(w.ctx())
		wakeups, stays := w.queue.Subscribe(ctx, kind), w.queue.Subscribe(w.ctx(), kind)
		cancel()
		w.mustClose(wakeups)
		w.drain(stays)
		w.mustWake(stays, kind, w.addJob(kind).RunAt) // other subscribers are still woken
	})

	t.Run("The channel of an ended context is closed", func(t *testing.T) {
		w := newWorld(t, b)
		for _, cause := range causes() {
			ctx, cancel := cause.end(w.ctx())
			defer cancel()
			w.mustClose(w.queue.Subscribe(ctx, newKind()))
		}
	})
}

// drain receives wake-ups until none arrives for observeTime.
func (w world) drain(wakeups <-chan struct{}) {
	w.t.Helper()
	for {
		select {
		case _, open := <-wakeups:
			if !open {
				w.t.Fatal("the channel is closed before its context ends")
			}
		case <-time.After(observeTime):
			return
		}
	}
}

// mustWake checks that a worker is woken and can lease a job.
func (w world) mustWake(wakeups <-chan struct{}, kind job.Kind, now time.Time) {
	w.t.Helper()
	w.must(w.isWoken(wakeups, kind, now))
}

// isWoken tries to lease a job after each wake-up until it gets one. It returns errStuck if it gets
// none in lockTimeout.
func (w world) isWoken(wakeups <-chan struct{}, kind job.Kind, now time.Time) error {
	late := time.After(lockTimeout)
	for {
		select {
		case _, open := <-wakeups:
			if !open {
				return errors.New("the channel is closed before its context ends")
			}
			found, err := w.queue.Lease(w.ctx(), kind, 1, now, now.Add(time.Hour))
			if err != nil || len(found) == 1 {
				return err
			}
		case <-late:
			return errStuck
		}
	}
}

// mustClose waits until the channel is closed. It fails the test if that takes longer than
// lockTimeout.
func (w world) mustClose(wakeups <-chan struct{}) {
	w.t.Helper()
	late := time.After(lockTimeout)
	for {
		select {
		case _, open := <-wakeups:
			if !open {
				return
			}
		case <-late:
			w.t.Fatal("the channel is open after its context has ended")
		}
	}
}
