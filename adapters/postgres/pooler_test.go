package postgres_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/migrations"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/query"
	"lyceum/domain/school"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

// withLimits sets the timeouts that a pooler does not pass on to the database. It sets them for the
// database and not, like an operator, for the role, because other tests share the role.
func withLimits(t *testing.T, dsn, statement string) {
	t.Helper()
	execute(t, raw(t, dsn), `DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''`+statement+`''', current_database());
		EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout = ''60s''', current_database()); END$$`)
}

// hideWarnings makes the database send no warnings.
func hideWarnings(t *testing.T, dsn string) {
	t.Helper()
	execute(t, raw(t, dsn), `DO $$BEGIN EXECUTE format('ALTER DATABASE %I SET client_min_messages = ''error''', current_database()); END$$`)
}

const ignored = "ignore_startup_parameters=statement_timeout,idle_in_transaction_session_timeout,jit,enable_seqscan,tcp_user_timeout," +
	"tcp_keepalives_idle,tcp_keepalives_interval,tcp_keepalives_count,lock_timeout,client_min_messages"

// Open must reject a pooler that does not match the settings, with an error that explains what to
// change.
func TestUnsuitablePoolerIsRejected(t *testing.T) {
	dsn, silent := freshDSN(t), freshDSN(t)
	withLimits(t, silent, "15s")
	hideWarnings(t, silent)
	transactions := []string{"pool_mode=transaction", "default_pool_size=4"}
	for _, tt := range []struct {
		name   string
		pooler pgdb.Pooler
		dsn    string
		want   string
	}{
		{"parameters refused", "", pgtest.NewPooler(t, dsn, transactions...), "set database.pooler to transaction"},
		{"sessions mixed", "", pgtest.NewPooler(t, dsn, append(transactions, ignored)...), "set database.pooler to transaction"},
		{"sessions mixed by turns", "", pgtest.NewPooler(t, dsn, append(transactions, ignored, "server_round_robin=1")...), "set database.pooler to transaction"},
		{"no limits, transactions", pgdb.PoolerTransaction, pgtest.NewPooler(t, dsn, transactions...), "ALTER ROLE lyceum SET statement_timeout = '15000'"},
		{"no limits, sessions", "", pgtest.NewPooler(t, dsn, "pool_mode=session", ignored), "ALTER ROLE lyceum SET statement_timeout = '15000'"},
		{"no warnings", "", pgtest.NewPooler(t, silent, "pool_mode=session", ignored), "ALTER ROLE lyceum SET client_min_messages = 'warning'"},
		{"named statements", pgdb.PoolerTransaction, pgtest.NewPooler(t, dsn, transactions...) + "&binary_parameters=no", "binary_parameters"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			if strings.Contains(tt.name, "turns") { // so that the pooler has several sessions to assign
				release := occupy(t, tt.dsn, 3)
				release()
			}
			_, err := pgdb.Open(t.Context(), pgdb.Config{DSN: tt.dsn, Pooler: tt.pooler, DialTimeout: 10 * time.Second})
			is.True(err != nil)
			if !strings.Contains(err.Error(), tt.want) {
				t.Error(err)
			}
		})
	}
}

// occupy opens transactions through a pooler, so that it opens the given number of sessions.
// release ends the transactions.
func occupy(t *testing.T, dsn string, sessions int) (release func()) {
	t.Helper()
	db := raw(t, dsn+"&binary_parameters=yes")
	var held []func() error
	for range sessions {
		tx, err := db.BeginTx(t.Context(), nil)
		if err == nil {
			_, err = tx.ExecContext(t.Context(), `SELECT 1`)
		}
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, tx.Rollback)
	}
	return func() {
		for _, end := range held {
			_ = end()
		}
	}
}

// A pooler that pools sessions works without the setting Config.Pooler.
func TestSessionPooler(t *testing.T) {
	is := is.New(t)
	dsn := freshDSN(t)
	withLimits(t, dsn, "15s")
	s := openStore(t, pgtest.NewPooler(t, dsn, "pool_mode=session", "default_pool_size=30", ignored))
	is.NoErr(s.Ready(t.Context()))
	hammer(t, s, newSchool(t, s))
	woken := s.Queue().Subscribe(t.Context(), "letter")
	settled(t, woken)
}

// Through a transaction pooler with fewer connections than clients, all operations succeed without
// interfering with each other, whether or not a direct URL is configured.
func TestTransactionPooler(t *testing.T) {
	for _, withDirect := range []bool{false, true} {
		t.Run(map[bool]string{false: "alone", true: "with a direct address"}[withDirect], func(t *testing.T) {
			is := is.New(t)
			dsn := freshDSN(t)
			withLimits(t, dsn, "1s")
			cfg := pgdb.Config{
				DSN:    pgtest.NewPooler(t, dsn, "pool_mode=transaction", "default_pool_size=3"),
				Pooler: pgdb.PoolerTransaction, MaxConns: 12, StatementTimeout: time.Second,
			}
			if withDirect {
				cfg.DirectDSN = dsn
			}
			db, err := pgdb.Open(t.Context(), cfg)
			is.NoErr(err)
			t.Cleanup(func() { _ = db.Close() })
			s := postgres.New(db)
			is.NoErr(s.Ready(t.Context()))
			id := newSchool(t, s)
			hammer(t, s, id)
			is.Equal(count(t, raw(t, dsn), `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND query LIKE 'LISTEN%'`), 0)

			woken := s.Queue().Subscribe(t.Context(), "letter")
			if withDirect {
				settled(t, woken)
			}
			addJobs(t, s, id, 1)
			<-woken
			is.Equal(listening(t, raw(t, dsn)), map[bool]int{true: 1}[withDirect])

			err = migrations.Apply(t.Context(), db, slog.New(slog.DiscardHandler))
			is.Equal(errors.Is(err, migrations.ErrNoDirect), !withDirect)
			is.Equal(err == nil, withDirect)

			// The statement timeout applies to transactions, but not to long transactions.
			execute(t, raw(t, dsn), `CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END'`,
				`CREATE TRIGGER dawdling BEFORE INSERT ON categories FOR EACH STATEMENT EXECUTE FUNCTION dawdle()`)
			add := func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, newCategory("Art")) }
			is.True(fault.Is(s.InTx(t.Context(), id, add), fault.Unavailable))
			is.NoErr(s.InLongTx(t.Context(), id, add))
		})
	}
}

// hammer runs 16 clients concurrently. They execute all kinds of operations and check the records
// that they read.
func hammer(t *testing.T, s *postgres.Store, id school.ID) {
	t.Helper()
	var clients sync.WaitGroup
	for range 16 {
		clients.Go(func() {
			for range 15 {
				if err := work(t.Context(), s, id); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	clients.Wait()
}

// work writes records and reads them in several ways.
func work(ctx context.Context, s *postgres.Store, id school.ID) error {
	p, cat := newPerson(uuid.NewString()+"@example.test"), newCategory(uuid.NewString())
	err := errors.Join(
		s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, cat) }),
		s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
			if _, err := tx.Categories.GetForUpdate(ctx, cat.State().ID); err != nil {
				return err
			}
			return tx.People.Add(ctx, p)
		}),
	)
	if err != nil {
		return err
	}
	read := s.Read(id)
	person, errPerson := read.People.Get(ctx, p.State().ID)
	category, errCategory := read.Categories.Get(ctx, cat.State().ID)
	_, errList := read.People.List(ctx, query.Query{})
	_, errCourses := read.Courses.List(ctx, query.Query{})
	sch, errSchool := read.School.Get(ctx)
	if err := errors.Join(errPerson, errCategory, errList, errCourses, errSchool); err != nil {
		return err
	}
	if person.State.Email != p.State().Email || category.Name != cat.State().Name || sch.State().ID != id {
		return errors.New("a read returned another record")
	}
	return s.Snapshot(ctx, id, func(ctx context.Context, sn ports.Snapshot) error { return nil })
}
