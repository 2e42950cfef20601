package jobs

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
	"lyceum/test/conformance/storetest/fixture"
)

// QueueLease tests Queue.Lease.
func QueueLease(t *testing.T, b fixture.Backend) {
	t.Run("Lease returns jobs as added, leased until the given instant, with one attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		added := w.AddJob(fixture.NewKind())
		now := added.RunAt.Add(time.Hour)
		until := now.Add(90 * time.Second)
		want := added
		want.State, want.Attempts, want.RunAt = job.Leased, 1, until
		for _, got := range [][]job.Job{w.Lease(added.Kind, 1, now, until), w.Jobs(added.Kind)} {
			is.Equal(len(got), 1)
			want.UpdatedAt = got[0].UpdatedAt // the port does not specify UpdatedAt
			is.Equal(fixture.Diff(got[0], want), "")
		}
	})

	t.Run("Lease returns up to n jobs, those with the earliest run time first", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind, now := fixture.NewKind(), w.NextTime().Add(time.Hour)
		js := []job.Job{w.NewJob(kind), w.NewJob(kind), w.NewJob(kind), w.NewJob(kind), w.NewJob(kind)}
		for i, minutes := range []int{3, 1, 5, 2, 4} { // not in the order in which they were added
			js[i].RunAt = now.Add(-time.Duration(minutes) * time.Minute)
		}
		is.NoErr(w.TryAddJob(js...))
		until := now.Add(time.Minute)
		is.Equal(len(w.Lease(kind, 0, now, until)), 0)
		is.Equal(idsOf(w.Lease(kind, 1, now, until)), []job.ID{js[2].ID})
		is.Equal(idsOf(w.Lease(kind, 3, now, until)), []job.ID{js[4].ID, js[0].ID, js[3].ID})
		is.Equal(idsOf(w.Lease(kind, 3, now, until)), []job.ID{js[1].ID})
		is.Equal(len(w.Lease(kind, 3, now, until)), 0) // all jobs are leased
	})

	t.Run("A school has at most the number of unexpired leases per kind that LimitLeases allows", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		other := fixture.NewWorld(t, b)
		kind, unlimited := fixture.NewKind(), fixture.NewKind()
		w.Queue.LimitLeases(kind, 2, 0)
		first := w.AddJob(kind)
		for range 4 {
			w.AddJob(kind)
			w.AddJob(unlimited)
		}
		now := w.NextTime().Add(24 * time.Hour)
		until := now.Add(time.Minute)
		held := append(w.Lease(kind, 1, now, until), w.Lease(kind, 5, now, until)...)
		is.Equal(len(held), 2)
		is.Equal(held[0].ID, first.ID)
		is.Equal(len(w.Lease(unlimited, 9, now, until)), 4)
		foreign := other.AddJob(kind)
		is.Equal(idsOf(w.Lease(kind, 5, now, until)), []job.ID{foreign.ID})
	})

	t.Run("While the server holds the number of leases that schools share, a school with a lease gets no further one", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		second, third := fixture.NewWorld(t, b), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		w.Queue.LimitLeases(kind, 3, 4)
		for range 5 {
			w.AddJob(kind)
		}
		now := w.NextTime().Add(24 * time.Hour)
		until := now.Add(time.Minute)
		held := map[school.ID]int{}
		lease := func() {
			for _, j := range w.Lease(kind, 9, now, until) {
				held[j.School]++
			}
		}
		lease()
		is.Equal(held, map[school.ID]int{w.ID: 3})
		for range 5 {
			second.AddJob(kind)
			third.AddJob(kind)
		}
		lease()
		is.Equal(held, map[school.ID]int{w.ID: 3, second.ID: 1, third.ID: 1})
	})

	t.Run("An ended or expired lease is not counted", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		w.Queue.LimitLeases(kind, 1, 0)
		for range 3 {
			w.AddJob(kind)
		}
		now := w.NextTime().Add(time.Hour)
		until := now.Add(time.Minute)
		held := w.Lease(kind, 3, now, until)
		is.Equal(len(held), 1)
		is.NoErr(w.Queue.Complete(w.Context(), held[0]))
		is.True(fixture.IsNotFound(w.Queue.Complete(w.Context(), held[0])))
		held = w.Lease(kind, 3, now, until)
		is.Equal(len(held), 1)
		is.Equal(len(w.Lease(kind, 3, now, until)), 0)
		is.Equal(len(w.Lease(kind, 3, until, until.Add(time.Minute))), 1)
		w.Queue.LimitLeases(kind, 0, 0)
		is.Equal(len(w.Lease(kind, 3, until, until.Add(time.Minute))), 1)
	})

	t.Run("A job is not leased before its run time", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		until := j.RunAt.Add(time.Minute)
		is.Equal(len(w.Lease(j.Kind, 1, j.RunAt.Add(-time.Millisecond), until)), 0)
		is.Equal(idsOf(w.Lease(j.Kind, 1, j.RunAt, until)), []job.ID{j.ID})
	})

	t.Run("A leased job is not leased again before the lease expires, and then once, with one more attempt", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		until := j.RunAt
		for attempt := 1; attempt <= 4; attempt++ {
			now := until
			until = now.Add(time.Minute)
			got := w.Lease(j.Kind, 2, now, until)
			is.Equal(idsOf(got), []job.ID{j.ID})
			is.Equal(got[0].Attempts, attempt)
			is.Equal(fixture.Diff(got[0].RunAt, until), "")
			is.Equal(len(w.Lease(j.Kind, 2, now, until.Add(time.Hour))), 0)
			is.Equal(len(w.Lease(j.Kind, 2, until.Add(-time.Millisecond), until.Add(time.Hour))), 0)
		}
	})

	t.Run("Jobs with an expired lease are ordered with the waiting jobs", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind := fixture.NewKind()
		dropped := w.AddJob(kind)
		end := leaseOne(w, kind, dropped.RunAt).RunAt
		later, sooner := w.NewJob(kind), w.NewJob(kind)
		sooner.RunAt, later.RunAt = end.Add(-time.Second), end.Add(time.Second)
		is.NoErr(w.TryAddJob(later, sooner))
		now := end.Add(time.Minute)
		is.Equal(idsOf(w.Lease(kind, 9, now, now.Add(time.Minute))), []job.ID{sooner.ID, dropped.ID, later.ID})
	})

	t.Run("Lease returns only jobs of the kind", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, other := w.AddJob(fixture.NewKind()), w.AddJob(fixture.NewKind())
		now := w.NextTime()
		is.Equal(len(w.Lease(fixture.NewKind(), 9, now, now.Add(time.Minute))), 0)
		is.Equal(idsOf(w.Lease(one.Kind, 9, now, now.Add(time.Minute))), []job.ID{one.ID})
		is.Equal(w.Jobs(other.Kind)[0].State, job.Waiting)
		is.Equal(idsOf(w.Lease(other.Kind, 9, now, now.Add(time.Minute))), []job.ID{other.ID})
	})

	t.Run("Lease returns jobs of all schools, each with its school", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		kind, third := fixture.NewKind(), fixture.NewTenant(t, b, "Third")
		var want []job.Job
		for i, s := range []fixture.Tenant{w.Tenant, third, w.OtherTenant, third, w.Tenant} {
			j := s.NewJob(kind)
			j.RunAt = w.NextTime().Add(time.Duration(i) * time.Hour)
			is.NoErr(s.TryAddJob(j))
			want = append(want, j)
		}
		now := want[4].RunAt
		got := w.Lease(kind, 9, now, now.Add(time.Minute))
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
				is, w := is.New(t), fixture.NewWorld(t, b)
				kind, third := fixture.NewKind(), fixture.NewTenant(t, b, "Third")
				is.NoErr(w.TryAddJob(newJobs(w.Tenant, kind, 40)...)) // all of them were added earlier than the jobs below
				is.NoErr(w.OtherTenant.TryAddJob(newJobs(w.OtherTenant, kind, 5)...))
				is.NoErr(third.TryAddJob(newJobs(third, kind, 2)...))
				late := third.NewJob(kind)
				late.RunAt = w.NextTime().Add(48 * time.Hour)
				is.NoErr(third.TryAddJob(late))
				now := w.NextTime().Add(24 * time.Hour)

				left := map[school.ID]int{w.ID: 40, w.OtherTenant.ID: 5, third.ID: 2}
				since := map[school.ID]map[school.ID]bool{} // for each served school, the schools that were served after it
				last := map[school.ID]job.Job{}
				for range 47 / at {
					for _, j := range w.Lease(kind, at, now, now.Add(time.Minute)) {
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
				is.Equal(left[w.OtherTenant.ID], 0)
				is.Equal(left[third.ID], 0)
				is.True(left[w.ID] < 4)
			})
		}
	})

	t.Run("Each kind has its own turns", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		one, other := fixture.NewKind(), fixture.NewKind()
		for _, kind := range []job.Kind{one, other} {
			is.NoErr(w.TryAddJob(newJobs(w.Tenant, kind, 3)...))
			is.NoErr(w.OtherTenant.TryAddJob(newJobs(w.OtherTenant, kind, 3)...))
		}
		now := w.NextTime().Add(24 * time.Hour)
		var ofOne, ofOther []job.Job
		for range 6 {
			ofOne = append(ofOne, w.Lease(one, 1, now, now.Add(time.Minute))...)
			ofOther = append(ofOther, w.Lease(other, 1, now, now.Add(time.Minute))...)
		}
		for _, jobs := range [][]job.Job{ofOne, ofOther} {
			is.Equal(len(jobs), 6)
			for i := range 5 {
				is.True(jobs[i].School != jobs[i+1].School)
			}
		}
	})

	t.Run("Concurrent workers lease each job once", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		const workers, amount = 8, 200
		kind := fixture.NewKind()
		w.Do(func(ctx context.Context, tx ports.Tx) error {
			for range amount {
				if err := tx.Jobs.Add(ctx, w.NewJob(kind)); err != nil {
					return err
				}
			}
			return nil
		})
		now := w.NextTime()
		var wg sync.WaitGroup
		got, errs := make([][]job.Job, workers), make([]error, workers)
		for i := range workers {
			wg.Go(func() { got[i], errs[i] = runWorker(w, kind, 1+i%4, now) })
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
		is.Equal(len(w.Jobs(kind)), 0)
	})

	t.Run("One of many concurrent workers leases the job", func(t *testing.T) {
		is, w := is.New(t), fixture.NewWorld(t, b)
		j := w.AddJob(fixture.NewKind())
		now := j.RunAt
		for attempt := 1; attempt <= 5; attempt++ { // at the first attempt the job waits; later its lease has expired
			var holders fixture.Counter
			for _, err := range fixture.AtOnce(func(int) error {
				held, err := w.Queue.Lease(w.Context(), j.Kind, 1, now, now.Add(time.Minute))
				holders.Add(len(held))
				return err
			}) {
				is.NoErr(err)
			}
			is.Equal(holders.Count, 1)
			is.Equal(w.Jobs(j.Kind)[0].Attempts, attempt)
			now = now.Add(time.Minute)
		}
	})
}

// runWorker leases jobs of the kind, n at a time, and completes them until no job is waiting. It
// returns the completed jobs. Lease may return no job although some are waiting, so runWorker lists
// the waiting jobs before it ends.
func runWorker(w fixture.World, kind job.Kind, n int, now time.Time) ([]job.Job, error) {
	var done []job.Job
	for {
		held, err := w.Queue.Lease(w.Context(), kind, n, now, now.Add(time.Hour))
		if err != nil {
			return done, err
		}
		for _, j := range held {
			if err := w.Queue.Complete(w.Context(), j); err != nil {
				return done, err
			}
			done = append(done, j)
		}
		if len(held) > 0 {
			continue
		}
		left, err := w.Queue.List(w.Context(), kind, job.Waiting)
		if err != nil || len(left) == 0 {
			return done, err
		}
	}
}
