package jobs

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/test/conformance/storetest/fixture"
)

// QueueRelease tests Queue.ReleaseOwnLeases, which ends the leases of earlier runs of a server.
func QueueRelease(t *testing.T, b fixture.Backend) {
	// first starts a run with the given name. The run leases a job of a new kind.
	first := func(t *testing.T, name string) (w fixture.World, held job.Job, kill func()) {
		t.Helper()
		run, kill := b.Run(t, name)
		w = fixture.World{Tenant: fixture.NewTenant(t, run, "Own School"), Schools: run.Schools, Queue: run.Queue, Loader: run.Loader}
		_, err := run.Queue.ReleaseOwnLeases(t.Context(), w.NextTime()) // this call gives the run its name
		w.Must(err)
		return w, leaseOne(w, w.AddJob(fixture.NewKind()).Kind, w.NextTime().Add(time.Hour)), kill
	}
	again := func(t *testing.T, name string, w fixture.World) (later fixture.World, kill func()) {
		t.Helper()
		run, kill := b.Run(t, name)
		w.Queue, w.Store, w.Schools, w.Loader = run.Queue, run.Store, run.Schools, run.Loader
		return w, kill
	}

	t.Run("ReleaseOwnLeases ends the leases of earlier runs and returns their number; the jobs can run at once", func(t *testing.T) {
		is, name := is.New(t), uuid.NewString()
		w, held, kill := first(t, name)
		kill()
		later, kill := again(t, name, w)
		defer kill()
		now := held.RunAt.Add(-time.Second)
		kept := later.Jobs(held.Kind) // none if the store does not survive its process
		n, err := later.Queue.ReleaseOwnLeases(t.Context(), now)
		is.NoErr(err)
		is.Equal(n, len(kept))
		got := later.Lease(held.Kind, 2, now, now.Add(time.Hour))
		is.Equal(idsOf(got), idsOf(kept))
		for _, j := range got {
			is.Equal(j.Attempts, held.Attempts+1)
		}
		is.True(fault.Is(later.Queue.Complete(t.Context(), held), fault.NotFound))
		n, err = later.Queue.ReleaseOwnLeases(t.Context(), now)
		is.NoErr(err)
		is.Equal(n, 0) // this run holds the only lease
	})

	t.Run("ReleaseOwnLeases keeps the leases of its own run, of a server without a name, and of other names", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		unnamed := leaseOne(w, w.AddJob(fixture.NewKind()).Kind, w.NextTime().Add(time.Hour))
		named, held, kill := first(t, uuid.NewString())
		defer kill()
		other, killOther := again(t, uuid.NewString(), named)
		defer killOther()
		for _, s := range []fixture.World{w, named, other} {
			n, err := s.Queue.ReleaseOwnLeases(t.Context(), w.NextTime())
			is.NoErr(err)
			is.Equal(n, 0)
		}
		is.NoErr(named.Queue.Complete(t.Context(), held))
		is.NoErr(w.Queue.Complete(t.Context(), unnamed))
	})

	t.Run("ReleaseOwnLeases ends no lease while another process runs under the same name", func(t *testing.T) {
		is, name := is.New(t), uuid.NewString()
		w, held, kill := first(t, name)
		defer kill()
		second, killSecond := again(t, name, w)
		n, err := second.Queue.ReleaseOwnLeases(t.Context(), w.NextTime())
		is.NoErr(err)
		is.Equal(n, 0)
		killSecond()
		third, killThird := again(t, name, w) // after the second run has ended too
		defer killThird()
		n, err = third.Queue.ReleaseOwnLeases(t.Context(), w.NextTime())
		is.NoErr(err)
		is.Equal(n, 0)
		is.NoErr(w.Queue.Complete(t.Context(), held))
	})
}
