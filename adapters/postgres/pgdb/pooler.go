package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"
)

// Pooler is the kind of connection pooler in front of the database.
type Pooler string

// Values of Pooler.
const (
	// PoolerNone means no pooler, or one that assigns a database connection to a client for its
	// whole session.
	PoolerNone Pooler = "none"
	// PoolerTransaction means a pooler that assigns a database connection for a single transaction,
	// such as PgBouncer with pool_mode = transaction. Statements cannot rely on session state.
	PoolerTransaction Pooler = "transaction"
)

// connectors sets the connectors and the listener of db from cfg, and returns the connector for
// requests.
func (db *DB) connectors(cfg Config) (requests connector, err error) {
	forRequests, forLongs, forBulk := limits{statement: cfg.StatementTimeout, lock: requestLock, idle: idleTx}, limits{idle: idleTx}, limits{idle: idleBulkTx}
	params, err := parameters(cfg.DSN, cfg)
	if err != nil {
		return connector{}, fmt.Errorf("database.url: %w", err)
	}
	pooled := cfg.Pooler == PoolerTransaction
	if pooled && !params.BinaryParameters {
		return connector{}, errors.New("database.url: must not turn off binary_parameters if database.pooler is transaction")
	}
	direct, directDSN := params, cfg.DSN
	if cfg.DirectDSN != "" {
		directDSN = cfg.DirectDSN
		if direct, err = parameters(directDSN, cfg); err != nil {
			return connector{}, fmt.Errorf("database.direct-url: %w", err)
		}
	}
	open := func(params pq.Config, limit time.Duration) (c connector) {
		if err == nil {
			c, err = newConnector(params, limit, &db.generation)
		}
		return c
	}
	readLimit := cfg.StatementTimeout + cfg.ResponseGrace
	if pooled && cfg.DirectDSN == "" {
		db.listener = newListener(cfg, "")
		requests, db.longs, db.bulk = open(params, readLimit), open(params, 0), open(params, 0)
		db.longs.local, db.bulk.local = forLongs.local(), forBulk.local()
		return requests, err
	}
	db.listener = newListener(cfg, listenerDSN(directDSN, direct))
	db.longs, db.bulk = open(limited(direct, forLongs), 0), open(limited(direct, forBulk), 0)
	db.locks = open(limited(direct, limits{statement: lockStatementTimeout, idle: idleTx}), lockStatementTimeout+responseGrace)
	migrating := limited(direct, forBulk)
	migrating.Runtime["lock_timeout"] = milliseconds(migrationLock)
	db.schema = open(migrating, 0)
	db.schema.noLockTimeoutConcurrently = true
	if pooled {
		requests = open(params, readLimit)
	} else {
		requests = open(limited(params, forRequests), readLimit)
	}
	return requests, err
}

// preparable returns the maximum number of prepared statements: none with a pooler in transaction
// mode, because a statement is prepared in one session of the database only.
func (db *DB) preparable() int {
	if db.pooler == PoolerTransaction {
		return 0
	}
	return maxStatements
}

// poolerHint returns an error that says what to do if a pooler refuses the parameters of the
// connection, or nil for any other error.
func poolerHint(err error) error {
	if pq.As(err, "08P01") == nil || !strings.Contains(err.Error(), "startup parameter") {
		return nil
	}
	return fmt.Errorf("database.url: %w: this is a connection pooler; set database.pooler to transaction "+
		"if it pools transactions; otherwise configure it to ignore the parameters, as docs/operations/connections.md describes", err)
}

// inspect returns an error if the pooler runs in transaction mode but database.pooler is not
// transaction, or if checkLimits returns an error. It uses two connections of the pool.
func (db *DB) inspect(ctx context.Context, cfg Config) error {
	ctx, cancel := context.WithTimeout(ctx, cfg.DialTimeout+responseGrace)
	defer cancel()
	if db.pooler != PoolerTransaction {
		mixed, err := db.mixesSessions(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("database.url: %w", err)
		case mixed:
			return errors.New("database.url: the connection pooler assigns a connection for a single transaction, " +
				"which breaks prepared statements: set database.pooler to transaction (LYCEUM_DATABASE_POOLER=transaction), " +
				"configure it to pool sessions, or connect directly")
		}
	}
	return db.checkLimits(ctx, cfg.StatementTimeout)
}

const whichSession = `SELECT pg_backend_pid()::text || ' ' || pg_postmaster_start_time()::text`

// mixesSessions reports whether two connections share a session of the database, or one connection
// has several. For a single client, a pooler uses either the most recently used session or a
// different one each time. Therefore mixesSessions queries one connection twice, then the other.
func (db *DB) mixesSessions(ctx context.Context) (bool, error) {
	var conns [2]*sql.Conn
	for i := range conns {
		c, err := db.pool.Conn(ctx)
		if err != nil {
			return false, err
		}
		defer func() { _ = c.Close() }()
		conns[i] = c
	}
	var sessions [2]string
	for range 3 {
		for _, i := range []int{0, 0, 1} {
			var session string
			if err := conns[i].QueryRowContext(ctx, whichSession).Scan(&session); err != nil {
				return false, err
			}
			if sessions[i] != "" && sessions[i] != session || sessions[1-i] == session {
				return true, nil
			}
			sessions[i] = session
		}
	}
	return false, nil
}

const sessionLimits = `
	SELECT extract(epoch FROM current_setting('statement_timeout')::interval) * 1000,
		current_setting('idle_in_transaction_session_timeout') <> '0',
		current_setting('client_min_messages') <> 'error'`

// checkLimits returns an error if the database does not limit the duration of statements to the
// given time, or does not limit idle transactions: a statement or a lock could then outlive a
// server that disappears. It also returns an error if the database sends no warnings, because this
// program could then not detect an unconfirmed commit.
func (db *DB) checkLimits(ctx context.Context, statement time.Duration) error {
	var limit float64
	var idle, warns bool
	if err := db.pool.QueryRowContext(ctx, sessionLimits).Scan(&limit, &idle, &warns); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if !warns {
		return errors.New("open the database: client_min_messages hides warnings, which this program needs: " +
			"set it for the role, as in ALTER ROLE lyceum SET client_min_messages = 'warning'")
	}
	if limit > 0 && limit <= float64(statement.Milliseconds()) && idle {
		return nil
	}
	return fmt.Errorf("open the database: the connection pooler does not pass on the timeouts for statements and idle transactions "+
		"to the database: set them for the role, as in ALTER ROLE lyceum SET statement_timeout = '%d'; "+
		"ALTER ROLE lyceum SET idle_in_transaction_session_timeout = '%d'", statement.Milliseconds(), idleTx.Milliseconds())
}
