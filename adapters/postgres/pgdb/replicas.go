package pgdb

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// Replicas are the streaming replicas of a database. They serve the reads whose context Route
// returns.
//
// A replica is measured by positions in the write-ahead log: every tick records the position that
// the primary has reached, and then how far each replica has replayed. The age of a replica is the
// time since the last recorded position that it has replayed. It is an upper bound, unlike the time
// of the last replayed transaction, which is old on an idle database, and unlike the difference
// between received and replayed positions, which is zero on a replica that receives nothing.
type Replicas struct {
	primary *DB
	bound   time.Duration
	all     []*Replica
	next    atomic.Uint64
	end     context.CancelFunc
	ended   sync.WaitGroup

	positions []position // of the primary, oldest first; used only by measure
}

// position is a position in the write-ahead log that contains all commits before a time.
type position struct {
	before time.Time
	log    int64
}

// A Replica is a database that replays the changes of another.
type Replica struct {
	Name  string // host and port
	db    *DB
	asOf  atomic.Int64 // Unix time in nanoseconds before which all commits are visible; 0: unknown; -1: not a replica
	reads atomic.Int64 // number of routed contexts
}

// newReplicas returns the replicas in cfg, or nil if there are none. It does not wait for them.
func newReplicas(primary *DB, cfg Config) (*Replicas, error) {
	if len(cfg.ReplicaDSNs) == 0 {
		return nil, nil
	}
	r := &Replicas{primary: primary, bound: cfg.ReplicaAge}
	for _, dsn := range cfg.ReplicaDSNs {
		one, err := newReplica(dsn, cfg)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("database.replica-urls: %w", err), r.close())
		}
		r.all = append(r.all, one)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.end = cancel
	r.ended.Go(func() {
		interval := min(time.Second, r.bound/5)
		for tick := time.NewTicker(interval); ; {
			r.measure(ctx, interval)
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	})
	return r, nil
}

func newReplica(dsn string, cfg Config) (*Replica, error) {
	params, err := parameters(dsn, cfg)
	if err != nil {
		return nil, err
	}
	if len(params.Multi) > 0 {
		return nil, errors.New("each URL must have one host")
	}
	db := &DB{long: make(chan struct{}, maxLongTx)}
	open := func(l limits, limit time.Duration) (c connector) {
		if err == nil {
			c, err = newConnector(limited(params, l), limit, &db.generation)
		}
		return c
	}
	requests := open(limits{statement: cfg.StatementTimeout, idle: idleTx}, cfg.StatementTimeout+cfg.ResponseGrace)
	db.bulk = open(limits{idle: idleBulkTx}, 0)
	if err != nil {
		return nil, err
	}
	db.openPool(requests, cfg)
	return &Replica{Name: hostPort(params), db: db}, nil
}

func hostPort(params pq.Config) string { return fmt.Sprintf("%s:%d", params.Host, params.Port) }

func (r *Replicas) close() error {
	if r == nil {
		return nil
	}
	if r.end != nil {
		r.end()
		r.ended.Wait()
	}
	var errs []error
	for _, one := range r.all {
		errs = append(errs, one.db.pool.Close())
	}
	return errors.Join(errs...)
}

// Check reports whether the replica replays the changes of a primary. It returns an error if the
// replica does not respond.
func (r *Replica) Check(ctx context.Context) (replays bool, err error) {
	err = r.db.pool.GetContext(ctx, &replays, `SELECT pg_is_in_recovery()`)
	return replays, err
}

// Reads returns the number of requests that were routed to the replica.
func (r *Replica) Reads() int64 { return r.reads.Load() }

// All returns all replicas, including those that are not in use.
func (r *Replicas) All() []*Replica {
	if r == nil {
		return nil
	}
	return r.all
}

// replicaKey is the context key of the *Replica of reads.
type replicaKey struct{}

// Route returns a context whose reads outside of transactions are served by a replica whose state
// is at most oldest old, and the age of that state. Replicas take turns. It reports false if there
// is no such replica. oldest is limited to Config.ReplicaAge.
func (r *Replicas) Route(ctx context.Context, oldest time.Duration) (context.Context, time.Duration, bool) {
	if r == nil {
		return ctx, 0, false
	}
	oldest = min(oldest, r.bound)
	start := r.next.Add(1)
	for i := range uint64(len(r.all)) {
		one := r.all[(start+i)%uint64(len(r.all))]
		if age := one.Age(); age <= oldest.Seconds() {
			one.reads.Add(1)
			return context.WithValue(ctx, replicaKey{}, one), time.Duration(age * float64(time.Second)), true
		}
	}
	return ctx, 0, false
}

// OnPrimary returns a context whose reads are served by the primary.
func OnPrimary(ctx context.Context) context.Context {
	return context.WithValue(ctx, replicaKey{}, (*Replica)(nil))
}

// replica returns the replica of ctx; nil: the primary serves the reads.
func replica(ctx context.Context) *Replica {
	r, _ := ctx.Value(replicaKey{}).(*Replica)
	return r
}

// failed reports whether the primary must repeat a read that ended with err. If the replica does
// not respond, failed takes it out of use until the next measurement.
func (r *Replica) failed(ctx context.Context, err error) bool {
	if ctx.Err() != nil || !errors.As(err, new(*OutageError)) {
		return false
	}
	r.asOf.Store(0)
	return true
}

// onReplica calls read with a session on the replica of ctx, if there is one and c is not in a
// transaction. It reports false if c itself must read, also because read failed before it began to
// use its result, which it reports.
func (s *Session) onReplica(ctx context.Context, read func(c *Session) (used bool, err error)) (done bool, err error) {
	r := replica(ctx)
	if r == nil || s.tx != nil || s.DB == r.db {
		return false, nil
	}
	used, err := read(r.db.Session(s.SchoolID))
	if r.failed(ctx, err) && !used {
		return false, nil
	}
	return true, err
}

// OpenBulkFor returns a pool of connections for an export by ctx, and whether it is that of a
// replica. The caller must close it.
func (db *DB) OpenBulkFor(ctx context.Context) (pool *sqlx.DB, onReplica bool) {
	if r := replica(ctx); r != nil {
		pool := r.db.OpenBulk()
		if err := pool.PingContext(ctx); err == nil {
			return pool, true
		} else if !r.failed(ctx, Translate(ctx, err)) {
			return pool, true // the caller gets the error
		}
		_ = pool.Close()
	}
	return db.OpenBulk(), false
}

// Replicas returns the replicas of the database; nil: none.
func (db *DB) Replicas() *Replicas { return db.replicas }
