package storetest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

// queueLease tests Queue.Lease.
func queueLease(t *testing.T, b Backend) {
	t.Run("Lease returns jobs as added, leased until the given instant, with one attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		added := w.addJob(newKind())
		now := added.RunAt.Add(time.Hour)
		until := now.Add(90 * time.Second)
		want := added
		want.State, want.Attempts, want.RunAt = job.Leased, 1, until
		for _, got := range [][]job.Job{w.lease(added.Kind, 1, now, until), w.jobs(added.Kind)} {
			is.Equal(len(got), 1)
			want.UpdatedAt = got[0].UpdatedAt // the port does not specify UpdatedAt
			is.Equal(diff(got[0], want), "")
		}
	})

	t.Run("Lease returns up to n jobs, those with the earliest run time first", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind, now := newKind(), w.nextTime().Add(time.Hour)
		js := []job.Job{w.newJob(kind), w.newJob(kind), w.newJob(kind), w.newJob(kind), w.newJob(kind)}
		for i, minutes := range []int{3, 1, 5, 2, 4} { // not in the order in which they were added
			js[i].RunAt = now.Add(-time.Duration(minutes) * time.Minute)
		}
		is.NoErr(w.tryAddJob(js...))
		until := now.Add(time.Minute)
		is.Equal(len(w.lease(kind, 0, now, until)), 0)
		is.Equal(idsOf(w.lease(kind, 1, now, until)), []job.ID{js[2].ID})
		is.Equal(idsOf(w.lease(kind, 3, now, until)), []job.ID{js[4].ID, js[0].ID, js[3].ID})
		is.Equal(idsOf(w.lease(kind, 3, now, until)), []job.ID{js[1].ID})
		is.Equal(len(w.lease(kind, 3, now, until)), 0) // all jobs are leased
	})

	t.Run("A school has at most the number of unexpired leases per kind that LimitLeases allows", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		other := newWorld(t, b)
		kind, unlimited := newKind(), newKind()
		w.queue.LimitLeases(kind, 2, 0)
		first := w.addJob(kind)
		for range 4 {
			w.addJob(kind)
			w.addJob(unlimited)
		}
		now := w.nextTime().Add(24 * time.Hour)
		until := now.Add(time.Minute)
		held := append(w.lease(kind, 1, now, until), w.lease(kind, 5, now, until)...)
		is.Equal(len(held), 2)
		is.Equal(held[0].ID, first.ID)
		is.Equal(len(w.lease(unlimited, 9, now, until)), 4)
		foreign := other.addJob(kind)
		is.Equal(idsOf(w.lease(kind, 5, now, until)), []job.ID{foreign.ID})
	})

	t.Run("While the server holds the number of leases that schools share, a school with a lease gets no further one", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		second, third := newWorld(t, b), newWorld(t, b)
		kind := newKind()
		w.queue.LimitLeases(kind, 3, 4)
		for range 5 {
			w.addJob(kind)
		}
		now := w.nextTime().Add(24 * time.Hour)
		until := now.Add(time.Minute)
		held := map[school.ID]int{}
		lease := func() {
			for _, j := range w.lease(kind, 9, now, until) {
				held[j.School]++
			}
		}
		lease()
		is.Equal(held, map[school.ID]int{w.id: 3})
		for range 5 {
			second.addJob(kind)
			third.addJob(kind)
		}
		lease()
		is.Equal(held, map[school.ID]int{w.id: 3, second.id: 1, third.id: 1})
	})

	t.Run("An ended or expired lease is not counted", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind := newKind()
		w.queue.LimitLeases(kind, 1, 0)
		for range 3 {
			w.addJob(kind)
		}
		now := w.nextTime().Add(time.Hour)
		until := now.Add(time.Minute)
		held := w.lease(kind, 3, now, until)
		is.Equal(len(held), 1)
		is.NoErr(w.queue.Complete(w.ctx(), held[0]))
		is.True(isNotFound(w.queue.Complete(w.ctx(), held[0])))
		held = w.lease(kind, 3, now, until)
		is.Equal(len(held), 1)
		is.Equal(len(w.lease(kind, 3, now, until)), 0)
		is.Equal(len(w.lease(kind, 3, until, until.Add(time.Minute))), 1)
		w.queue.LimitLeases(kind, 0, 0)
		is.Equal(len(w.lease(kind, 3, until, until.Add(time.Minute))), 1)
	})

	t.Run("A job is not leased before its run time", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		until := j.RunAt.Add(time.Minute)
		is.Equal(len(w.lease(j.Kind, 1, j.RunAt.Add(-time.Millisecond), until)), 0)
		is.Equal(idsOf(w.lease(j.Kind, 1, j.RunAt, until)), []job.ID{j.ID})
	})

	t.Run("A leased job is not leased again before the lease expires, and then once, with one more attempt", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		until := j.RunAt
		for attempt := 1; attempt <= 4; attempt++ {
			now := until
			until = now.Add(time.Minute)
			got := w.lease(j.Kind, 2, now, until)
			is.Equal(idsOf(got), []job.ID{j.ID})
			is.Equal(got[0].Attempts, attempt)
			is.Equal(diff(got[0].RunAt, until), "")
			is.Equal(len(w.lease(j.Kind, 2, now, until.Add(time.Hour))), 0)
			is.Equal(len(w.lease(j.Kind, 2, until.Add(-time.Millisecond), until.Add(time.Hour))), 0)
		}
	})

	t.Run("Jobs with an expired lease are ordered with the waiting jobs", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind := newKind()
		dropped := w.addJob(kind)
		end := w.leaseOne(kind, dropped.RunAt).RunAt
		later, sooner := w.newJob(kind), w.newJob(kind)
		sooner.RunAt, later.RunAt = end.Add(-time.Second), end.Add(time.Second)
		is.NoErr(w.tryAddJob(later, sooner))
		now := end.Add(time.Minute)
		is.Equal(idsOf(w.lease(kind, 9, now, now.Add(time.Minute))), []job.ID{sooner.ID, dropped.ID, later.ID})
	})

	t.Run("Lease returns only jobs of the kind", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, other := w.addJob(newKind()), w.addJob(newKind())
		now := w.nextTime()
		is.Equal(len(w.lease(newKind(), 9, now, now.Add(time.Minute))), 0)
		is.Equal(idsOf(w.lease(one.Kind, 9, now, now.Add(time.Minute))), []job.ID{one.ID})
		is.Equal(w.jobs(other.Kind)[0].State, job.Waiting)
		is.Equal(idsOf(w.lease(other.Kind, 9, now, now.Add(time.Minute))), []job.ID{other.ID})
	})

	t.Run("Lease returns jobs of all schools, each with its school", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		kind, third := newKind(), newTenant(t, b, "Third")
		var want []job.Job
		for i, s := range []tenant{w.tenant, third, w.otherTenant, third, w.tenant} {
			j := s.newJob(kind)
			j.RunAt = w.nextTime().Add(time.Duration(i) * time.Hour)
			is.NoErr(s.tryAddJob(j))
			want = append(want, j)
		}
		now := want[4].RunAt
		got := w.lease(kind, 9, now, now.Add(time.Minute))
		is.Equal(len(got), len(want))
		for _, j := range got {
			i := slices.IndexFunc(want, func(w job.Job) bool { return w.ID == j.ID })
			is.True(i >= 0)
			is.Equal(j.School, want[i].School)
		}
	})

	t.Run("Schools take turns, regardless of the run times", func(t *testing.T) {
		for name, at := range map[string]int{"one job at a time": 1, "several jobs at a time": 4} {
			t.Run(name, func(t *testing.T) {
				is, w := is.New(t), newWorld(t, b)
				kind, third := newKind(), newTenant(t, b, "Third")
				is.NoErr(w.tryAddJob(w.newJobs(kind, 40)...)) // all of them were added earlier than the jobs below
				is.NoErr(w.otherTenant.tryAddJob(w.otherTenant.newJobs(kind, 5)...))
				is.NoErr(third.tryAddJob(third.newJobs(kind, 2)...))
				late := third.newJob(kind)
				late.RunAt = w.nextTime().Add(48 * time.Hour)
				is.NoErr(third.tryAddJob(late))
				now := w.nextTime().Add(24 * time.Hour)

				left := map[school.ID]int{w.id: 40, w.otherTenant.id: 5, third.id: 2}
				since := map[school.ID]map[school.ID]bool{} // for each served school, the schools that were served after it
				last := map[school.ID]job.Job{}
				for range 47 / at {
					for _, j := range w.lease(kind, at, now, now.Add(time.Minute)) {
						for other, n := range left {
							if served, begun := since[j.School]; begun && other != j.School && n > 0 {
								is.True(served[other]) // each other school with jobs was served in between
							}
						}
						for _, served := range since {
							served[j.School] = true
						}
						since[j.School] = map[school.ID]bool{}
						before, begun := last[j.School]
						is.True(!begun || before.CreatedAt.Before(j.CreatedAt)) // ordered by run time
						last[j.School] = j
						left[j.School]--
					}
				}
				is.Equal(left[w.otherTenant.id], 0)
				is.Equal(left[third.id], 0)
				is.True(left[w.id] < 4)
			})
		}
	})

	t.Run("Each kind has its own turns", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		one, other := newKind(), newKind()
		for _, kind := range []job.Kind{one, other} {
			is.NoErr(w.tryAddJob(w.newJobs(kind, 3)...))
			is.NoErr(w.otherTenant.tryAddJob(w.otherTenant.newJobs(kind, 3)...))
		}
		now := w.nextTime().Add(24 * time.Hour)
		var ofOne, ofOther []job.Job
		for range 6 {
			ofOne = append(ofOne, w.lease(one, 1, now, now.Add(time.Minute))...)
			ofOther = append(ofOther, w.lease(other, 1, now, now.Add(time.Minute))...)
		}
		for _, jobs := range [][]job.Job{ofOne, ofOther} {
			is.Equal(len(jobs), 6)
			for i := range 5 {
				is.True(jobs[i].School != jobs[i+1].School)
			}
		}
	})

	t.Run("Concurrent workers lease each job once", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		const workers, amount = 8, 200
		kind := newKind()
		w.do(func(ctx context.Context, tx ports.Tx) error {
			for range amount {
				if err := tx.Jobs.Add(ctx, w.newJob(kind)); err != nil {
					return err
				}
			}
			return nil
		})
		now := w.nextTime()
		var wg sync.WaitGroup
		got, errs := make([][]job.Job, workers), make([]error, workers)
		for i := range workers {
			wg.Go(func() { got[i], errs[i] = w.runWorker(kind, 1+i%4, now) })
		}
		wg.Wait()
		for _, err := range errs {
			is.NoErr(err)
		}
		done := map[job.ID]int{}
		for _, j := range slices.Concat(got...) {
			done[j.ID]++
			is.Equal(j.Attempts, 1)
		}
		is.Equal(len(done), amount)
		is.Equal(len(slices.Concat(got...)), amount)
		is.Equal(len(w.jobs(kind)), 0)
	})

	t.Run("One of many concurrent workers leases the job", func(t *testing.T) {
		is, w := is.New(t), newWorld(t, b)
		j := w.addJob(newKind())
		now := j.RunAt
		for attempt := 1; attempt <= 5; attempt++ { // at the first attempt the job waits; later its lease has expired
			var holders tally
			for _, err := range atOnce(func(int) error {
				held, err := w.queue.Lease(w.ctx(), j.Kind, 1, now, now.Add(time.Minute))
				holders.add(len(held))
				return err
			}) {
				is.NoErr(err)
			}
			is.Equal(holders.n, 1)
			is.Equal(w.jobs(j.Kind)[0].Attempts, attempt)
			now = now.Add(time.Minute)
		}
	})
}

// runWorker leases jobs of the kind, n at a time, and completes them until no job is waiting. It
// returns the completed jobs. Lease may return no job although some are waiting, so runWorker lists
// the waiting jobs before it ends.
func (w world) runWorker(kind job.Kind, n int, now time.Time) ([]job.Job, error) {
	var done []job.Job
	for {
		held, err := w.queue.Lease(w.ctx(), kind, n, now, now.Add(time.Hour))
		if err != nil {
			return done, err
		}
		for _, j := range held {
			if err := w.queue.Complete(w.ctx(), j); err != nil {
				return done, err
			}
			done = append(done, j)
		}
		if len(held) > 0 {
			continue
		}
		left, err := w.queue.List(w.ctx(), kind, job.Waiting)
		if err != nil || len(left) == 0 {
			return done, err
		}
	}
}
