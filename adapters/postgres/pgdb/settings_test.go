package pgdb_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/matryer/is"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/test/kit/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// open opens dsn with the default settings of pgdb.Config.
func open(t testing.TB, dsn string) *pgdb.DB {
	t.Helper()
	db, err := pgdb.Open(t.Context(), pgdb.Config{DSN: dsn})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// raw opens dsn with database/sql, without package pgdb.
func raw(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestSessionsHaveTheSettings(t *testing.T) {
	is := is.New(t)
	db, err := pgdb.Open(t.Context(), pgdb.Config{
		DSN: pgtest.DSN(t) + " timezone='Asia/Kolkata'", StatementTimeout: 1234 * time.Millisecond,
	})
	is.NoErr(err)
	defer func() { is.NoErr(db.Close()) }()
	for setting, want := range map[string][3]string{ // for requests, long transactions, exports and imports
		"statement_timeout":                   {"1234ms", "0", "0"},
		"idle_in_transaction_session_timeout": {"1min", "1min", "10min"},
		"tcp_user_timeout":                    {"1min", "1min", "10min"},
		"tcp_keepalives_idle":                 {"30", "30", "30"},
		"tcp_keepalives_interval":             {"10", "10", "10"},
		"tcp_keepalives_count":                {"3", "3", "3"},
		"timezone":                            {"UTC", "UTC", "UTC"},
		"application_name":                    {"lyceum", "lyceum", "lyceum"},
		"jit":                                 {"off", "off", "off"},
		"enable_seqscan":                      {"off", "off", "off"},
	} {
		for i, pool := range pgdb.Pools(t, db) {
			var got string
			is.NoErr(pool.QueryRowContext(t.Context(), `SELECT current_setting($1)`, setting).Scan(&got))
			if strings.HasPrefix(setting, "tcp_user_timeout") {
				is.Equal(got == "0", false)
				continue // the kernel rounds the displayed value
			}
			is.Equal(got, want[i]) // the value of setting
		}
	}
}

// Settings in the DSN for idle transactions and dead connections must take precedence on every
// connection. The last pool uses the DSN of the listener.
func TestDSNTakesPrecedence(t *testing.T) {
	is := is.New(t)
	db := open(t, pgtest.DSN(t)+" tcp_keepalives_idle=77 tcp_user_timeout=88000 Idle_in_transaction_session_timeout=99s application_name=ours")
	pools := pgdb.Pools(t, db)
	for i, pool := range append(pools, raw(t, pgdb.ListenerDSN(db))) {
		for setting, want := range map[string]string{
			"tcp_keepalives_idle": "77", "tcp_keepalives_interval": "10", "idle_in_transaction_session_timeout": "99s",
			"application_name": "ours",
		} {
			var got string
			is.NoErr(pool.QueryRowContext(t.Context(), `SELECT current_setting($1)`, setting).Scan(&got))
			if i == len(pools) && got == "0" {
				continue
			}
			is.Equal(got, want) // the value of setting
		}
	}
}
