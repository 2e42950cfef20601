package postgres_test

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/category"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit"
	"lyceum/test/kit/pgtest"
)

// writes returns functions that write in each of the ways that the store offers: transactions with
// one or several statements, a long transaction, a load, and a new school.
func writes(s *postgres.Store, id school.ID) map[string]func(context.Context) error {
	add := func(ctx context.Context, tx ports.Tx) error {
		return tx.Categories.Add(ctx, newCategory(uuid.NewString()))
	}
	return map[string]func(context.Context) error{
		"a statement": func(ctx context.Context) error { return s.InTx(ctx, id, add) },
		"a transaction": func(ctx context.Context) error {
			return s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
				if err := add(ctx, tx); err != nil {
					return err
				}
				_, err := tx.Categories.List(ctx, query.Query{})
				return err
			})
		},
		"a long transaction": func(ctx context.Context) error { return s.InLongTx(ctx, id, add) },
		"a load": func(ctx context.Context) error {
			return s.Load(ctx, id, func(ctx context.Context, l ports.LoadTx) error {
				return l.Add(ctx, ports.Batch{Categories: []category.Category{newCategory(uuid.NewString())}})
			})
		},
		"a school": func(ctx context.Context) error {
			sch, err := school.New(school.ID{UUID: uuid.New()}, "Academy "+uuid.NewString(), school.Preregistration, now)
			if err != nil {
				return err
			}
			return kit.AddSchool(ctx, s, sch)
		},
	}
}

// While the address leads to a standby, reads succeed, a write fails with an outage and never with
// a defect, and the readiness check names the reason. After the address leads to the primary again,
// at most one write fails before all connections use the primary.
func TestReadOnlyDatabase(t *testing.T) {
	is := is.New(t)
	pair := pgtest.NewPair(t)
	id := newSchool(t, openStore(t, pair.Primary))
	pair.CatchUp(t)
	proxy := newProxy(t, pair.Standby)
	opened := openDB(t, proxy.dsn)
	s := postgres.New(opened)

	for range 3 {
		reads(t, s, id)
	}
	err := s.Ready(t.Context())
	is.True(fault.Is(err, fault.Unavailable))
	is.Equal(fault.All(err)[0].Detail, "The database is read-only")
	for name, write := range writes(s, id) {
		for range 3 {
			if err := write(t.Context()); !fault.Is(err, fault.Unavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	release := postgres.Hold(t, opened, 4) // connections to the standby, which release returns to the pool

	proxy.target.Store(net.JoinHostPort("127.0.0.1", fmt.Sprint(pair.Ports[0])))
	release()
	is.True(fault.Is(s.Ready(t.Context()), fault.Unavailable)) // uses a connection to the standby
	is.NoErr(s.Ready(t.Context()))
	for _, write := range writes(s, id) {
		is.NoErr(write(t.Context()))
	}
}

// An operator disables writes with default_transaction_read_only: reads succeed, every form of
// write fails with an outage, and the readiness check names the reason. After writes are enabled
// again, all connections can write after one readiness check.
func TestReadOnlySwitch(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	admin := raw(t, dsn+" default_transaction_read_only=off")
	id := newSchool(t, openStore(t, dsn))
	execute(t, admin, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`)
	s := openStore(t, dsn)

	reads(t, s, id)
	err := s.Ready(t.Context())
	is.True(fault.Is(err, fault.Unavailable))
	is.Equal(fault.All(err)[0].Detail, "The database is read-only")
	for name, write := range writes(s, id) {
		if err := write(t.Context()); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}

	execute(t, admin, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET default_transaction_read_only', current_database()); END $$`)
	until(func() bool { return s.Ready(t.Context()) == nil })
	for _, write := range writes(s, id) {
		is.NoErr(write(t.Context()))
	}
}

// A server that is configured with both hosts follows a promotion. Until the promotion, every
// failure is an outage.
func TestPromotion(t *testing.T) {
	is := is.New(t)
	pair := pgtest.NewPair(t)
	s := openStore(t, fmt.Sprintf("postgres://postgres@127.0.0.1:%d,127.0.0.1:%d/postgres?sslmode=disable", pair.Ports[1], pair.Ports[0]))
	id := newSchool(t, s) // the standby is the first host of the list, and is skipped
	woken := s.Queue().Subscribe(t.Context(), "letter")
	settled(t, woken)
	pair.CatchUp(t)

	fails := func() {
		t.Helper()
		is.True(fault.Is(s.Ready(t.Context()), fault.Unavailable))
		for name, write := range writes(s, id) {
			if err := write(t.Context()); !fault.Is(err, fault.Unavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	pair.KillPrimary()
	fails()
	_, err := pgdb.Open(t.Context(), pgdb.Config{DSN: pair.Standby + " target_session_attrs=read-write", DialTimeout: 200 * time.Millisecond})
	is.True(err != nil && strings.Contains(err.Error(), "read-only"))
	pair.Promote(t)
	until(func() bool { return s.Ready(t.Context()) == nil })
	for _, write := range writes(s, id) {
		is.NoErr(write(t.Context()))
	}
	settled(t, woken) // the listener has followed the promotion
	addJobs(t, s, id, 1)
	<-woken
}

// If a change of the schema has invalidated a prepared statement, the statement fails once, with an
// outage, and not for the lifetime of the connection.
func TestOutdatedPreparedStatementFailsOnce(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	for range 5 {
		reads(t, s, id)
	}
	execute(t, db, `ALTER TABLE categories ALTER COLUMN name TYPE varchar(300)`)
	var err error
	for range 2 {
		if err = list(t.Context(), s, id); err == nil {
			break
		}
		is.True(fault.Is(err, fault.Unavailable))
	}
	is.NoErr(list(t.Context(), s, id))
}

func list(ctx context.Context, s *postgres.Store, id school.ID) error {
	_, err := s.Read(id).Categories.List(ctx, query.Query{})
	return err
}

func reads(t *testing.T, s *postgres.Store, id school.ID) {
	t.Helper()
	if err := list(t.Context(), s, id); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(id).School.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
}
