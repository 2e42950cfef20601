package pgdb

import (
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
)

// responseGrace is the default of Config.ResponseGrace.
const responseGrace = 5 * time.Second

// idleTx and idleBulkTx limit how long a transaction may wait for its client. After that time, the
// database ends the transaction and releases its locks, because the client's machine may have
// disappeared. Transactions of requests only compute between statements, while an export or import
// reads or writes a file or a pipe.
const (
	idleTx     = time.Minute
	idleBulkTx = 10 * time.Minute
)

// requestLock is the maximum time that a statement of a request waits for a lock. Without it, requests
// that wait for a transaction on very many records would use all connections of their school. It is
// longer than deadlock_timeout, so that a deadlock is found first.
const requestLock = 2 * time.Second

// migrationLock is the maximum time that a migration waits for a lock. It is short, because
// transactions that need the same table wait for the migration during that time. It is shorter than
// deadlock_timeout, so that in a deadlock the migration gives up before Postgres cancels a request.
// Statements with CONCURRENTLY have no limit, because no transaction waits for them.
const migrationLock = 500 * time.Millisecond

// keepalive lets the database detect within a minute that a client's machine has disappeared while
// the connection is idle.
var keepalive = map[string]string{
	"tcp_keepalives_idle": "30", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3",
}

// limits contains the time limits that the database applies to a session.
type limits struct {
	statement time.Duration // maximum duration of a statement; 0: no limit
	lock      time.Duration // maximum time that a statement waits for a lock; 0: as the database is configured
	idle      time.Duration // maximum time that an idle transaction or unacknowledged data waits for the client
}

// local returns the statements that set the limits for a transaction. It is for a transaction
// pooler, which shares sessions between clients.
func (l limits) local() string {
	return "SET LOCAL statement_timeout = " + milliseconds(l.statement) +
		"; SET LOCAL idle_in_transaction_session_timeout = " + milliseconds(l.idle)
}

// limited returns a copy of params with the limits l. The DSN takes precedence for keepalives, the
// limit of idle transactions, the lock timeout, jit and enable_seqscan, but not for the statement
// timeout.
//
// Each statement finds the rows of its school by an index. With enable_seqscan, a statement that
// PostgreSQL has planned while a table was nearly empty would read the whole table, of all schools,
// until autovacuum has seen that the table has grown (ADR 30).
func limited(params pq.Config, l limits) pq.Config {
	params = params.Clone()
	setDefault(params, "jit", "off") // compiling takes seconds, running takes milliseconds
	setDefault(params, "enable_seqscan", "off")
	for name, value := range keepalive {
		setDefault(params, name, value)
	}
	setDefault(params, "idle_in_transaction_session_timeout", milliseconds(l.idle))
	setDefault(params, "tcp_user_timeout", milliseconds(l.idle))
	if l.lock > 0 {
		setDefault(params, "lock_timeout", milliseconds(l.lock))
	}
	// The parameter is set even if there is no limit, because the role may have one.
	params.Runtime["statement_timeout"] = milliseconds(l.statement)
	// Without warnings an unconfirmed commit would look like a success.
	params.Runtime["client_min_messages"] = "warning"
	return params
}

// setDefault sets a parameter of the session unless the DSN sets it.
func setDefault(params pq.Config, name, value string) {
	for given := range params.Runtime {
		if strings.EqualFold(given, name) {
			return
		}
	}
	if !strings.Contains(params.Options, name) {
		params.Runtime[name] = value
	}
}

func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
