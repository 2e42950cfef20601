package jobs

import (
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/ports"
	"lyceum/test/conformance/storetest/fixture"
)

// QueueBacklog tests Queue.Backlog. Other tests add jobs of other kinds to the same queue
// concurrently.
func QueueBacklog(t *testing.T, b fixture.Backend) {
	t.Run("Backlog counts the jobs of all schools by kind and state", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind, other, now := fixture.NewKind(), fixture.NewKind(), w.NextTime().Add(time.Hour)
		first, second, theirs := w.NewJob(kind), w.NewJob(kind), w.OtherTenant.NewJob(kind)
		first.RunAt, second.RunAt, theirs.RunAt = now, now.Add(2*time.Minute), now.Add(time.Minute)
		w.Must(w.TryAddJob(second, first))
		w.Must(w.OtherTenant.TryAddJob(theirs))
		single := w.AddJob(other)
		is.Equal(fixture.Diff(backlog(w, kind, other), sorted(
			ports.Backlog{Kind: kind, State: job.Waiting, Jobs: 3, RunAt: now},
			ports.Backlog{Kind: other, State: job.Waiting, Jobs: 1, RunAt: single.RunAt},
		)), "")

		w.Must(w.Queue.MarkDead(w.Context(), leaseOne(w, kind, now), "in vain"))
		leased := leaseOne(w, kind, theirs.RunAt)
		is.Equal(fixture.Diff(backlog(w, kind), sorted(
			ports.Backlog{Kind: kind, State: job.Dead, Jobs: 1, RunAt: w.Jobs(kind, job.Dead)[0].RunAt},
			ports.Backlog{Kind: kind, State: job.Leased, Jobs: 1, RunAt: leased.RunAt},
			ports.Backlog{Kind: kind, State: job.Waiting, Jobs: 1, RunAt: second.RunAt},
		)), "")
	})

	t.Run("Backlog leaves out kinds and states without jobs", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		w.Must(w.Queue.Complete(w.Context(), leaseOne(w, j.Kind, j.RunAt)))
		is.Equal(len(backlog(w, j.Kind)), 0)
	})

	t.Run("Backlog is in the order of the names", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		for range 5 {
			w.AddJob(fixture.NewKind())
		}
		all, err := w.Queue.Backlog(w.Context())
		is.NoErr(err)
		is.Equal(fixture.Diff(all, sorted(all...)), "")
	})
}

// backlog returns the backlog of the kinds.
func backlog(w fixture.World, kinds ...job.Kind) []ports.Backlog {
	w.T.Helper()
	all, err := w.Queue.Backlog(w.Context())
	w.Must(err)
	return slices.DeleteFunc(all, func(b ports.Backlog) bool { return !slices.Contains(kinds, b.Kind) })
}

// sorted returns bs in the order of Backlog.
func sorted(bs ...ports.Backlog) []ports.Backlog {
	return slices.SortedFunc(slices.Values(bs), func(a, b ports.Backlog) int {
		return slices.Compare(
			[]string{string(a.Kind), a.State.String()}, []string{string(b.Kind), b.State.String()},
		)
	})
}
