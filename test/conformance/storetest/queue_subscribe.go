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

// wake tests ports.Queue's Wake. Its channel may get values for nothing, so what
// is tested is that a worker who looks only when woken finds the job.
func wake(t *testing.T, b Backend) {
	t.Run("A value comes soon after a job of the kind was added", func(t *testing.T) {
		w := begin(t, b)
		kind := newKind()
		bell := w.queue.Subscribe(w.ctx(), kind)
		for range 3 {
			w.settleDown(bell)
			j := w.addJob(kind)
			w.mustWake(bell, kind, j.RunAt)
		}
	})

	t.Run("A value comes when the worker waits already", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		j := w.newJob(newKind())
		bell := w.queue.Subscribe(w.ctx(), j.Kind)
		w.settleDown(bell)
		woken := make(chan error, 1)
		go func() { woken <- w.wakes(bell, j.Kind, j.RunAt) }()
		w.do(func(ctx context.Context, tx ports.Tx) error {
			defer time.Sleep(grace) // whoever is woken before the end finds nothing
			return tx.Jobs.Add(ctx, j)
		})
		is.NoErr(<-woken)
	})

	t.Run("A value comes soon after a job of the kind was revived", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		j := w.addJob(newKind())
		held := w.take(j.Kind, j.RunAt)
		is.NoErr(w.queue.MarkDead(w.ctx(), held, "in vain"))
		bell := w.queue.Subscribe(w.ctx(), j.Kind)
		w.settleDown(bell)
		is.NoErr(w.queue.Retry(w.ctx(), j.Kind, j.ID, held.RunAt))
		w.mustWake(bell, j.Kind, held.RunAt)
	})

	t.Run("Everybody who listens is woken, and who does not listen holds nobody up", func(t *testing.T) {
		w := begin(t, b)
		kind := newKind()
		w.queue.Subscribe(w.ctx(), kind) // nobody reads it
		one, other := w.queue.Subscribe(w.ctx(), kind), w.queue.Subscribe(w.ctx(), kind)
		w.settleDown(one)
		w.settleDown(other)
		first := w.addJob(kind)
		second := w.addJob(kind)
		w.mustWake(one, kind, first.RunAt)
		w.mustWake(other, kind, second.RunAt)
	})

	t.Run("Several jobs of one transaction, and of several kinds, wake whom they concern", func(t *testing.T) {
		is, w := is.New(t), begin(t, b)
		one, other := w.newJob(newKind()), w.newJob(newKind())
		bells := []<-chan struct{}{w.queue.Subscribe(w.ctx(), one.Kind), w.queue.Subscribe(w.ctx(), other.Kind)}
		w.settleDown(bells[0])
		w.settleDown(bells[1])
		is.NoErr(w.tryAddJob(one, other))
		w.mustWake(bells[0], one.Kind, one.RunAt)
		w.mustWake(bells[1], other.Kind, other.RunAt)
	})

	t.Run("The channel is closed when ctx ends", func(t *testing.T) {
		w := begin(t, b)
		kind := newKind()
		ctx, cancel := context.WithCancel(w.ctx())
		bell, stays := w.queue.Subscribe(ctx, kind), w.queue.Subscribe(w.ctx(), kind)
		cancel()
		w.mustClose(bell)
		w.settleDown(stays)
		w.mustWake(stays, kind, w.addJob(kind).RunAt) // the others go on listening
	})

	t.Run("The channel of a context that has ended is closed", func(t *testing.T) {
		w := begin(t, b)
		for _, cause := range causes() {
			ctx, cancel := cause.end(w.ctx())
			defer cancel()
			w.mustClose(w.queue.Subscribe(ctx, newKind()))
		}
	})
}

// settleDown takes the values that come for nothing, for a while.
func (w world) settleDown(bell <-chan struct{}) {
	w.t.Helper()
	for {
		select {
		case _, open := <-bell:
			if !open {
				w.t.Fatal("the channel is closed before its context ends")
			}
		case <-time.After(grace):
			return
		}
	}
}

// mustWake checks that the bell wakes a worker for a job.
func (w world) mustWake(bell <-chan struct{}, kind job.Kind, now time.Time) {
	w.t.Helper()
	w.must(w.wakes(bell, kind, now))
}

// wakes looks for a job whenever the bell rings, until there is one.
func (w world) wakes(bell <-chan struct{}, kind job.Kind, now time.Time) error {
	late := time.After(lockTimeout)
	for {
		select {
		case _, open := <-bell:
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

// mustClose waits for the channel to be closed.
func (w world) mustClose(bell <-chan struct{}) {
	w.t.Helper()
	late := time.After(lockTimeout)
	for {
		select {
		case _, open := <-bell:
			if !open {
				return
			}
		case <-late:
			w.t.Fatal("the channel is open after its context has ended")
		}
	}
}
