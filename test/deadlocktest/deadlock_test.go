// Package deadlocktest_test lets use cases that lock the same records run at once on
// Postgres, each with each, and sees that the database never has to break a deadlock
// off. docs/locks.md is the order that prevents them.
package deadlocktest_test

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/clock"
	"lyceum/adapters/files"
	"lyceum/adapters/postgres"
	"lyceum/app"
	"lyceum/domain/fault"
	"lyceum/test/fake"
	"lyceum/test/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// roundsVariable is how often each pair of use cases runs at once.
const roundsVariable = "LYCEUM_TEST_DEADLOCK_ROUNDS"

// suspicious is how long a pair takes when the database has broken a deadlock off:
// it looks for one when a transaction has waited for a second.
const suspicious = time.Second

func TestNoPairOfUseCasesDeadlocks(t *testing.T) {
	is, rounds := is.New(t), 2
	if text := os.Getenv(roundsVariable); text != "" {
		var err error
		rounds, err = strconv.Atoi(text)
		is.NoErr(err)
	}
	dsn := pgtest.Migrated(t)
	db, err := postgres.Open(t.Context(), postgres.Config{DSN: dsn, MaxConns: 12})
	is.NoErr(err)
	store := postgres.New(db)
	w := &world{
		App: app.New(store, store.Schools(), store.Queue(), files.NewMemory(), fake.NewInviter(), clock.NewSystem(), clock.NewRandom()),
	}
	w.furnish(t)
	var slow []string
	for i, one := range deeds {
		for _, other := range deeds[i:] {
			began := time.Now()
			w.race(t, one, other, rounds)
			if time.Since(began) > suspicious {
				slow = append(slow, one.name+" and "+other.name)
			}
		}
	}
	is.NoErr(db.Close()) // which counts what its connections have met
	if n := deadlocks(t, dsn); n > 0 {
		t.Errorf("%d deadlocks; these took long: %q", n, slow)
	}
}

// race does two deeds at once, some times. A deed may be refused: the other may have
// removed what it is about.
func (w *world) race(t *testing.T, one, other deed, rounds int) {
	t.Helper()
	var wg sync.WaitGroup
	for i, d := range []deed{one, other, one, other} {
		wg.Go(func() {
			for round := range rounds {
				rng := rand.New(rand.NewPCG(uint64(round), uint64(i)))
				err := d.do(t.Context(), w, rng)
				if errors.As(err, new(app.ImportErrors)) { // an import is refused as a whole
					continue
				}
				if err != nil && (fault.All(err) == nil || fault.Is(err, fault.Unavailable) && !moved(err)) {
					t.Errorf("%s, next to %s and %s: %v", d.name, one.name, other.name, err)
				}
			}
		})
	}
	wg.Wait()
	w.refill(t)
}

// deadlocks returns how many deadlocks the database has broken off.
func deadlocks(t *testing.T, dsn string) (n int) {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for alone := false; !alone; { // a connection counts at the latest when it ends
		err := db.QueryRowContext(t.Context(), `SELECT count(*) = 1 FROM pg_stat_activity WHERE datname = current_database()`).Scan(&alone)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.QueryRowContext(t.Context(), `SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// moved reports whether an import met people who are removed or added meanwhile.
func moved(err error) bool { return strings.Contains(err.Error(), "Records were removed meanwhile") }
