package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// Config is how to reach the database. Zero durations and numbers take the
// defaults.
type Config struct {
	DSN              string        // a libpq URL or key=value string
	MaxConns         int           // size of the pool; 12 by default
	StatementTimeout time.Duration // the longest a statement may run; 15 s by default
	DialTimeout      time.Duration // the longest wait for the database when opening; 5 s by default
	MigrateAtStart   bool          // Module migrates before it provides the store
}

func (c Config) withDefaults() Config {
	if c.MaxConns <= 0 {
		c.MaxConns = 12
	}
	if c.StatementTimeout <= 0 {
		c.StatementTimeout = 15 * time.Second
	}
	if c.DialTimeout <= 0 {
		c.DialTimeout = 5 * time.Second
	}
	return c
}

// grace is how much longer than its own time limit a statement's answer is
// waited for before the connection is given up.
const grace = 5 * time.Second

// DB is a database: a pool of connections for requests, and the way to open
// others for what takes longer.
type DB struct {
	pool   *sqlx.DB
	admin  *pq.Connector // without limits in time
	long   chan struct{} // full while as many long transactions run as may at a time
	herald herald        // tells all instances that there are jobs
	bell   *bell         // hears it
}

// Open connects to the database, waiting up to the dial timeout for one that is
// starting. The caller closes the DB.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	cfg = cfg.withDefaults()
	params, err := parameters(cfg)
	if err != nil {
		return nil, err
	}
	admin, err := connector(params, 0)
	if err != nil {
		return nil, err
	}
	params.Runtime["statement_timeout"] = strconv.FormatInt(cfg.StatementTimeout.Milliseconds(), 10)
	conn, err := connector(params, cfg.StatementTimeout+grace)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(conn)
	pool.SetMaxOpenConns(cfg.MaxConns)
	pool.SetMaxIdleConns(cfg.MaxConns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(time.Hour)
	db := &DB{pool: sqlx.NewDb(pool, "postgres"), admin: admin, long: make(chan struct{}, longAtOnce), bell: newBell(cfg)}
	db.herald.db = db
	if err := db.await(ctx, cfg.DialTimeout); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Close closes the connections once the statements on them have ended.
func (db *DB) Close() error {
	db.herald.close()
	db.bell.close()
	return db.pool.Close()
}

// Stats returns the figures of the pool.
func (db *DB) Stats() sql.DBStats { return db.pool.Stats() }

// await returns when the database answers; for at most wait it tolerates a
// database that is not there yet.
func (db *DB) await(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		err := db.pool.PingContext(ctx)
		if err == nil {
			return nil
		}
		if !isOutage(err) || pause(ctx, 100*time.Millisecond) != nil {
			return fmt.Errorf("open the database: %w", err)
		}
	}
}

// parameters reads the DSN and adds what every connection needs.
func parameters(cfg Config) (pq.Config, error) {
	params, err := pq.NewConfig(cfg.DSN)
	if err != nil {
		// The driver's message may quote the DSN, and so the password.
		return pq.Config{}, errors.New("open the database: the DSN is not well-formed")
	}
	if params.Runtime == nil {
		params.Runtime = map[string]string{}
	}
	for name := range params.Runtime {
		switch strings.ToLower(name) {
		case "statement_timeout":
			return pq.Config{}, errors.New("open the database: the statement timeout is a setting of its own, not part of the DSN")
		case "timezone":
			delete(params.Runtime, name)
		}
	}
	params.Runtime["timezone"] = "UTC"
	if _, named := params.Runtime["jit"]; !named {
		params.Runtime["jit"] = "off" // it takes seconds to compile what then runs for milliseconds
	}
	if !strings.Contains(cfg.DSN, "binary_parameters") {
		params.BinaryParameters = true // saves a round trip wherever a statement is not prepared
	}
	if params.ApplicationName == "" {
		params.ApplicationName = "lyceum"
	}
	if params.ConnectTimeout <= 0 {
		params.ConnectTimeout = cfg.DialTimeout
	}
	return params, nil
}

func connector(params pq.Config, limit time.Duration) (*pq.Connector, error) {
	c, err := pq.NewConnectorConfig(params.Clone())
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	c.Dialer(dialer{limit: limit, over: context.Background()})
	return c, nil
}
