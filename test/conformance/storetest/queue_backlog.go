package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/ports"
)

// queueBacklog tests Queue.Backlog. Other tests add jobs of other kinds to the same queue
// concurrently.
func queueBacklog(t *testing.T, b Backend) {
	t.Run("Backlog counts the jobs of all schools by kind and state", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind, other, now := newKind(), newKind(), w.nextTime().Add(time.Hour)
		first, second, theirs := w.newJob(kind), w.newJob(kind), w.otherTenant.newJob(kind)
		first.RunAt, second.RunAt, theirs.RunAt = now, now.Add(2*time.Minute), now.Add(time.Minute)
		w.must(w.tryAddJob(second, first))
		w.must(w.otherTenant.tryAddJob(theirs))
		single := w.addJob(other)
		is.Equal(diff(w.backlog(kind, other), sorted(
			ports.Backlog{Kind: kind, State: job.Waiting, Jobs: 3, RunAt: now},
			ports.Backlog{Kind: other, State: job.Waiting, Jobs: 1, RunAt: single.RunAt},
		)), "")

		w.must(w.queue.MarkDead(w.ctx(), w.leaseOne(kind, now), "in vain"))
		leased := w.leaseOne(kind, theirs.RunAt)
		is.Equal(diff(w.backlog(kind), sorted(
			ports.Backlog{Kind: kind, State: job.Dead, Jobs: 1, RunAt: w.jobs(kind, job.Dead)[0].RunAt},
			ports.Backlog{Kind: kind, State: job.Leased, Jobs: 1, RunAt: leased.RunAt},
			ports.Backlog{Kind: kind, State: job.Waiting, Jobs: 1, RunAt: second.RunAt},
		)), "")
	})

	t.Run("Backlog leaves out kinds and states without jobs", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		w.must(w.queue.Complete(w.ctx(), w.leaseOne(j.Kind, j.RunAt)))
		is.Equal(len(w.backlog(j.Kind)), 0)
	})

	t.Run("Backlog is in the order of the names", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		for range 5 {
			w.addJob(newKind())
		}
		all, err := w.queue.Backlog(w.ctx())
		is.NoErr(err)
		is.Equal(diff(all, sorted(all...)), "")
	})
}

// backlog returns the backlog of the kinds.
func (w world) backlog(kinds ...job.Kind) []ports.Backlog {
	w.t.Helper()
	all, err := w.queue.Backlog(w.ctx())
	w.must(err)
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
