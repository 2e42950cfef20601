package pgdb

import (
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"
)

// grace is how much longer than its own time limit a statement's answer is
// waited for before the connection is given up.
const grace = 5 * time.Second

// How long a transaction may wait for its client before the database ends it and
// frees its locks: the client's machine may have vanished. Transactions of
// requests compute between their statements and wait for nothing else. An export
// or import reads or writes at the pace of a file or a pipe.
const (
	idleTx     = time.Minute
	idleBulkTx = 10 * time.Minute
)

// migrationLock bounds the wait of a migration for each lock: whoever wants the
// same table queues after the migration for as long. It is shorter than the time
// after which the database looks for a deadlock. Nothing queues after what is
// done concurrently, so that waits as long as it takes.
const migrationLock = 500 * time.Millisecond

// keepalive lets the database's machine notice within a minute that a client's
// machine has vanished while its connection is silent.
var keepalive = map[string]string{
	"tcp_keepalives_idle": "30", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3",
}

// limits are the limits in time that the database sets to a session.
type limits struct {
	statement time.Duration // the longest that a statement may run; 0: no limit
	idle      time.Duration // the longest that a transaction, or unsent data, may wait for the client
}

// local returns the statements that give limits to a transaction whose session
// belongs to a pooler.
func (l limits) local() string {
	return "SET LOCAL statement_timeout = " + milliseconds(l.statement) +
		"; SET LOCAL idle_in_transaction_session_timeout = " + milliseconds(l.idle)
}

// limited returns parameters with limits. What the DSN says of keepalives, of idle
// transactions and of jit takes precedence.
func limited(params pq.Config, l limits) pq.Config {
	params = params.Clone()
	unlessNamed(params, "jit", "off") // it takes seconds to compile what then runs for milliseconds
	for name, value := range keepalive {
		unlessNamed(params, name, value)
	}
	unlessNamed(params, "idle_in_transaction_session_timeout", milliseconds(l.idle))
	unlessNamed(params, "tcp_user_timeout", milliseconds(l.idle))
	// Also where there is none: the role may have one of its own.
	params.Runtime["statement_timeout"] = milliseconds(l.statement)
	return params
}

// unlessNamed sets a parameter of the session that the DSN does not set.
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
