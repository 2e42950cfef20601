package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"
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

// What others are about to lease is skipped. Who gets a row after another has
// leased it sees that it is no longer due: the condition is looked at again once
// the row is locked.
const leaseJobs = `
	WITH due AS MATERIALIZED (
		SELECT id, run_at AS since FROM jobs
		WHERE kind = $1 AND state <> 'dead' AND run_at <= $3
		ORDER BY run_at, id LIMIT $2 FOR UPDATE SKIP LOCKED
	),
	leased AS (
		UPDATE jobs SET state = 'leased', attempts = attempts + 1, run_at = $4, updated_at = $3
		WHERE id = ANY (ARRAY (SELECT id FROM due))
		RETURNING ` + jobColumns + `
	)
	SELECT leased.* FROM leased JOIN due USING (id) ORDER BY due.since, id`

// Lease hands out up to n jobs of the kind that may run now.
func (c queue) Lease(ctx context.Context, kind job.Kind, n int, now, until time.Time) ([]job.Job, error) {
	return c.jobs(ctx, leaseJobs, string(kind), max(n, 0), now, until)
}

func (c queue) jobs(ctx context.Context, statement string, args ...any) ([]job.Job, error) {
	var rows []jobRow
	if err := c.all(ctx, &rows, statement, args...); err != nil {
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

// Bury makes a leased job dead.
func (c queue) Bury(ctx context.Context, j job.Job, cause string) error {
	return c.settle(ctx, buryJob, j, job.Cause(cause))
}

func (c queue) settle(ctx context.Context, statement string, j job.Job, args ...any) error {
	args = append([]any{j.School.UUID, j.ID.UUID, j.Attempts, j.RunAt}, args...)
	n, err := c.exec(ctx, statement, args...)
	if err == nil && n == 0 {
		return fault.Missing()
	}
	return err
}

const (
	listJobs = `
		SELECT ` + jobColumns + ` FROM jobs
		WHERE kind = $1 AND (cardinality($2::text[]) = 0 OR state = ANY ($2::text[])) ORDER BY created_at, id`
	reviveJob = `
		UPDATE jobs SET state = 'waiting', attempts = 0, run_at = $2, updated_at = $2
		WHERE id = $1 AND kind = $3 AND (state <> 'leased' OR run_at <= $2) RETURNING ` + jobColumns
)

// List returns the jobs of the kind.
func (c queue) List(ctx context.Context, kind job.Kind, states ...job.State) ([]job.Job, error) {
	return c.jobs(ctx, listJobs, string(kind), pq.Array(idStrings(states)))
}

// Revive lets a job run now and wakes workers.
func (c queue) Revive(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error {
	var row jobRow
	if err := c.get(ctx, &row, reviveJob, id.UUID, now, string(kind)); err != nil {
		return missing(err)
	}
	c.store.db.herald.tell(job.Kind(row.Kind))
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
	if err := c.all(ctx, &rows, countJobs); err != nil {
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
	return c.store.db.bell.ear(ctx, kind)
}
