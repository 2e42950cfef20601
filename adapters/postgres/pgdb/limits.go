package pgdb

import (
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
)

// responseGrace is how long after the time limit of a statement the connection is closed.
const responseGrace = 5 * time.Second

// How long a transaction waits for its client before the database ends it and frees its locks,
// because the client's machine may have disappeared. Transactions of requests only compute between
// statements. An export or import reads or writes a file or a pipe.
const (
	idleTx     = time.Minute
	idleBulkTx = 10 * time.Minute
)

// migrationLock is how long a migration waits for a lock, because transactions that need the same
// table wait for the migration during that time. It is shorter than deadlock_timeout. Statements
// with CONCURRENTLY have no limit, because no transaction waits for them.
const migrationLock = 500 * time.Millisecond

// keepalive lets the database detect within a minute that a client's machine has disappeared while
// the connection is idle.
var keepalive = map[string]string{
	"tcp_keepalives_idle": "30", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3",
}

// limits is the time limits that the database applies to a session.
type limits struct {
	statement time.Duration // maximum duration of a statement; 0: no limit
	idle      time.Duration // maximum wait of a transaction, or of unsent data, for the client
}

// local returns statements that set the limits for a transaction, because sessions belong to the
// pooler.
func (l limits) local() string {
	return "SET LOCAL statement_timeout = " + milliseconds(l.statement) +
		"; SET LOCAL idle_in_transaction_session_timeout = " + milliseconds(l.idle)
}

// limited returns parameters with limits. Keepalives, idle transactions and jit can be set
// in the DSN.
func limited(params pq.Config, l limits) pq.Config {
	params = params.Clone()
	unlessNamed(params, "jit", "off") // compiling takes seconds, running takes milliseconds
	for name, value := range keepalive {
		unlessNamed(params, name, value)
	}
	unlessNamed(params, "idle_in_transaction_session_timeout", milliseconds(l.idle))
	unlessNamed(params, "tcp_user_timeout", milliseconds(l.idle))
	// Also set if there is no limit, because the role may have one.
	params.Runtime["statement_timeout"] = milliseconds(l.statement)
	// Without warnings an unconfirmed commit would look like a success.
	params.Runtime["client_min_messages"] = "warning"
	return params
}

// unlessNamed sets a parameter of the session unless the DSN sets it.
func unlessNamed(params pq.Config, name, value string) {
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
