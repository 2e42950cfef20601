// Package deadlocks_test concurrently runs pairs of use cases that lock the same records on
// Postgres. It checks that the database detects no deadlock, because all use cases lock records in
// the order of docs/locks.md.
package deadlocks_test

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/files"
	"lyceum/app/transfer"
	"lyceum/domain/fault"
	"lyceum/domain/policy"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// roundsVariable is the environment variable with the number of rounds for each pair. The default
// is 1.
const roundsVariable = "LYCEUM_TEST_DEADLOCK_ROUNDS"

func TestNoPairOfUseCasesDeadlocks(t *testing.T) {
	var pairs [][2]operation
	for i, one := range operations {
		for _, other := range operations[i:] {
			pairs = append(pairs, [2]operation{one, other})
		}
	}
	raceAll(t, pairs, policy.Set{})
}

// TestBulkGroupsWithCountingRulesDeadlockWithNoUseCase runs bulk requests about groups with rules
// that count. Such a request locks courses for share before groups, and for update after them.
func TestBulkGroupsWithCountingRulesDeadlockWithNoUseCase(t *testing.T) {
	var pairs [][2]operation
	for _, one := range operations {
		for _, other := range operations {
			if one.name == bulkGroups {
				pairs = append(pairs, [2]operation{one, other})
			}
		}
	}
	raceAll(t, pairs, policy.Set{
		Enroll:   policy.Rules[policy.Enrolling]{{Needs: policy.Count, Check: func(policy.Enrolling) error { return nil }}},
		Unenroll: policy.Rules[policy.Unenrolling]{{Needs: policy.Count, Check: func(policy.Unenrolling) error { return nil }}},
		Join:     policy.Rules[policy.Joining]{{Needs: policy.Count, Check: func(policy.Joining) error { return nil }}},
		Leave:    policy.Rules[policy.Leaving]{{Needs: policy.Count, Check: func(policy.Leaving) error { return nil }}},
	})
}

// raceAll races the pairs one after another in a school with the given rules, and fails the test at
// the first pair that deadlocks.
func raceAll(t *testing.T, pairs [][2]operation, rules policy.Set) {
	t.Helper()
	is, rounds := is.New(t), 1
	if text := os.Getenv(roundsVariable); text != "" {
		var err error
		rounds, err = strconv.Atoi(text)
		is.NoErr(err)
	}
	w := &world{dsn: pgtest.Migrated(t), files: files.NewMemory(), rules: rules}
	w.connect(t)
	k := w.fill(t)
	suspicious := deadlockTimeout(t, w.dsn)
	for pair, operations := range pairs {
		if testing.Short() && pair%4 != 0 {
			continue
		}
		one, other := operations[0], operations[1]
		began := time.Now()
		w.race(t, one, other, k, pair, rounds)
		if time.Since(began) > suspicious {
			if n := w.deadlocks(t); n > 0 {
				t.Fatalf("%q and %q at once: the database has ended %d deadlocks; its log names the statements", one.name, other.name, n)
			}
		}
		if t.Failed() {
			return
		}
		k = w.refill(t)
	}
	is.Equal(w.deadlocks(t), 0)
}

// roundLimit is the maximum average duration of a round.
const roundLimit = 30 * time.Second

// race runs two operations concurrently, each twice, for several rounds. An operation may fail with
// a fault, because the other operation may have deleted its records.
func (w *world) race(t *testing.T, one, other operation, k records, pair, rounds int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rounds)*roundLimit)
	defer cancel()
	for round := range rounds {
		var wg sync.WaitGroup
		if round > 0 {
			k = w.all(ctx)
		}
		for i, d := range []operation{one, other, one, other} {
			wg.Go(func() {
				err := d.do(ctx, w, k, rand.New(rand.NewPCG(uint64(pair), uint64(4*round+i))))
				if errors.As(err, new(transfer.ImportErrors)) { // an import returns all its faults in one error
					return
				}
				if err != nil && (fault.All(err) == nil || fault.Is(err, fault.Unavailable) && !isConflict(err)) {
					t.Errorf("%q, next to %q and %q: %v", d.name, one.name, other.name, err)
				}
			})
		}
		wg.Wait()
	}
}

// deadlockTimeout returns the time that a transaction waits for a lock before the database checks
// for a deadlock. A pair of operations that deadlocks takes at least this long.
func deadlockTimeout(t *testing.T, dsn string) time.Duration {
	t.Helper()
	var milliseconds int64
	ask(t, dsn, `SELECT setting FROM pg_settings WHERE name = 'deadlock_timeout'`, &milliseconds)
	return time.Duration(milliseconds) * time.Millisecond
}

// deadlocks returns the number of deadlocks that the database has detected. A connection may report
// its deadlocks only when it ends, so deadlocks first replaces all connections.
func (w *world) deadlocks(t *testing.T) (n int) {
	t.Helper()
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	for alone := false; !alone; {
		ask(t, w.dsn, `SELECT count(*) = 1 FROM pg_stat_activity
			WHERE datname = current_database() AND backend_type = 'client backend'`, &alone)
	}
	ask(t, w.dsn, `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`, &n)
	w.connect(t)
	return n
}

func ask(t *testing.T, dsn, query string, answer any) {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRowContext(t.Context(), query).Scan(answer); err != nil {
		t.Fatal(err)
	}
}

// isConflict reports whether an import failed because people were added or deleted concurrently.
func isConflict(err error) bool { return errors.Is(err, ports.ErrChanged) }
