package storetest

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/job"
)

// queueRelease tests Queue.ReleaseOwnLeases, which ends the leases of earlier runs of a server.
func queueRelease(t *testing.T, b Backend) {
	// first starts a run with the given name. The run leases a job of a new kind.
	first := func(t *testing.T, name string) (w world, held job.Job, kill func()) {
		t.Helper()
		run, kill := b.Run(t, name)
		w = world{tenant: newTenant(t, run, "Own School"), schools: run.Schools, queue: run.Queue, loader: run.Loader}
		_, err := run.Queue.ReleaseOwnLeases(t.Context(), w.nextTime()) // this call gives the run its name
		w.must(err)
		return w, w.leaseOne(w.addJob(newKind()).Kind, w.nextTime().Add(time.Hour)), kill
	}
	again := func(t *testing.T, name string, w world) (later world, kill func()) {
		t.Helper()
		run, kill := b.Run(t, name)
		w.queue, w.store, w.schools, w.loader = run.Queue, run.Store, run.Schools, run.Loader
		return w, kill
	}

	t.Run("ReleaseOwnLeases ends the leases of earlier runs and returns their number; the jobs can run at once", func(t *testing.T) {
		is, name := is.New(t), uuid.NewString()
		w, held, kill := first(t, name)
		kill()
		later, kill := again(t, name, w)
		defer kill()
		now := held.RunAt.Add(-time.Second)
		kept := later.jobs(held.Kind) // none if the store does not survive its process
		n, err := later.queue.ReleaseOwnLeases(t.Context(), now)
		is.NoErr(err)
		is.Equal(n, len(kept))
		got := later.lease(held.Kind, 2, now, now.Add(time.Hour))
		is.Equal(idsOf(got), idsOf(kept))
		for _, j := range got {
			is.Equal(j.Attempts, held.Attempts+1)
		}
		is.True(fault.Is(later.queue.Complete(t.Context(), held), fault.NotFound))
		n, err = later.queue.ReleaseOwnLeases(t.Context(), now)
		is.NoErr(err)
		is.Equal(n, 0) // this run holds the only lease
	})

	t.Run("ReleaseOwnLeases keeps the leases of its own run, of a server without a name, and of other names", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		unnamed := w.leaseOne(w.addJob(newKind()).Kind, w.nextTime().Add(time.Hour))
		named, held, kill := first(t, uuid.NewString())
		defer kill()
		other, killOther := again(t, uuid.NewString(), named)
		defer killOther()
		for _, s := range []world{w, named, other} {
			n, err := s.queue.ReleaseOwnLeases(t.Context(), w.nextTime())
			is.NoErr(err)
			is.Equal(n, 0)
		}
		is.NoErr(named.queue.Complete(t.Context(), held))
		is.NoErr(w.queue.Complete(t.Context(), unnamed))
	})

	t.Run("ReleaseOwnLeases ends no lease while another process runs under the same name", func(t *testing.T) {
		is, name := is.New(t), uuid.NewString()
		w, held, kill := first(t, name)
		defer kill()
		second, killSecond := again(t, name, w)
		n, err := second.queue.ReleaseOwnLeases(t.Context(), w.nextTime())
		is.NoErr(err)
		is.Equal(n, 0)
		killSecond()
		third, killThird := again(t, name, w) // after the second run has ended too
		defer killThird()
		n, err = third.queue.ReleaseOwnLeases(t.Context(), w.nextTime())
		is.NoErr(err)
		is.Equal(n, 0)
		is.NoErr(w.queue.Complete(t.Context(), held))
	})
}
