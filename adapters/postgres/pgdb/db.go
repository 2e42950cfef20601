package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
	"lyceum/adapters/admission"
)

// Config is how to reach the database. Zero durations and numbers take the
// defaults.
type Config struct {
	DSN              string        // a libpq URL or key=value string, of one host or several
	MaxConns         int           // size of the pool; 12 by default
	StatementTimeout time.Duration // the longest a statement may run; 15 s by default
	DialTimeout      time.Duration // the longest wait for the database when opening; 5 s by default
	MigrateAtStart   bool          // Module migrates before it provides the store
	Pooler           Pooler        // which connections the database lends; PoolerNone by default
	DirectDSN        string        // a DSN that leads past the pooler; blank: there is none
	Server           string        // name of the server, stable over restarts; blank: its leases cannot be taken back

	AnswerGrace   time.Duration // how much longer than its own limit a statement's answer is waited for; 5 s by default
	ListenPulse   time.Duration // how often the connection that listens is tried; 30 s by default
	TakeBackAfter time.Duration // how long a server has run before it takes leases back; 3 s by default
}

// DefaultMaxConns is the size of the pool unless Config says otherwise.
const DefaultMaxConns = 12

func (c Config) withDefaults() Config {
	if c.MaxConns <= 0 {
		c.MaxConns = DefaultMaxConns
	}
	if c.StatementTimeout <= 0 {
		c.StatementTimeout = 15 * time.Second
	}
	if c.DialTimeout <= 0 {
		c.DialTimeout = 5 * time.Second
	}
	if c.AnswerGrace <= 0 {
		c.AnswerGrace = grace
	}
	if c.ListenPulse <= 0 {
		c.ListenPulse = listenPulse
	}
	if c.TakeBackAfter <= 0 {
		c.TakeBackAfter = takeBackAfter
	}
	return c
}

// DB is a database: a pool of connections for requests, and the way to open
// others for what takes longer.
type DB struct {
	Pool     *sqlx.DB
	stmts    *statements
	conns    *admission.Limiter // in front of the pool's connections
	longs    connector          // for long transactions: statements without a limit in time
	bulk     connector          // the same for exports, imports and the like
	schema   connector          // the same for migrations
	era      atomic.Int64       // see connector
	long     chan struct{}      // full while as many long transactions run as may at a time
	pooler   Pooler
	Notifier notifier  // tells all instances that there are jobs
	Listener *listener // hears it
	named    connector // for the lock under the server's name; none behind a pooler of transactions
	Presence *presence // which holds it; nil: the server has no name
}

// Open connects to the database, waiting up to the dial timeout for one that is
// starting. The caller closes the DB.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	cfg = cfg.withDefaults()
	db := &DB{long: make(chan struct{}, longAtOnce), pooler: cfg.Pooler}
	db.Notifier.db = db
	requests, err := db.connectors(cfg)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(requests)
	pool.SetMaxOpenConns(cfg.MaxConns + spareConns)
	pool.SetMaxIdleConns(cfg.MaxConns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(time.Hour)
	db.Pool = sqlx.NewDb(pool, "postgres")
	db.stmts, db.conns = newStatements(db.Pool, db.preparable()), newAdmission(db.Pool)
	err = db.await(ctx, cfg.DialTimeout)
	if err == nil {
		err = db.inspect(ctx, cfg)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if cfg.Server != "" && db.named.Connector != nil {
		db.Presence = newPresence(cfg.Server, db.named, cfg.TakeBackAfter)
	}
	return db, nil
}

// Close closes the connections once the statements on them have ended.
func (db *DB) Close() error {
	db.Notifier.close()
	db.Listener.close()
	return errors.Join(db.Presence.close(), db.Pool.Close())
}

// Stats returns the figures of the pool.
func (db *DB) Stats() sql.DBStats { return db.Pool.Stats() }

// await returns when the database answers; for at most wait it tolerates a
// database that is not there yet.
func (db *DB) await(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		err := db.Pool.PingContext(ctx)
		if err == nil {
			return nil
		}
		if cure := poolerCure(err); cure != nil {
			return cure
		}
		if !isOutage(err) && !IsReadOnly(err) || Pause(ctx, 100*time.Millisecond) != nil {
			return fmt.Errorf("open the database: %w", err)
		}
	}
}
