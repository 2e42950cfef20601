package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
	"lyceum/adapters/limiter"
	"lyceum/domain/job"
)

// Config is the configuration of a DB. Zero durations and numbers mean the defaults.
type Config struct {
	DSN              string        // a libpq URL or key=value string, of one host or several
	MaxConns         int           // size of the pool; 12 by default
	StatementTimeout time.Duration // maximum duration of a statement; 15 s by default
	DialTimeout      time.Duration // maximum wait for the database in Open; 5 s by default
	MigrateAtStart   bool          // Module migrates before it provides the store
	Pooler           Pooler        // the pooler in front of the database; PoolerNone by default
	DirectDSN        string        // a DSN that bypasses the pooler; empty: none
	Server           string        // name of the server, the same after a restart; empty: its leases cannot be released early

	AnswerGrace   time.Duration // time beyond the limit of a statement before its connection is closed; 5 s by default
	ListenPulse   time.Duration // interval of pings on the connection of the listener; 30 s by default
	TakeBackAfter time.Duration // uptime after which a server releases the leases of its earlier processes; 3 s by default
}

// DefaultMaxConns is the default of Config.MaxConns.
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
		c.AnswerGrace = responseGrace
	}
	if c.ListenPulse <= 0 {
		c.ListenPulse = listenPulse
	}
	if c.TakeBackAfter <= 0 {
		c.TakeBackAfter = takeBackAfter
	}
	return c
}

// A DB is a database: a pool of connections for requests, and a way to open connections for longer
// work.
type DB struct {
	pool     *sqlx.DB
	stmts    *statements
	conns    *limiter.Limiter // limits the use of the pool
	longs    connector        // for long transactions, without a statement timeout
	bulk     connector        // the same for exports and imports
	schema   connector        // the same for migrations
	era      atomic.Int64     // see connector
	long     chan struct{}    // semaphore of long transactions
	pooler   Pooler
	notifier notifier  // notifies all instances of jobs
	listener *listener // receives the notifications
	named    connector // for the lock of the server's name; empty with only a transaction pooler
	presence *presence // holds the lock; nil: the server has no name
}

// Open connects to the database. It waits up to the dial timeout for a database that is starting.
// The caller must close the DB.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	cfg = cfg.withDefaults()
	db := &DB{long: make(chan struct{}, maxLongTx), pooler: cfg.Pooler}
	db.notifier.db = db
	requests, err := db.connectors(cfg)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(requests)
	pool.SetMaxOpenConns(cfg.MaxConns + spareConns)
	pool.SetMaxIdleConns(cfg.MaxConns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(time.Hour)
	db.pool = sqlx.NewDb(pool, "postgres")
	db.stmts, db.conns = newStatements(db.pool, db.preparable()), newAdmission(db.pool)
	err = db.await(ctx, cfg.DialTimeout)
	if err == nil {
		err = db.inspect(ctx, cfg)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if cfg.Server != "" && db.named.Connector != nil {
		db.presence = newPresence(cfg.Server, db.named, cfg.TakeBackAfter)
	}
	return db, nil
}

// Close closes the connections after the running statements.
func (db *DB) Close() error {
	db.notifier.close()
	db.listener.close()
	return errors.Join(db.presence.close(), db.pool.Close())
}

// Pool returns the connections for requests. The limiter does not count connections that
// are taken from it directly.
func (db *DB) Pool() *sqlx.DB { return db.pool }

// Notify notifies the subscribers of all instances that there are jobs of the kinds. It does not
// wait for the notification.
func (db *DB) Notify(kinds ...job.Kind) { db.notifier.notify(kinds...) }

// Subscribe returns a channel that gets a value when there may be jobs of the kind,
// until ctx ends. Values may be spurious and, after an outage, lost.
func (db *DB) Subscribe(ctx context.Context, kind job.Kind) <-chan struct{} {
	return db.listener.subscribe(ctx, kind)
}

// Lessee returns the name and the process ID of this server for the leases that it takes. Both are
// nil if it does not hold the lock of its name.
func (db *DB) Lessee() (name, run any) { return db.presence.lessee() }

// RunAlone runs a statement with the name, the process ID and the instant now, if no other process
// of this server is running. It returns the job kinds that the statement returns.
func (db *DB) RunAlone(ctx context.Context, statement string, now time.Time) ([]job.Kind, error) {
	if db.presence == nil {
		return nil, ctx.Err()
	}
	return db.presence.runExclusive(ctx, statement, now)
}

// Stats returns the statistics of the pool.
func (db *DB) Stats() sql.DBStats { return db.pool.Stats() }

// await returns when the database responds. It tolerates an unavailable database for at most wait.
func (db *DB) await(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		err := db.pool.PingContext(ctx)
		if err == nil {
			return nil
		}
		if cure := poolerCure(err); cure != nil {
			return cure
		}
		if !isOutage(err) && !IsReadOnly(err) || Pause(ctx, 100*time.Millisecond) != nil {
			return fmt.Errorf("database.url: cannot open the database: %w", err)
		}
	}
}
