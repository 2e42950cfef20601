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
	OneAttempt       bool          // Open does not wait for a database that refuses connections
	MigrateAtStart   bool          // Module migrates before it provides the store
	Pooler           Pooler        // the pooler in front of the database; PoolerNone by default
	DirectDSN        string        // a DSN that bypasses the pooler; empty: none
	ReplicaDSNs      []string      // of streaming replicas that serve reads; empty: none
	ReplicaAge       time.Duration // maximum age of the state that a replica shows; 5 s by default
	Server           string        // name of the server, the same after a restart; empty: its leases cannot be released early

	ResponseGrace time.Duration // wait after the statement timeout before the connection is closed; 5 s by default
	PingInterval  time.Duration // interval of pings on the connection that receives job notifications; 30 s by default
	ReleaseAfter  time.Duration // how long a server holds its serverLock before it releases the leases of its earlier processes; 3 s by default
}

// Defaults of Config.MaxConns and Config.ReplicaAge.
const (
	DefaultMaxConns   = 12
	DefaultReplicaAge = 5 * time.Second
)

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
	if c.ReplicaAge <= 0 {
		c.ReplicaAge = DefaultReplicaAge
	}
	if c.ResponseGrace <= 0 {
		c.ResponseGrace = responseGrace
	}
	if c.PingInterval <= 0 {
		c.PingInterval = pingInterval
	}
	if c.ReleaseAfter <= 0 {
		c.ReleaseAfter = releaseAfter
	}
	return c
}

// A DB is a database: a pool of connections for requests, and a way to open connections for longer
// work.
type DB struct {
	pool       *sqlx.DB
	stmts      *statements
	conns      *limiter.Limiter // limits the number of connections of the pool in use
	longs      connector        // opens connections for long transactions, without a statement timeout
	bulk       connector        // opens connections for exports and imports
	schema     connector        // opens connections for migrations
	generation atomic.Int64     // current generation of connections; see connector
	long       chan struct{}    // semaphore of long transactions
	pooler     Pooler
	notifier   notifier    // notifies all instances of jobs
	listener   *listener   // receives the notifications
	locks      connector   // opens the connection of serverLock; empty: the database can be reached only through a transaction pooler
	serverLock *serverLock // nil: the server has no name, or locks is empty
	replicas   *Replicas   // nil: there are none
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
	db.openPool(requests, cfg)
	err = db.await(ctx, cfg)
	if err == nil {
		err = db.inspect(ctx, cfg)
	}
	if err == nil {
		db.replicas, err = newReplicas(db, cfg)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if cfg.Server != "" && db.locks.Connector != nil {
		db.serverLock = newServerLock(cfg.Server, db.locks, cfg.ReleaseAfter)
	}
	return db, nil
}

// openPool sets the pool of connections for requests.
func (db *DB) openPool(requests connector, cfg Config) {
	pool := sql.OpenDB(requests)
	pool.SetMaxOpenConns(cfg.MaxConns + spareConns)
	pool.SetMaxIdleConns(cfg.MaxConns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(time.Hour)
	db.pool = sqlx.NewDb(pool, "postgres")
	db.stmts, db.conns = newStatements(db.pool, db.preparable()), newLimiter(db.pool)
}

// Close waits for the running statements and closes the connections.
func (db *DB) Close() error {
	db.notifier.close()
	db.listener.close()
	return errors.Join(db.replicas.close(), db.serverLock.close(), db.pool.Close())
}

// Pool returns the pool of connections for requests. The limiter does not count connections that a
// caller takes from the pool directly.
func (db *DB) Pool() *sqlx.DB { return db.pool }

// Notify notifies the subscribers of all instances that there are jobs of the kinds. It does not
// wait until the notification is sent.
func (db *DB) Notify(kinds ...job.Kind) { db.notifier.notify(kinds...) }

// Subscribe returns a channel that receives a value when there may be jobs of the kind. Values may
// be spurious and, after an outage, lost. The channel is closed when ctx ends.
func (db *DB) Subscribe(ctx context.Context, kind job.Kind) <-chan struct{} {
	return db.listener.subscribe(ctx, kind)
}

// LeaseOwner returns the name of this server and the instance ID of this process, which are
// recorded in the leases that it takes. Both are nil if the process does not hold the serverLock.
func (db *DB) LeaseOwner() (name, instance any) { return db.serverLock.leaseOwner() }

// RunAlone runs a statement with three parameters: the name of this server, the instance ID of this
// process, and the time now. It does nothing if this server has no name or if another process with
// the name is running. It returns the job kinds that the statement selects.
func (db *DB) RunAlone(ctx context.Context, statement string, now time.Time) ([]job.Kind, error) {
	if db.serverLock == nil {
		return nil, ctx.Err()
	}
	return db.serverLock.runExclusive(ctx, statement, now)
}

// Stats returns the statistics of the pool.
func (db *DB) Stats() sql.DBStats { return db.pool.Stats() }

// await waits until the database responds, at most for the dial timeout. If the timeout ends an
// attempt, it returns the error of the previous attempt, which contains the cause.
func (db *DB) await(ctx context.Context, cfg Config) error {
	ctx, cancel := context.WithTimeout(ctx, cfg.DialTimeout)
	defer cancel()
	var before error
	for {
		err := db.pool.PingContext(ctx)
		if err == nil {
			return nil
		}
		if before != nil && ctx.Err() != nil {
			err = before
		}
		before = err
		if hint := poolerHint(err); hint != nil {
			return hint
		}
		if cfg.OneAttempt || !isOutage(err) && !IsReadOnly(err) || limiter.Pause(ctx, 100*time.Millisecond) != nil {
			return fmt.Errorf("database.url: cannot open the database: %w", err)
		}
	}
}
