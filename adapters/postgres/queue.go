package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.Queue = queue{}

// queue stands on a session of no school.
type queue struct{ *session }

// Queue returns the jobs of all schools.
func (s *Store) Queue() ports.Queue { return queue{s.session(school.ID{})} }

const jobColumns = `id, school_id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at`

// leaseJob leases the job of the next school in the order of their ids, after
// school $4, that has one which is due. It walks from school to school along the
// index jobs_due_by_school, one probe each unless nothing is due at all, and stops at the first school with a
// job that no other transaction has locked. The lock looks at the condition
// again, so a job that was leased in the meantime is not due any longer.
const leaseJob = `
	WITH RECURSIVE turns AS (
		(
			SELECT school_id, run_at FROM jobs
			WHERE kind = $1 AND state <> 'dead' AND school_id > $4
				AND (SELECT run_at FROM jobs WHERE kind = $1 AND state <> 'dead' ORDER BY kind, run_at LIMIT 1) <= $2
			ORDER BY kind, school_id, run_at LIMIT 1
		)
		UNION ALL
		SELECT next.school_id, next.run_at FROM turns, LATERAL (
			SELECT school_id, run_at FROM jobs
			WHERE kind = $1 AND state <> 'dead' AND school_id > turns.school_id
			ORDER BY kind, school_id, run_at LIMIT 1
		) next
	),
	due AS MATERIALIZED (
		SELECT first.id FROM turns, LATERAL (
			SELECT id FROM jobs
			WHERE kind = $1 AND state <> 'dead' AND school_id = turns.school_id AND run_at <= $2
			ORDER BY run_at, id LIMIT 1 FOR UPDATE SKIP LOCKED
		) first
		WHERE turns.run_at <= $2 LIMIT 1
	)
	UPDATE jobs SET state = 'leased', attempts = attempts + 1, run_at = $3, updated_at = $2,
		leased_by = $5, leased_in = $6
	WHERE id = ANY (ARRAY (SELECT id FROM due))
	RETURNING ` + jobColumns

// Lease implements ports.Queue. Jobs that were leased before a statement failed
// are returned: nobody else gets them until their leases end.
func (c queue) Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error) {
	var leased []job.Job
	for len(leased) < n {
		after := c.store.turns.last(kind)
		name, run := c.DB.Presence.Lessee()
		found, err := c.jobs(ctx, leaseJob, string(kind), now, until, after.UUID, name, run)
		switch {
		case err != nil && len(leased) > 0:
			return leased, nil
		case err != nil:
			return nil, err
		case len(found) > 0:
			c.store.turns.set(kind, found[0].School)
			leased = append(leased, found...)
		case after == (school.ID{}):
			return leased, nil
		default:
			c.store.turns.set(kind, school.ID{}) // the next round begins
		}
	}
	return leased, nil
}

func (c queue) jobs(ctx context.Context, statement string, args ...any) ([]job.Job, error) {
	var rows []jobRow
	if err := c.SelectRows(ctx, &rows, statement, args...); err != nil {
		return nil, err
	}
	found := make([]job.Job, len(rows))
	for i, r := range rows {
		j, err := r.job()
		if err != nil {
			return nil, err
		}
		found[i] = j
	}
	return found, nil
}

// A lease is known by its number and its end: another one of the same job, even
// after Revive has set the number back, differs in either.
const (
	holding = ` WHERE school_id = $1 AND id = $2 AND state = 'leased' AND attempts = $3 AND run_at = $4`

	finishJob   = `DELETE FROM jobs` + holding
	postponeJob = `UPDATE jobs SET state = 'waiting', run_at = $5, last_error = $6` + holding
	holdJob     = `UPDATE jobs SET state = 'waiting', attempts = attempts - 1, run_at = $5, last_error = $6` + holding
	buryJob     = `UPDATE jobs SET state = 'dead', last_error = $5` + holding
)

// Finish forgets a leased job.
func (c queue) Finish(ctx context.Context, j job.Job) error {
	return c.settle(ctx, finishJob, j)
}

// Postpone gives a leased job back.
func (c queue) Postpone(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return c.settle(ctx, postponeJob, j, until, job.Cause(cause))
}

// Hold implements ports.Queue.
func (c queue) Hold(ctx context.Context, j job.Job, until time.Time, cause string) error {
	return c.settle(ctx, holdJob, j, until, job.Cause(cause))
}

// Bury makes a leased job dead.
func (c queue) Bury(ctx context.Context, j job.Job, cause string) error {
	return c.settle(ctx, buryJob, j, job.Cause(cause))
}

func (c queue) settle(ctx context.Context, statement string, j job.Job, args ...any) error {
	args = append([]any{j.School.UUID, j.ID.UUID, j.Attempts, j.RunAt}, args...)
	n, err := c.Exec(ctx, statement, args...)
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}

const (
	listJobs = `
		SELECT ` + jobColumns + ` FROM jobs
		WHERE kind = $1 AND (cardinality($2::text[]) = 0 OR state = ANY ($2::text[])) ORDER BY created_at, id`
	takeBackLeases = `
		UPDATE jobs SET run_at = $3, updated_at = $3 -- of every school
		WHERE state = 'leased' AND leased_by = $1 AND leased_in <> $2 AND run_at > $3 RETURNING kind`
	reviveJob = `
		UPDATE jobs SET state = 'waiting', attempts = 0, run_at = $2, updated_at = $2
		WHERE id = $1 AND kind = $3 AND (state <> 'leased' OR run_at <= $2) RETURNING ` + jobColumns
)

// TakeBack implements ports.Queue.
func (c queue) TakeBack(ctx context.Context, now time.Time) (int, error) {
	if c.DB.Presence == nil {
		return 0, pgdb.Translate(ctx, ctx.Err())
	}
	kinds, err := c.DB.Presence.RunAlone(ctx, takeBackLeases, now)
	if err != nil {
		return 0, pgdb.Translate(ctx, err)
	}
	c.DB.Notifier.Notify(kinds...)
	return len(kinds), nil
}

// List returns the jobs of the kind.
func (c queue) List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error) {
	return c.jobs(ctx, listJobs, string(kind), pq.Array(pgdb.IDStrings(states)))
}

// Revive lets a job run now and wakes workers.
func (c queue) Revive(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error {
	var row jobRow
	if err := c.GetRow(ctx, &row, reviveJob, id.UUID, now, string(kind)); err != nil {
		return pgdb.Missing(err)
	}
	c.DB.Notifier.Notify(job.Kind(row.Kind))
	return nil
}

const countJobs = `
	SELECT kind, state, count(*) AS jobs, min(run_at) AS run_at FROM jobs -- of every school
	GROUP BY kind, state ORDER BY kind COLLATE "C", state COLLATE "C"`

// Backlog counts the jobs of all schools.
func (c queue) Backlog(ctx context.Context) ([]ports.Backlog, error) {
	var rows []struct {
		Kind  string    `db:"kind"`
		State string    `db:"state"`
		Jobs  int64     `db:"jobs"`
		RunAt time.Time `db:"run_at"`
	}
	if err := c.SelectRows(ctx, &rows, countJobs); err != nil {
		return nil, err
	}
	all := make([]ports.Backlog, len(rows))
	for i, r := range rows {
		state, ok := job.ParseState(r.State)
		if !ok {
			return nil, fmt.Errorf("postgres: a job has the unknown state %q", r.State)
		}
		all[i] = ports.Backlog{Kind: job.Kind(r.Kind), State: state, Jobs: r.Jobs, RunAt: r.RunAt.UTC()}
	}
	return all, nil
}

// Wake returns a channel that gets a value when there may be work.
func (c queue) Wake(ctx context.Context, kind job.Kind) <-chan struct{} {
	return c.DB.Listener.Subscribe(ctx, kind)
}
