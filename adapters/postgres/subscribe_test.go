package postgres_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/test/kit/pgtest"
)

// killOthers terminates all other connections to a database.
func killOthers(t testing.TB, dsn string) {
	t.Helper()
	execute(t, raw(t, dsn), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
}

// listening returns the number of listening connections.
func listening(t testing.TB, db *sql.DB) int {
	t.Helper()
	return count(t, db, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND query = 'LISTEN "lyceum_jobs"'`)
}

// settled waits until each channel receives a value. The listener sends these values after it
// connects, because it may have missed notifications.
func settled(t testing.TB, channels ...<-chan struct{}) {
	t.Helper()
	for _, ch := range channels {
		<-ch
	}
}

// A job that one instance adds wakes the workers of its kind on all instances.
func TestSubscribeAcrossInstances(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	s, other, db := openStore(t, dsn), openStore(t, dsn), raw(t, dsn)
	id := newSchool(t, s)
	is.Equal(listening(t, db), 0) // without a subscriber there is no listener
	here, there := s.Queue().Subscribe(t.Context(), "letter"), other.Queue().Subscribe(t.Context(), "letter")
	bulk := other.Queue().Subscribe(t.Context(), "bulk")
	settled(t, here, there, bulk)

	for range 3 {
		j := addJobs(t, s, id, 1)[0]
		<-here
		<-there
		is.NoErr(other.Queue().MarkDead(t.Context(), lease(t, other.Queue(), 1, now, now.Add(time.Minute))[0], "no"))
		is.NoErr(other.Queue().Retry(t.Context(), j.Kind, j.ID, now))
		<-here
		<-there
		is.NoErr(s.Queue().Complete(t.Context(), lease(t, s.Queue(), 1, now, now.Add(time.Minute))[0]))
	}
	is.Equal(len(bulk), 0) // notifications for another kind are not received
	is.Equal(listening(t, db), 2)
}

// Several jobs may result in a single value, but a value is always sent after the last job was
// added.
func TestSubscribeReportsLastJob(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	id := newSchool(t, s)
	woken := s.Queue().Subscribe(t.Context(), "letter")
	const jobs = 200
	go func() {
		for range jobs {
			addJobs(t, s, id, 1)
		}
	}()
	for found := 0; found < jobs; {
		<-woken // a missed notification would block the test forever
		for {
			leased := lease(t, s.Queue(), 10, now, now.Add(time.Minute))
			if len(leased) == 0 {
				break
			}
			found += len(leased)
			is.True(found <= jobs)
		}
	}
}

func TestSubscribeReconnects(t *testing.T) {
	s, db := freshStore(t)
	id := newSchool(t, s)
	woken := s.Queue().Subscribe(t.Context(), "letter")
	settled(t, woken)
	for range 2 {
		execute(t, db, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND query = 'LISTEN "lyceum_jobs"'`)
		settled(t, woken) // the value that is sent after reconnecting
		addJobs(t, s, id, 1)
		<-woken
	}
}

// The listener detects that the network drops packets, although its connection may be idle for
// hours.
func TestSubscribeDetectsSilentNetwork(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.DSN(t)
	proxy := newProxy(t, dsn)
	db := openWith(t, pgdb.Config{DSN: proxy.dsn, PingInterval: 50 * time.Millisecond})
	woken := postgres.New(db).Queue().Subscribe(t.Context(), "letter")
	settled(t, woken)

	proxy.silent.Store(true)
	time.Sleep(300 * time.Millisecond) // in the meantime the listener gives up the connection
	proxy.silent.Store(false)
	settled(t, woken)
	s := openStore(t, dsn)
	addJobs(t, s, newSchool(t, s), 1)
	<-woken
	proxy.silent.Store(true)
	is.NoErr(db.Close()) // does not wait for a response
}

func TestSubscribeEndsWithContext(t *testing.T) {
	is := is.New(t)
	s, _ := freshStore(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended, lasting := s.Queue().Subscribe(ctx, "letter"), s.Queue().Subscribe(t.Context(), "letter")
	cancel()
	for range ended { // until it is closed
		is.True(ctx.Err() != nil)
	}
	settled(t, lasting)
	addJobs(t, s, newSchool(t, s), 1)
	<-lasting
}

// When the store is closed, pending notifications are sent before the listener's connection is
// closed.
func TestCloseSendsPendingNotifications(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	s, watch := openStore(t, dsn), raw(t, dsn)
	id := newSchool(t, s)
	woken := s.Queue().Subscribe(t.Context(), "letter")
	settled(t, woken)

	db := openDB(t, dsn)
	brief := postgres.New(db)
	subscription := brief.Queue().Subscribe(t.Context(), "letter")
	settled(t, subscription)
	is.Equal(listening(t, watch), 2)
	addJobs(t, brief, id, 1)
	is.NoErr(db.Close())
	<-woken
	until(func() bool { return listening(t, watch) == 1 })

	never := brief.Queue().Subscribe(t.Context(), "letter") // the store is closed, so there is no connection
	is.Equal(len(never), 0)
	is.Equal(listening(t, watch), 1)
}
