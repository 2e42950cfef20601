package memory_test

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/memory"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

// queuedJobs returns the jobs in the queue.
func queuedJobs(t *testing.T, store *memory.Store) []job.Job {
	t.Helper()
	all, err := store.Queue().List(t.Context(), "chore")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Writers in several schools add people, each with a job, and roll back every second
// transaction, while workers take jobs. Each committed job must be done exactly once, no other
// job may be done, and a worker must find the person of its job.
func TestEveryCommittedJobIsDoneOnce(t *testing.T) {
	const schools, each, workers = 3, 200, 6
	store := memory.New()
	written, allWritten := context.WithCancel(t.Context())
	var (
		writing, working sync.WaitGroup
		mu               sync.Mutex
		done             = map[int]int{}
	)
	work := func() {
		for found := completeJobs(t, store); len(found) > 0; found = completeJobs(t, store) {
			mu.Lock()
			for _, n := range found {
				done[n]++
			}
			mu.Unlock()
		}
	}
	for range workers {
		wake := store.Queue().Subscribe(written, "chore")
		working.Go(func() {
			for range wake {
				work()
			}
			work() // completes the jobs that were added last
		})
	}
	for i := range schools {
		s := addSchool(t, store, i)
		writing.Go(func() {
			for n := i * each; n < (i+1)*each; n++ {
				addPersonAndJob(t, store, s, n)
			}
		})
	}
	writing.Wait()
	allWritten()
	working.Wait()

	is := is.New(t)
	is.Equal(len(done), schools*each/2)
	for n, times := range done {
		is.Equal(n%2, 0)
		is.Equal(times, 1)
	}
	is.Equal(len(queuedJobs(t, store)), 0)
}

// addPersonAndJob adds the n-th person and a job with the payload n in one transaction, which is
// rolled back if n is odd.
func addPersonAndJob(t *testing.T, store *memory.Store, s school.ID, n int) {
	odd := errors.New("odd")
	err := store.InTx(t.Context(), s, func(ctx context.Context, tx ports.Tx) error {
		err := errors.Join(tx.Jobs.Add(ctx, newJob(s, n)), tx.People.Add(ctx, newPerson(n)))
		if err == nil && n%2 == 1 {
			return odd
		}
		return err
	})
	if err != nil && !errors.Is(err, odd) {
		t.Error(err)
	}
}

// completeJobs completes up to three jobs and returns their numbers.
func completeJobs(t *testing.T, store *memory.Store) []int {
	jobs, err := store.Queue().Lease(t.Context(), "chore", 3, then, then.Add(time.Hour))
	if err != nil {
		t.Error(err)
	}
	var done []int
	for _, j := range jobs {
		n, err := strconv.Atoi(j.Payload)
		if err != nil {
			t.Error(err)
		}
		if _, err := store.Read(j.School).People.Get(t.Context(), personID(n)); err != nil {
			t.Errorf("job %d without its person: %v", n, err)
		}
		if err := store.Queue().Complete(t.Context(), j); err != nil {
			t.Error(err)
		}
		done = append(done, n)
	}
	return done
}

// Several workers try to lease a job whose lease has expired. Only one worker gets the lease, and
// only that worker can complete the job.
func TestExpiredLeaseGoesToOneWorker(t *testing.T) {
	const rounds, workers = 50, 8
	store, s := newSchool(t)
	addJobs(t, store, s, 0, 1)
	q := store.Queue()
	stale := newJob(s, 0)
	for round := range rounds {
		now := then.Add(time.Duration(round) * time.Hour)
		got := make(chan job.Job, workers)
		var wg sync.WaitGroup
		for range workers {
			wg.Go(func() {
				jobs, err := q.Lease(t.Context(), "chore", 1, now, now.Add(time.Hour))
				if err != nil {
					t.Error(err)
				}
				for _, j := range jobs {
					got <- j
				}
			})
		}
		wg.Wait()
		is := is.New(t)
		is.Equal(len(got), 1)
		j := <-got
		is.Equal(j.Attempts, round+1)
		is.True(fault.Is(q.Complete(t.Context(), stale), fault.NotFound))
		stale = j
	}
	is.New(t).NoErr(q.Complete(t.Context(), stale)) // the last worker still has the lease
}

// Both leases of the job end at the same instant, so only the number of attempts distinguishes
// them.
func TestLeasesWithSameEndAreDistinct(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	addJobs(t, store, s, 0, 1)
	q := store.Queue()
	first, err := q.Lease(t.Context(), "chore", 1, then, then)
	is.NoErr(err)
	second, err := q.Lease(t.Context(), "chore", 1, then, then)
	is.NoErr(err)
	is.True(fault.Is(q.Complete(t.Context(), first[0]), fault.NotFound))
	is.NoErr(q.Complete(t.Context(), second[0]))
}

func TestOldestDueJobIsLeasedFirst(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	order := []int{1, 0, 2, 3} // by RunAt; the last two have the same RunAt and are ordered by id
	if nth(2).String() > nth(3).String() {
		order[2], order[3] = 3, 2
	}
	write(t, store, s, func(ctx context.Context, tx ports.Tx) error {
		var err error
		for n, minute := range []int{2, 1, 3, 3, 9} {
			j := newJob(s, n)
			j.RunAt = then.Add(time.Duration(minute) * time.Minute)
			err = errors.Join(err, tx.Jobs.Add(ctx, j))
		}
		return err
	})
	now := then.Add(3 * time.Minute)
	for _, n := range order {
		jobs, err := store.Queue().Lease(t.Context(), "chore", 1, now, now.Add(time.Hour))
		is.NoErr(err)
		is.Equal(len(jobs), 1)
		is.Equal(jobs[0].ID, jobID(n))
	}
	jobs, err := store.Queue().Lease(t.Context(), "chore", 1, now, now.Add(time.Hour))
	is.NoErr(err)
	is.Equal(len(jobs), 0) // the fifth job is not due yet
}

func TestInvalidJobs(t *testing.T) {
	store, s := newSchool(t)
	other := addSchool(t, store, 1)
	addJobs(t, store, other, 7, 8)

	for name, jobs := range map[string][]job.Job{
		"of another school":              {newJob(other, 1)},
		"one id twice in a transaction":  {newJob(s, 1), newJob(s, 1)},
		"an id that the queue has":       {newJob(s, 1), newJob(s, 7)},
		"an id that the queue has alone": {newJob(s, 7)},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			err := store.InTx(t.Context(), s, func(ctx context.Context, tx ports.Tx) error {
				err := tx.People.Add(ctx, newPerson(0))
				for _, j := range jobs {
					err = errors.Join(err, tx.Jobs.Add(ctx, j))
				}
				return err
			})
			is.True(err != nil)
			is.Equal(len(fault.All(err)), 0) // a defect of the caller, not a fault

			_, err = store.Read(s).People.Get(t.Context(), personID(0))
			is.True(fault.Is(err, fault.NotFound))
			is.Equal(queuedJobs(t, store), []job.Job{newJob(other, 7)})
		})
	}
}

func TestRolledBackTransactionAddsNoJob(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	ctx, cancel := context.WithCancel(t.Context())
	wake := store.Queue().Subscribe(t.Context(), "chore")

	err := store.InTx(ctx, s, func(ctx context.Context, tx ports.Tx) error {
		defer cancel() // the context ends after all writes
		is.NoErr(tx.Jobs.Add(ctx, newJob(s, 1)))
		is.Equal(len(queuedJobs(t, store)), 0) // the job is not visible before the commit
		return tx.People.Add(ctx, newPerson(1))
	})

	is.True(errors.Is(err, context.Canceled))
	is.Equal(len(queuedJobs(t, store)), 0)
	is.Equal(len(wake), 0) // no subscriber was woken
}

func TestSubscribe(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	q := store.Queue()
	ctx, cancel := context.WithCancel(t.Context())
	one, two, other := q.Subscribe(ctx, "chore"), q.Subscribe(t.Context(), "chore"), q.Subscribe(ctx, "errand")

	addJobs(t, store, s, 0, 10) // no subscriber receives, and add does not block
	for _, wake := range []<-chan struct{}{one, two} {
		is.Equal(len(wake), 1)
		<-wake
	}
	is.Equal(len(other), 0)

	is.NoErr(q.Retry(t.Context(), "chore", jobID(1), then))
	<-one
	<-two

	cancel()
	_, open := <-one
	is.True(!open)
	_, open = <-other
	is.True(!open)
	addJobs(t, store, s, 10, 11) // nothing is sent to closed channels
	<-two
}

// Subscribers are added and removed while jobs are added.
func TestSubscribeUnderLoad(t *testing.T) {
	store, s := newSchool(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				wake := store.Queue().Subscribe(ctx, "chore")
				cancel()
				for range wake { // until the channel is closed
				}
			}
		})
	}
	addedOneByOne := 200
	for n := range addedOneByOne {
		addJobs(t, store, s, n, n+1)
	}
	wg.Wait()
	is.New(t).Equal(len(queuedJobs(t, store)), addedOneByOne)
}

// The store must not share memory with a job that was passed in or returned.
func TestJobsAreCopies(t *testing.T) {
	is := is.New(t)
	store, s := newSchool(t)
	addJobs(t, store, s, 0, 1)
	jobs, err := store.Queue().Lease(t.Context(), "chore", 1, then, then.Add(time.Hour))
	is.NoErr(err)
	jobs[0].Payload, jobs[0].Kind = "spoilt", "errand"
	queuedJobs(t, store)[0].Payload = "spoilt"
	is.Equal(queuedJobs(t, store)[0].Payload, "0")
	is.NoErr(store.Queue().Complete(t.Context(), jobs[0])) // Complete uses only the id and the lease of a job
	is.Equal(len(queuedJobs(t, store)), 0)
}
