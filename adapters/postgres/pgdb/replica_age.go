package pgdb

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"sync"
	"time"
)

// committedPosition is a position that contains all visible commits. A commit becomes visible after
// it is flushed, unless synchronous_commit is off.
const committedPosition = `
	SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0'::pg_lsn`

const replayedPosition = `SELECT coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0) WHERE pg_is_in_recovery()`

// measure measures all replicas once. An error leaves the last measurement, which ages.
func (r *Replicas) measure(ctx context.Context, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, max(limit, time.Second))
	defer cancel()
	now := position{before: time.Now()}
	if r.primary.pool.GetContext(ctx, &now.log, committedPosition) == nil {
		for len(r.positions) > 0 && now.before.Sub(r.positions[0].before) > r.bound {
			r.positions = r.positions[1:]
		}
		r.positions = append(r.positions, now)
	}
	var measured sync.WaitGroup
	for _, one := range r.all {
		measured.Go(func() { one.measure(ctx, r.positions) })
	}
	measured.Wait()
}

func (r *Replica) measure(ctx context.Context, positions []position) {
	var replayed int64
	err := r.db.pool.GetContext(ctx, &replayed, replayedPosition)
	if errors.Is(err, sql.ErrNoRows) { // the server is not a replica, or not any longer
		r.asOf.Store(-1)
		return
	}
	if err != nil {
		r.asOf.CompareAndSwap(-1, 0) // the primary of before may be away
		return
	}
	for _, p := range positions {
		if p.log <= replayed {
			r.asOf.Store(p.before.UnixNano())
		}
	}
}

// Age returns an upper bound of the age in seconds of the state that the replica shows. It is
// infinite if the replica does not respond, and not a number if it is a primary.
func (r *Replica) Age() float64 {
	switch asOf := r.asOf.Load(); asOf {
	case 0:
		return math.Inf(1)
	case -1:
		return math.NaN()
	default:
		return time.Since(time.Unix(0, asOf)).Seconds()
	}
}
