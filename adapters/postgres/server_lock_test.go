package postgres_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
)

// openNamed opens dsn as the server web1.
func openNamed(t testing.TB, dsn string) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn, Server: "web1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// waitForHolders waits until the given number of sessions hold the lock of a server name.
func waitForHolders(t testing.TB, db *sql.DB, sessions int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		n := count(t, db, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
		if n == sessions {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d sessions hold the lock, not %d", n, sessions)
		}
	}
}

// If a server loses the connection that holds its lock, it acquires the lock again and keeps its
// leases.
func TestServerKeepsLeasesAfterLostConnection(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	first := postgres.New(openNamed(t, dsn))
	db := raw(t, dsn)
	waitForHolders(t, db, 1)
	id := newSchool(t, first)
	addJobs(t, first, id, 1)
	held := lease(t, first.Queue(), 1, now, now.Add(time.Minute))[0]
	execute(t, db, `SELECT pg_terminate_backend(pid) FROM pg_locks
		WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	waitForHolders(t, db, 1)

	second := postgres.New(openNamed(t, dsn))
	n, err := second.Queue().ReleaseOwnLeases(t.Context(), now)
	is.NoErr(err)
	is.Equal(n, 0)
	is.NoErr(first.Queue().Complete(t.Context(), held))
}

// A lease that was taken without the lock has no name, so it can only expire.
func TestLeasesWithoutLockOnlyExpire(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	db := raw(t, dsn)
	const name = `hashtextextended('lyceum server web1', 0)`
	conn, err := db.Conn(t.Context())
	is.NoErr(err)
	_, err = conn.ExecContext(t.Context(), `SELECT pg_advisory_lock(`+name+`)`)
	is.NoErr(err)

	without := openNamed(t, dsn)
	first := postgres.New(without)
	id := newSchool(t, first)
	addJobs(t, first, id, 2)
	unnamed := lease(t, first.Queue(), 1, now, now.Add(time.Minute))[0]
	_, err = conn.ExecContext(t.Context(), `SELECT pg_advisory_unlock(`+name+`)`)
	is.NoErr(err)
	is.NoErr(conn.Close())
	_, err = first.Queue().ReleaseOwnLeases(t.Context(), now) // waits until the server holds the lock
	is.NoErr(err)
	named := lease(t, first.Queue(), 1, now, now.Add(time.Minute))[0]
	is.NoErr(without.Close())

	second := postgres.New(openNamed(t, dsn))
	n, err := second.Queue().ReleaseOwnLeases(t.Context(), now)
	is.NoErr(err)
	is.Equal(n, 1)
	is.NoErr(second.Queue().Complete(t.Context(), unnamed))
	is.True(fault.Is(second.Queue().Complete(t.Context(), named), fault.NotFound))
}
