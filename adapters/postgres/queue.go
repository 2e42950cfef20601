package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Queue = queue{}

// queue implements ports.Queue. Its session is not bound to a school.
type queue struct{ *session }

// Queue returns the job queue of all schools.
func (s *Store) Queue() ports.Queue { return queue{s.session(school.ID{})} }

// leaseJob leases a job of the next school with a due job, in the order of the IDs after school $4.
// It reads the index jobs_due_by_school with one probe for each school (none if no job is due), and
// stops at the first school with a due job that no other transaction has locked. When it locks the
// job, PostgreSQL evaluates the condition again, so a job that was leased in the meantime is
// skipped. $8 is the floor of the kind.
var leaseJob = `
	WITH RECURSIVE turns AS (
		(
			SELECT school_id, run_at FROM jobs
			WHERE kind = $1 AND state <> 'dead' AND school_id > $4 AND run_at >= $8 AND (
				SELECT true FROM jobs WHERE kind = $1 AND state <> 'dead' AND run_at BETWEEN $8 AND $2 ORDER BY kind, run_at LIMIT 1
			)
			ORDER BY kind, school_id, run_at LIMIT 1
		)
		UNION ALL
		SELECT next.school_id, next.run_at FROM turns, LATERAL (
			SELECT school_id, run_at FROM jobs
			WHERE kind = $1 AND state <> 'dead' AND school_id > turns.school_id AND run_at >= $8
			ORDER BY kind, school_id, run_at LIMIT 1
		) next
	),
	due AS MATERIALIZED (
		SELECT first.id FROM turns, LATERAL (
			SELECT id FROM jobs
			WHERE kind = $1 AND state <> 'dead' AND school_id = turns.school_id AND run_at BETWEEN $8 AND $2
			ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
		) first
		WHERE turns.run_at <= $2 AND turns.school_id <> ALL ($7::uuid[]) LIMIT 1
	)
	UPDATE jobs r SET state = 'leased', attempts = attempts + 1, run_at = $3, updated_at = $2,
		leased_by = $5, leased_in = $6
	WHERE r.id = (SELECT id FROM due)
	RETURNING ` + jobColumns

// Lease implements ports.Queue. If a statement fails, it returns the jobs that it has already
// leased, because no other worker can get them before their leases end.
func (r queue) Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error) {
	select { // one worker leases at a time, so that leases.Full includes the jobs of all workers
	case r.store.leasing <- struct{}{}:
		defer func() { <-r.store.leasing }()
	case <-ctx.Done():
		return nil, pgdb.Translate(ctx, ctx.Err())
	}
	floor, err := r.floor(ctx, kind, now)
	if err != nil {
		return nil, err
	}
	var leased []job.Job
	for len(leased) < n {
		after := r.store.turns.last(kind)
		name, instance := r.DB.LeaseOwner()
		full := pq.Array(pgdb.IDStrings(r.store.leases.Full(kind, now)))
		found, err := r.leaseNext(ctx, string(kind), now, until, after.UUID, name, instance, full, floor)
		switch {
		case err != nil && len(leased) > 0:
			return leased, nil
		case err != nil:
			return nil, err
		case len(found) > 0:
			r.store.turns.set(kind, found[0].School)
			r.store.leases.Add(found[0])
			leased = append(leased, found...)
		case after == (school.ID{}):
			return leased, nil
		default:
			r.store.turns.set(kind, school.ID{}) // the next round begins
		}
	}
	return leased, nil
}

// changeJobs runs a statement about single jobs unprepared, and returns how many it changed. The
// plan of a prepared statement from a time when few jobs were waiting reads the whole table, even
// after a bulk request has added thousands of jobs.
func changeJobs(ctx context.Context, c *session, statement string, args ...any) (n int, err error) {
	err = c.EachRow(ctx, true, statement+` RETURNING id`, args, func(rows *sqlx.Rows) error {
		for rows.Next() {
			n++
		}
		return rows.Err()
	})
	return n, err
}

// leaseNext runs leaseJob unprepared, like changeJobs.
func (r queue) leaseNext(ctx context.Context, args ...any) ([]job.Job, error) {
	var leased []jobRow
	err := r.EachRow(ctx, true, leaseJob, args, func(rows *sqlx.Rows) error { return sqlx.StructScan(rows, &leased) })
	if err != nil {
		return nil, err
	}
	return convertAll(leased, jobRow.job)
}

func (r queue) jobs(ctx context.Context, statement string, args ...any) ([]job.Job, error) {
	return getAll(ctx, r.session, jobRow.job, statement, args...)
}

// LimitLeases implements ports.Queue.
func (r queue) LimitLeases(kind job.Kind, perSchool, shared int) {
	r.store.leases.Limit(kind, perSchool, shared)
}

// The attempt number and the end of the lease identify a lease. Another lease of the same job
// differs in at least one of them, even after Retry has reset the number.
const (
	leaseHeld = ` WHERE school_id = $1 AND id = $2 AND state = 'leased' AND attempts = $3 AND run_at = $4`

	completeJob   = `DELETE FROM jobs` + leaseHeld
	rescheduleJob = `UPDATE jobs SET state = 'waiting', run_at = $5, last_error = $6` + leaseHeld
	deferJob      = `UPDATE jobs SET state = 'waiting', attempts = attempts - 1, run_at = $5, last_error = $6` + leaseHeld
	markJobDead   = `UPDATE jobs SET state = 'dead', last_error = $5` + leaseHeld
)

// Complete implements ports.Queue.
func (r queue) Complete(ctx context.Context, j job.Job) error {
	return r.finish(ctx, completeJob, j)
}

// Reschedule implements ports.Queue.
func (r queue) Reschedule(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return r.finish(ctx, rescheduleJob, j, until, job.SanitizeError(cause))
}

// Defer implements ports.Queue.
func (r queue) Defer(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return r.finish(ctx, deferJob, j, until, job.SanitizeError(cause))
}

// MarkDead implements ports.Queue.
func (r queue) MarkDead(ctx context.Context, j job.Job, cause string) error {
	return r.finish(ctx, markJobDead, j, job.SanitizeError(cause))
}

// finish runs a statement on a leased job. It returns NotFound if the lease was lost.
func (r queue) finish(ctx context.Context, statement string, j job.Job, args ...any) error {
	r.store.leases.End(j) // even if the lease was lost
	args = append([]any{j.School.UUID, j.ID.UUID, j.Attempts, j.RunAt}, args...)
	n, err := changeJobs(ctx, r.session, statement, args...)
	if err == nil && n == 0 {
		return fault.RecordNotFound()
	}
	return err
}

var (
	listJobs = `
		SELECT ` + jobColumns + ` FROM jobs r -- of every school
		WHERE kind = $1 AND (cardinality($2::text[]) = 0 OR state = ANY ($2::text[])) ORDER BY created_at, id`
	deadJobs = `
		SELECT ` + jobColumns + ` FROM jobs r
		WHERE school_id = $1 AND state = 'dead' AND kind = ANY ($2::text[]) ORDER BY updated_at DESC, id DESC LIMIT $3`
	countUnfinished = `
		SELECT count(*) FROM (
			SELECT FROM jobs WHERE school_id = $1 AND kind = $2 AND state <> 'dead' LIMIT $3
		) unfinished`
	releaseLeases = `
		UPDATE jobs SET run_at = $3, updated_at = $3 -- of every school
		WHERE state = 'leased' AND leased_by = $1 AND leased_in <> $2 AND run_at > $3 RETURNING kind`
	retryJob = `
		UPDATE jobs r SET state = 'waiting', attempts = 0, run_at = $2, updated_at = $2 -- of every school
		WHERE id = $1 AND kind = $3 AND (state <> 'leased' OR run_at <= $2) RETURNING ` + jobColumns
)

// ReleaseOwnLeases implements ports.Queue.
func (r queue) ReleaseOwnLeases(ctx context.Context, now time.Time) (int, error) {
	kinds, err := r.DB.RunAlone(ctx, releaseLeases, now)
	if err != nil {
		return 0, pgdb.Translate(ctx, err)
	}
	r.DB.Notify(kinds...)
	return len(kinds), nil
}

// List implements ports.Queue.
func (r queue) List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error) {
	return r.jobs(ctx, listJobs, string(kind), idArray(states))
}

// Dead implements ports.Queue.
func (r queue) Dead(ctx context.Context, of school.ID, kinds []job.Kind, limit int) ([]job.Job, error) {
	return r.jobs(ctx, deadJobs, of.UUID, pq.Array(kinds), limit)
}

// CountUnfinished implements ports.Queue.
func (r queue) CountUnfinished(ctx context.Context, of school.ID, kind job.Kind, limit int) (n int, err error) {
	return n, r.GetRow(ctx, &n, countUnfinished, of.UUID, string(kind), limit)
}

// Retry implements ports.Queue.
func (r queue) Retry(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error {
	var row jobRow
	if err := r.GetRow(ctx, &row, retryJob, id.UUID, now, string(kind)); err != nil {
		return pgdb.Missing(err)
	}
	r.DB.Notify(kind)
	return nil
}

const deleteDeadJobs = `
	DELETE FROM jobs WHERE id IN (
		SELECT id FROM jobs -- of every school
		WHERE kind = $1 AND state = 'dead' AND updated_at <= $2 LIMIT $3 FOR UPDATE SKIP LOCKED
	)`

// DeleteDead implements ports.Queue.
func (r queue) DeleteDead(ctx context.Context, kind job.Kind, before time.Time, limit int) (int, error) {
	return r.Exec(ctx, deleteDeadJobs, string(kind), before, limit)
}

const countJobs = `
	SELECT kind, state, count(*) AS jobs, min(run_at) AS run_at FROM jobs -- of every school
	GROUP BY kind, state ORDER BY kind COLLATE "C", state COLLATE "C"`

type backlogRow struct {
	Kind  string    `db:"kind"`
	State string    `db:"state"`
	Jobs  int64     `db:"jobs"`
	RunAt time.Time `db:"run_at"`
}

func (r backlogRow) backlog() (ports.Backlog, error) {
	state, ok := job.ParseState(r.State)
	if !ok {
		return ports.Backlog{}, fmt.Errorf("postgres: a job has the unknown state %q", r.State)
	}
	return ports.Backlog{Kind: job.Kind(r.Kind), State: state, Jobs: r.Jobs, RunAt: r.RunAt.UTC()}, nil
}

// Backlog implements ports.Queue.
func (r queue) Backlog(ctx context.Context) ([]ports.Backlog, error) {
	return getAll(ctx, r.session, backlogRow.backlog, countJobs)
}

// Subscribe implements ports.Queue.
func (r queue) Subscribe(ctx context.Context, kind job.Kind) <-chan struct{} {
	return r.DB.Subscribe(ctx, kind)
}

// A floor is computed again after floorAge. It is at least floorMargin before the time at which it is
// computed, because transactions add jobs that have been due since before their commit. A job that has
// been due for longer when it is added by another server is found after floorAge.
const (
	floorAge    = 5 * time.Second
	floorMargin = 5 * time.Second
)

const earliestJob = `
	SELECT LEAST($2::timestamptz, (
		SELECT run_at FROM jobs WHERE kind = $1 AND state <> 'dead' ORDER BY kind, run_at LIMIT 1 -- of every school
	))`

// floor returns a time before which no job of the kind can run. Leases do not read the index entries
// before it: PostgreSQL keeps those of finished jobs as long as it runs a transaction that began
// earlier, such as an export that a client reads slowly.
func (r queue) floor(ctx context.Context, kind job.Kind, now time.Time) (time.Time, error) {
	if at, ok := r.store.floors.get(kind, now); ok {
		return at, nil
	}
	var at time.Time
	if err := r.GetRow(ctx, &at, earliestJob, string(kind), now.Add(-floorMargin)); err != nil {
		return time.Time{}, err
	}
	r.store.floors.set(kind, at, now)
	return at, nil
}

// floors contains the floors of the kinds of jobs.
type floors struct {
	mu sync.Mutex // guards of
	of map[job.Kind]floor
}

type floor struct{ at, computed time.Time }

// get returns the floor of the kind, unless it must be computed again.
func (f *floors) get(kind job.Kind, now time.Time) (time.Time, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	found, ok := f.of[kind]
	age := now.Sub(found.computed)
	return found.at, ok && age >= 0 && age < floorAge
}

func (f *floors) set(kind job.Kind, at, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil {
		f.of = map[job.Kind]floor{}
	}
	f.of[kind] = floor{at, now}
}

// include lowers the floor of the kind for a job that this server adds.
func (f *floors) include(kind job.Kind, runAt time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if found, ok := f.of[kind]; ok && runAt.Before(found.at) {
		f.of[kind] = floor{runAt, found.computed}
	}
}

// turns contains, for each kind, the school whose job this server leased last. On each server,
// schools take turns independently of the other servers. This is also fair across all servers.
type turns struct {
	mu     sync.Mutex // guards served
	served map[job.Kind]school.ID
}

// last returns the school that was served last, or the zero ID at the start of a round.
func (t *turns) last(kind job.Kind) school.ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.served[kind]
}

func (t *turns) set(kind job.Kind, served school.ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.served == nil {
		t.served = map[job.Kind]school.ID{}
	}
	t.served[kind] = served
}
