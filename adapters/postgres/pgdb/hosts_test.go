package pgdb_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/matryer/is"
	"lyceum/adapters/postgres"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/test/kit/pgtest"
)

// A DSN with several hosts must be parsed in the same way as in libpq.
func TestHosts(t *testing.T) {
	const account = "ada:hunt%40er2@"
	for _, tt := range []struct{ dsn, want string }{
		{"postgres://" + account + "h1:5432,h2:5433/db", "h1:5432 h2:5433"},
		{"postgresql://" + account + "h1:5432,h2:5433/db?sslmode=disable", "h1:5432 h2:5433"},
		{"postgres://" + account + "h1,h2/db", "h1:5432 h2:5432"},
		{"postgres://" + account + "h1,h2:5433/db", "h1:5432 h2:5433"},
		{"postgres://" + account + "h1,h2/db?port=5433,5434", "h1:5433 h2:5434"},
		{"postgres://" + account + "[::1]:5433,[::2]:5434/db", "::1:5433 ::2:5434"},
		{"postgres://" + account + "h1:5433/db", "h1:5433"},
		{"postgres://" + account + "/db?host=h1,h2&port=5433,5434", "h1:5433 h2:5434"},
		{"user=ada password=hunt@er2 dbname=db host=h1,h2 port=5433,5434", "h1:5433 h2:5434"},
		{"user=ada password=hunt@er2 dbname=db host=h1,h2 port=5433", "h1:5433 h2:5433"},
	} {
		t.Run(tt.dsn, func(t *testing.T) {
			is := is.New(t)
			params, err := pq.NewConfig(pgdb.SpreadHosts(tt.dsn))
			is.NoErr(err)
			hosts := []string{fmt.Sprintf("%s:%d", params.Host, params.Port)}
			for _, m := range params.Multi {
				hosts = append(hosts, fmt.Sprintf("%s:%d", m.Host, m.Port))
			}
			is.Equal(strings.Join(hosts, " "), tt.want)
			is.Equal(params.User+" "+params.Password+" "+params.Database, "ada hunt@er2 db")
		})
	}
}

// In both forms of a DSN with several hosts, the first host that accepts a connection must be used.
func TestFirstAnsweringHostIsUsed(t *testing.T) {
	target, err := pq.NewConfig(pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, dsn := range []string{
		fmt.Sprintf("postgres://%s:%s@127.0.0.1:1,%s:%d/%s?sslmode=disable", target.User, target.Password, target.Host, target.Port, target.Database),
		fmt.Sprintf("%s host=127.0.0.1,%s port=1,%d", pgtest.DSN(t), target.Host, target.Port),
	} {
		is := is.New(t)
		s := postgres.New(open(t, dsn))
		is.NoErr(s.Ready(t.Context()))
		woken := s.Queue().Subscribe(t.Context(), "letter") // the listener finds the host too
		<-woken
	}
}

// The error about an invalid DSN must not contain the password.
func TestWrongDSN(t *testing.T) {
	for _, tt := range []struct{ dsn, want string }{
		{"postgres://ada:hunter2@h1:5432,h2:x/db", "malformed"},
		{"postgres://ada:hunter2,x@h1/db?port=hunter2", "malformed"},
		{"host=h1,h2 port=1,2,3 password=hunter2", "one port or one port per host"},
		{"postgres://ada:hunter2@h1,h2/db?target_session_attrs=hunter2", "target_session_attrs"},
		{"postgres://ada:hunter2@127.0.0.1:1,127.0.0.1:2/db?sslmode=disable", "connection refused"},
	} {
		is := is.New(t)
		_, err := pgdb.Open(t.Context(), pgdb.Config{DSN: tt.dsn, DialTimeout: 2 * time.Second})
		is.True(err != nil)
		is.True(strings.Contains(err.Error(), tt.want))
		is.True(!strings.Contains(err.Error(), "hunter2"))
		is.True(fault.All(err) == nil)
	}
}
