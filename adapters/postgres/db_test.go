package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/ports"
	"lyceum/test/kit/pgtest"
)

func TestOpenRefuses(t *testing.T) {
	for _, tt := range []struct{ name, dsn string }{
		{"a malformed DSN", "postgres://ada:hunter2@[::1"},
		{"a database that does not answer", "host=127.0.0.1 port=1 user=ada password=hunter2 sslmode=disable"},
		{"a database that does not exist", pgtest.DSN(t) + " dbname=hunter2"},
		{"the statement timeout in the DSN", pgtest.DSN(t) + " statement_timeout=1 password=hunter2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			is := is.New(t)
			_, err := pgdb.Open(t.Context(), pgdb.Config{DSN: tt.dsn, DialTimeout: 200 * time.Millisecond})
			is.True(err != nil)
			is.True(!strings.Contains(err.Error(), "password")) // the error may be logged
			is.True(!strings.Contains(err.Error(), "ada:"))
		})
	}
}

// The database cancels a statement that takes too long. The error contains an Unavailable fault for
// the client and the cause for the log.
func TestStatementTimeout(t *testing.T) {
	is := is.New(t)
	dsn := pgtest.DSN(t)
	s := openStore(t, dsn)
	id := newSchool(t, s)
	cat := newCategory("Art")
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, cat) })

	other := begin(t, raw(t, dsn))
	_, err := other.ExecContext(t.Context(), `SELECT FROM categories WHERE school_id = $1 FOR UPDATE`, id.UUID)
	is.NoErr(err)
	limited := postgres.New(openWith(t, pgdb.Config{DSN: dsn, StatementTimeout: 200 * time.Millisecond}))
	err = limited.InTx(t.Context(), id, func(ctx context.Context, tx ports.Tx) error {
		_, err := tx.Categories.GetForUpdate(ctx, cat.State().ID)
		return err
	})
	is.Equal(pq.As(err).SQLState(), "57014")
	faults := fault.All(err)
	is.Equal(len(faults), 1)
	is.Equal(faults[0].Kind, fault.Unavailable)
	is.Equal(faults[0].Detail, "The request took too long")
	is.True(!errors.Is(err, context.DeadlineExceeded))
}

// A waiting statement is canceled when its context ends.
func TestContextEndsStatement(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	cat := newCategory("Art")
	within(t, s, id, func(ctx context.Context, tx ports.Tx) error { return tx.Categories.Add(ctx, cat) })
	other := begin(t, db)
	_, err := other.ExecContext(t.Context(), `SELECT FROM categories FOR UPDATE`)
	is.NoErr(err)

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- s.InTx(ctx, id, func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Categories.GetForUpdate(ctx, cat.State().ID)
			return err
		})
	}()
	untilBlocked(t, db)
	cancel()
	is.True(errors.Is(<-done, context.Canceled))
}

// If the network drops packets, a statement fails at its timeout, and the pool recovers.
func TestSilentNetwork(t *testing.T) {
	is := is.New(t)
	id := newSchool(t, openStore(t, pgtest.DSN(t)))
	proxy := newProxy(t, pgtest.DSN(t))
	db := openWith(t, pgdb.Config{DSN: proxy.dsn, StatementTimeout: 400 * time.Millisecond, ResponseGrace: 100 * time.Millisecond})
	s := postgres.New(db)
	school := func() error {
		_, err := s.Read(id).School.Get(t.Context())
		return err
	}
	until(func() bool { return school() == nil })

	proxy.silent.Store(true)
	is.True(fault.Is(school(), fault.Unavailable)) // without a deadline, the connection would wait forever

	proxy.silent.Store(false)
	until(func() bool { return school() == nil })
}

// until waits until ok returns true, or until the time limit of the test binary.
func until(ok func() bool) {
	for !ok() {
		time.Sleep(time.Millisecond)
	}
}

// proxy forwards connections to a database. While silent is set, it keeps them open but forwards
// nothing.
type proxy struct {
	dsn    string
	target atomic.Value // host:port to which new connections lead
	silent atomic.Bool
}

func newProxy(t *testing.T, dsn string) *proxy {
	t.Helper()
	target, err := pq.NewConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{dsn: dsn + " host=127.0.0.1 port=" + port}
	p.target.Store(net.JoinHostPort(target.Host, fmt.Sprint(target.Port)))
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", p.target.Load().(string))
			if err != nil {
				_ = in.Close()
				continue
			}
			go p.forward(in, out)
			go p.forward(out, in)
		}
	}()
	return p
}

func (p *proxy) forward(to io.WriteCloser, from io.ReadCloser) {
	defer func() { _, _ = to.Close(), from.Close() }()
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if p.silent.Load() {
			continue
		}
		if _, err := to.Write(buf[:n]); err != nil {
			return
		}
	}
}

// If the operator prevents a running server from opening connections, its requests fail with an
// outage.
func TestRefusedConnectionsAreOutage(t *testing.T) {
	is := is.New(t)
	s, db := freshStore(t)
	id := newSchool(t, s)
	var name string
	is.NoErr(db.QueryRowContext(t.Context(), `SELECT current_database()`).Scan(&name))
	other := raw(t, freshDSN(t))
	allow := func(allowed bool) {
		t.Helper()
		execute(t, other, fmt.Sprintf(`ALTER DATABASE %q WITH ALLOW_CONNECTIONS %t`, name, allowed))
	}
	allow(false)
	defer allow(true)
	execute(t, other, fmt.Sprintf(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'`, name))
	for range 3 {
		is.True(fault.Is(list(t.Context(), s, id), fault.Unavailable))
	}
}
