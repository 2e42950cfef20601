package postgres_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

// storeWith returns a store on a new database whose pool has the given number of connections.
func storeWith(t *testing.T, conns int) *postgres.Store {
	t.Helper()
	is := is.New(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pgtest.Migrated(t), MaxConns: conns})
	is.NoErr(err)
	t.Cleanup(func() { is.NoErr(db.Close()) })
	return postgres.New(db)
}

// Even if all connections are in use, the store is ready, and a read is rejected after a short time
// instead of waiting until its context ends.
func TestReadyWithBusyPool(t *testing.T) {
	is := is.New(t)
	s := storeWith(t, 1)
	mine := newSchool(t, s)
	is.NoErr(s.InTx(t.Context(), mine, func(ctx context.Context, tx ports.Tx) error {
		if _, err := tx.School.GetForUpdate(ctx); err != nil { // occupies the only connection
			return err
		}
		is.NoErr(s.Ready(t.Context()))
		_, err := s.Read(mine).School.Get(t.Context())
		is.True(fault.Is(err, fault.Unavailable))
		return nil
	}))
	_, err := s.Read(mine).School.Get(t.Context())
	is.NoErr(err)
}

// While one key and the workers of a school hold its other connections, another key of the school gets
// one. The transactions of the first ones could wait for locks for seconds.
func TestKeysLeaveAConnection(t *testing.T) {
	is := is.New(t)
	s := storeWith(t, 13)
	mine, other := newSchool(t, s), newSchool(t, s)
	first, second := ports.WithCaller(t.Context(), [16]byte{1}), ports.WithCaller(t.Context(), [16]byte{2})
	_, err := s.Read(other).School.Get(t.Context()) // another school is active
	is.NoErr(err)
	release, held := make(chan struct{}), make(chan bool, 6)
	var transactions sync.WaitGroup
	for _, ctx := range []context.Context{first, first, first, t.Context(), first, t.Context()} {
		transactions.Go(func() {
			err := s.InTx(ctx, mine, func(context.Context, ports.Tx) error {
				held <- true
				<-release
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range 4 {
		<-held
	}
	time.Sleep(100 * time.Millisecond) // the others wait for a connection
	is.Equal(len(held), 0)
	for range 20 {
		_, err := s.Read(mine).School.Get(second)
		is.NoErr(err)
	}
	close(release)
	transactions.Wait()
}

// With a lock timeout, reads and transactions wait only as long for a connection, so that background
// work for all schools does not wait for a school whose transactions hold all of its connections.
func TestLockTimeoutLimitsTheWaitForAConnection(t *testing.T) {
	is := is.New(t)
	s := storeWith(t, 1)
	mine := newSchool(t, s)
	nothing := func(context.Context, ports.Tx) error { return nil }
	is.NoErr(s.InTx(t.Context(), mine, func(context.Context, ports.Tx) error { // occupies the only connection
		// Without the limit, each call waits for two seconds, and has another error.
		ctx := ports.WithLockTimeout(t.Context(), time.Millisecond)
		_, err := s.Read(mine).School.Get(ctx)
		is.True(errors.Is(err, ports.ErrLockTimeout))
		is.True(errors.Is(s.InTx(ctx, mine, nothing), ports.ErrLockTimeout))
		ended, cancel := context.WithCancel(ctx)
		cancel()
		is.True(errors.Is(s.InTx(ended, mine, nothing), context.Canceled))
		return nil
	}))
	is.NoErr(s.InTx(ports.WithLockTimeout(t.Context(), time.Minute), mine, nothing))
}
