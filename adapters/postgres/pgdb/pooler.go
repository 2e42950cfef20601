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

// Pooler is what stands between this program and the database.
type Pooler string

// The poolers.
const (
	// PoolerNone is none, or one that lends a connection for a whole session.
	PoolerNone Pooler = "none"
	// PoolerTransaction lends a connection of the database for one transaction, as
	// PgBouncer with pool_mode = transaction: nothing may be kept in the session.
	PoolerTransaction Pooler = "transaction"
)

// connectors makes the connectors of cfg, and returns the one for requests.
func (db *DB) connectors(cfg Config) (requests connector, err error) {
	forRequests, forLongs, forBulk := limits{statement: cfg.StatementTimeout, idle: idleTx}, limits{idle: idleTx}, limits{idle: idleBulkTx}
	params, err := parameters(cfg.DSN, cfg)
	if err != nil {
		return connector{}, err
	}
	pooled := cfg.Pooler == PoolerTransaction
	if pooled && !params.BinaryParameters {
		return connector{}, errors.New("open the database: with database.pooler transaction the DSN must not switch off binary_parameters")
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
			c, err = newConnector(params, limit, &db.era)
		}
		return c
	}
	readLimit := cfg.StatementTimeout + cfg.AnswerGrace
	if pooled && cfg.DirectDSN == "" {
		db.Listener = newBell(cfg, "")
		requests, db.longs, db.bulk = open(params, readLimit), open(params, 0), open(params, 0)
		db.longs.local, db.bulk.local = forLongs.local(), forBulk.local()
		return requests, err
	}
	db.Listener = newBell(cfg, listenerDSN(directDSN, direct))
	db.longs, db.bulk = open(limited(direct, forLongs), 0), open(limited(direct, forBulk), 0)
	db.named = open(limited(direct, limits{statement: presenceLimit, idle: idleTx}), presenceLimit+grace)
	migrating := limited(direct, forBulk)
	migrating.Runtime["lock_timeout"] = milliseconds(migrationLock)
	db.schema = open(migrating, 0)
	db.schema.calm = true
	if pooled {
		requests = open(params, readLimit)
	} else {
		requests = open(limited(params, forRequests), readLimit)
	}
	return requests, err
}

// preparable returns how many statements may be kept prepared.
func (db *DB) preparable() int {
	if db.pooler == PoolerTransaction {
		return 0
	}
	return maxStatements
}

// poolerCure returns what to do when a pooler refuses the parameters of the
// connection, nil for any other error.
func poolerCure(err error) error {
	if pq.As(err, "08P01") == nil || !strings.Contains(err.Error(), "startup parameter") {
		return nil
	}
	return fmt.Errorf("open the database: %w: this is a connection pooler; set database.pooler to transaction "+
		"if it pools transactions, else let it ignore the parameters as docs/operations.md says", err)
}

// inspect returns an error when a pooler mixes sessions without a setting that
// allows it, or keeps the limits of statements from the database. It takes two
// connections of the pool.
func (db *DB) inspect(ctx context.Context, cfg Config) error {
	ctx, cancel := context.WithTimeout(ctx, cfg.DialTimeout+grace)
	defer cancel()
	if db.pooler != PoolerTransaction {
		mixed, err := db.mixesSessions(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("open the database: %w", err)
		case mixed:
			return errors.New("open the database: a connection pooler lends its connections for single transactions, " +
				"which mixes up prepared statements: set database.pooler to transaction (LYCEUM_DATABASE_POOLER=transaction), " +
				"let it pool sessions, or connect past it")
		}
	}
	return db.checkLimits(ctx, cfg.StatementTimeout)
}

const whichSession = `SELECT pg_backend_pid()::text || ' ' || pg_postmaster_start_time()::text`

// mixesSessions reports whether two connections share a session of the database,
// or one has several. A lone client of a pooler gets the session used last, or
// another at each turn; so one connection asks twice and then another.
func (db *DB) mixesSessions(ctx context.Context) (bool, error) {
	var conns [2]*sql.Conn
	for i := range conns {
		c, err := db.Pool.Conn(ctx)
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
		current_setting('idle_in_transaction_session_timeout') <> '0'`

// checkLimits returns an error if the database has no limit for the statements of
// requests, or a longer one than this program waits, or none for idle
// transactions. A statement or a lock would outlive a server that vanishes.
func (db *DB) checkLimits(ctx context.Context, statement time.Duration) error {
	var limit float64
	var idle bool
	if err := db.Pool.QueryRowContext(ctx, sessionLimits).Scan(&limit, &idle); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	if limit > 0 && limit <= float64(statement.Milliseconds()) && idle {
		return nil
	}
	return fmt.Errorf("open the database: the connection pooler keeps the limits of statements and idle transactions "+
		"from the database: set them for the role, as in ALTER ROLE lyceum SET statement_timeout = '%d'; "+
		"ALTER ROLE lyceum SET idle_in_transaction_session_timeout = '%d'", statement.Milliseconds(), idleTx.Milliseconds())
}
