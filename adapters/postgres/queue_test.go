package postgres_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

// addJobs adds n jobs in one committed transaction.
func addJobs(t testing.TB, s ports.Store, id school.ID, n int) []job.Job {
	t.Helper()
	jobs := make([]job.Job, n)
	for i := range jobs {
		jobs[i] = newJob(id)
	}
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		for _, j := range jobs {
			if err := tx.Jobs.Add(ctx, j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

func lease(t testing.TB, q ports.Queue, n int, at, until time.Time) []job.Job {
	t.Helper()
	jobs, err := q.Lease(t.Context(), "letter", n, at, until)
	if err != nil {
		t.Fatal(err)
	}
	return jobs
}

// If an instance dies while it holds leases, no other instance gets the jobs until the leases end.
// Then another instance gets them, and late calls of the dead instance have no effect.
func TestLeasesOfDeadInstanceExpire(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	dying, living := openStore(t, dsn), openStore(t, dsn).Queue()
	id := newSchool(t, dying)
	addJobs(t, dying, id, 3)
	held := lease(t, dying.Queue(), 2, now, now.Add(time.Minute))
	is.Equal(len(held), 2)
	killOthers(t, dsn)

	is.Equal(len(lease(t, living, 5, now.Add(59*time.Second), now.Add(2*time.Minute))), 1) // only the third job
	again := lease(t, living, 5, now.Add(time.Minute), now.Add(3*time.Minute))
	is.Equal(len(again), 2)
	for i, j := range again {
		is.Equal(j.ID, held[i].ID)
		is.Equal(j.Attempts, 2)
		is.True(fault.Is(dying.Queue().Complete(t.Context(), held[i]), fault.NotFound))
		is.NoErr(living.Complete(t.Context(), j))
	}
}

// If a backend of the database dies after it has locked jobs and before it has leased them, no
// worker waits for it, and the jobs are available immediately.
func TestJobsLockedByDeadBackendAreAvailable(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	addJobs(t, s, id, 3)
	other := begin(t, db)
	var pid int
	is.NoErr(other.QueryRowContext(t.Context(),
		`SELECT min(pg_backend_pid()) FROM (SELECT FROM jobs ORDER BY id LIMIT 2 FOR UPDATE) x`).Scan(&pid))
	is.Equal(len(lease(t, s.Queue(), 5, now, now.Add(time.Minute))), 1) // a lock would block it forever

	execute(t, db, fmt.Sprintf(`SELECT pg_terminate_backend(%d)`, pid))
	until(func() bool {
		return count(t, db, `SELECT count(*) FROM pg_stat_activity WHERE pid = $1`, pid) == 0
	})
	is.Equal(len(lease(t, s.Queue(), 5, now, now.Add(time.Minute))), 2)
}

func TestNoJobIsLeasedTwice(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	s := openStore(t, dsn)
	const workers, jobs = 8, 500
	added := addJobs(t, s, newSchool(t, s), jobs)

	stores := []*postgres.Store{s, openStore(t, dsn), openStore(t, dsn), openStore(t, dsn)}
	leased := make(chan job.Job, 2*jobs)
	errs := make(chan error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			q := stores[w%len(stores)].Queue()
			for {
				found, err := q.Lease(t.Context(), "letter", 1+w, now, now.Add(time.Minute))
				if err != nil {
					errs <- err
				}
				if len(found) == 0 {
					return
				}
				for _, j := range found {
					leased <- j
				}
			}
		})
	}
	all.Wait()
	close(errs)
	close(leased)
	for err := range errs {
		is.NoErr(err)
	}
	times := map[job.ID]int{}
	for j := range leased {
		times[j.ID]++
		is.Equal(j.Attempts, 1)
	}
	is.Equal(len(times), jobs)
	for _, j := range added {
		is.Equal(times[j.ID], 1)
	}
}

// If several workers compete for a job whose lease has expired, only one of them gets it.
func TestNoExpiredLeaseIsTakenTwice(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	addJobs(t, s, newSchool(t, s), 1)
	for round := range 50 {
		at := now.Add(time.Duration(round) * time.Minute)
		var all sync.WaitGroup
		taken := make(chan int, 8)
		for range 8 {
			all.Go(func() {
				found, err := s.Queue().Lease(t.Context(), "letter", 3, at, at.Add(time.Minute))
				if err != nil {
					t.Error(err)
				}
				taken <- len(found)
			})
		}
		all.Wait()
		close(taken)
		sum := 0
		for n := range taken {
			sum += n
		}
		is.Equal(sum, 1)
	}
}

func TestRolledBackJobsAreNotAdded(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	stop := errors.New("stop")
	err := s.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		is.NoErr(tx.Jobs.Add(ctx, newJob(id)))
		is.Equal(len(lease(t, s.Queue(), 1, now, now.Add(time.Minute))), 0) // the job is not committed
		return stop
	})
	is.True(errors.Is(err, stop))
	is.Equal(len(lease(t, s.Queue(), 1, now, now.Add(time.Minute))), 0)
	is.Equal(count(t, db, `SELECT count(*) FROM jobs`), 0)
}

// The error of a mail server may be invalid UTF-8. The job is rescheduled anyway.
func TestInvalidErrorTextIsSanitized(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	addJobs(t, s, newSchool(t, s), 2)
	leased := lease(t, s.Queue(), 2, now, now.Add(time.Minute))
	is.NoErr(s.Queue().Reschedule(t.Context(), leased[0], now, "550 \xff\x00 no"))
	is.NoErr(s.Queue().MarkDead(t.Context(), leased[1], "550 \xff\x00 no"))
	found, err := s.Queue().List(t.Context(), "letter")
	is.NoErr(err)
	for _, j := range found {
		is.Equal(j.LastError, "550 \uFFFD\uFFFD no")
	}
}

// The queue is often empty when the database analyzes it. After a bulk request has added many jobs,
// no statement reads all of them, as the plan for an empty table does.
func TestQueueThatHasGrown(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	pool, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn})
	is.NoErr(err)
	s, db := postgres.New(pool), raw(t, dsn)
	id := newSchool(t, s)
	work := func(complete bool) {
		for _, j := range lease(t, s.Queue(), 1, now, now.Add(time.Minute)) {
			if complete {
				is.NoErr(s.Queue().Complete(t.Context(), j))
				continue
			}
			is.NoErr(s.Queue().Reschedule(t.Context(), j, now, "again"))
		}
	}
	execute(t, db, `ANALYZE jobs`) // the table has no pages yet
	for range 10 {                 // from the sixth time on, a prepared statement can have a plan for all arguments
		addJobs(t, s, id, 1)
		work(true)
	}
	const jobs = 3000
	addJobs(t, s, id, jobs)
	before := count(t, db, `SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'jobs'`)
	for range 10 {
		work(false)
		work(true)
	}
	is.NoErr(pool.Close()) // its connections then report their statistics
	until(func() bool {
		return count(t, db, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`) == 1
	})
	read := count(t, db, `SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'jobs'`) - before
	if read >= jobs {
		t.Fatalf("20 jobs were leased and finished by reading %d rows in sequence", read)
	}
}

// PostgreSQL keeps the index entries of finished jobs while an older transaction runs. Few leases read
// them.
func TestLeasesSkipFinishedJobs(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	db := raw(t, dsn)
	old, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	is.NoErr(err)
	defer func() { is.NoErr(old.Rollback()) }()
	_, err = old.ExecContext(t.Context(), `SELECT FROM schools`)
	is.NoErr(err)
	// withStore calls do with a store. When it returns, the connections have reported their statistics.
	withStore := func(do func(*postgres.Store)) {
		t.Helper()
		pool, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn})
		is.NoErr(err)
		do(postgres.New(pool))
		is.NoErr(pool.Close())
		until(func() bool {
			return count(t, db, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()`) == 2
		})
	}
	const jobs, leases = 300, 20
	withStore(func(s *postgres.Store) {
		addJobs(t, s, newSchool(t, s), jobs)
		for _, j := range lease(t, s.Queue(), jobs, now, now.Add(time.Minute)) {
			is.NoErr(s.Queue().Complete(t.Context(), j))
		}
	})
	entries := func() int {
		return count(t, db, `SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE indexrelname LIKE 'jobs_due%'`)
	}
	before := entries()
	withStore(func(s *postgres.Store) {
		for i := range leases {
			later := now.Add(time.Hour + time.Duration(i)*100*time.Millisecond)
			is.Equal(len(lease(t, s.Queue(), 1, later, later.Add(time.Minute))), 0)
		}
	})
	// Each job has an entry for its first time and one for its lease.
	if read := entries() - before; read > 2*2*jobs {
		t.Fatalf("%d leases read %d index entries of %d finished jobs", leases, read, jobs)
	}
}

// A job that this server adds is leased even if it has been due for long.
func TestJobsThatHaveBeenDueForLong(t *testing.T) {
	is := is.New(t)
	pool, err := pgdb.Open(t.Context(), pgdb.Config{DSN: freshDSN(t)})
	is.NoErr(err)
	defer func() { is.NoErr(pool.Close()) }()
	s, other := postgres.New(pool), postgres.New(pool)
	id := newSchool(t, s)
	later := now.Add(time.Hour)
	for _, q := range []ports.Queue{s.Queue(), other.Queue()} {
		is.Equal(len(lease(t, q, 1, later, later.Add(time.Minute))), 0)
	}
	addJobs(t, s, id, 2)
	is.Equal(len(lease(t, s.Queue(), 1, later, later.Add(time.Minute))), 1)
	is.Equal(len(lease(t, other.Queue(), 1, later, later.Add(time.Minute))), 0) // another server finds it later
	later = later.Add(5 * time.Second)
	is.Equal(len(lease(t, other.Queue(), 1, later, later.Add(time.Minute))), 1)
}
