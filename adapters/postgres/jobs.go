package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

var _ ports.JobRepo = jobRepo{}

type jobRow struct {
	ID        uuid.UUID `db:"id"`
	School    uuid.UUID `db:"school_id"`
	Kind      string    `db:"kind"`
	Payload   string    `db:"payload"`
	State     string    `db:"state"`
	Attempts  int       `db:"attempts"`
	RunAt     time.Time `db:"run_at"`
	LastError string    `db:"last_error"`
	CreatedAt time.Time `db:"created_at"`
	UpdatedAt time.Time `db:"updated_at"`
}

func (r jobRow) job() (job.Job, error) {
	state, ok := job.ParseState(r.State)
	if !ok {
		return job.Job{}, pgdb.Corrupt("jobs", r.ID, fmt.Errorf("no state %q", r.State))
	}
	return job.Job{
		ID: job.ID{UUID: r.ID}, School: school.ID{UUID: r.School}, Kind: job.Kind(r.Kind), Payload: r.Payload,
		State: state, Attempts: r.Attempts, RunAt: r.RunAt.UTC(), LastError: r.LastError,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

type jobRepo struct{ *session }

const addJobs = `
	INSERT INTO jobs (school_id, id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at)
	SELECT $1, j.* FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::integer[],
		$7::timestamptz[], $8::text[], $9::timestamptz[], $10::timestamptz[]) j`

const removeJobs = `DELETE FROM jobs WHERE school_id = $1 AND kind = $2 AND payload = $3`

// Remove implements ports.JobRepo.
func (c jobRepo) Remove(ctx context.Context, kind job.Kind, payload string) error {
	_, err := c.Exec(ctx, removeJobs, c.SchoolID, string(kind), payload)
	return err
}

// Add keeps new jobs, which workers hear of once the transaction is committed.
func (c jobRepo) Add(ctx context.Context, js ...job.Job) error {
	n := len(js)
	ids, kinds, payloads, states := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	attempts, errs := make([]int64, n), make([]string, n)
	runs, created, updated := make([]string, n), make([]string, n), make([]string, n)
	for i, j := range js {
		if j.School.UUID != c.SchoolID {
			return fmt.Errorf("postgres: job %s is of another school than the transaction", j.ID)
		}
		ids[i], kinds[i], payloads[i], states[i] = j.ID.String(), string(j.Kind), j.Payload, j.State.String()
		attempts[i], errs[i] = int64(j.Attempts), j.LastError
		runs[i], created[i], updated[i] = pgdb.Instant(j.RunAt), pgdb.Instant(j.CreatedAt), pgdb.Instant(j.UpdatedAt)
	}
	_, err := c.Exec(ctx, addJobs, c.SchoolID, pq.Array(ids), pq.Array(kinds), pq.Array(payloads), pq.Array(states),
		pq.Array(attempts), pq.Array(runs), pq.Array(errs), pq.Array(created), pq.Array(updated))
	switch {
	case pq.As(err, pqerror.UniqueViolation) != nil:
		return pgdb.Unavailable(errKept)
	case err != nil:
		return err
	}
	for _, j := range js {
		c.AddedJobs(j.Kind)
	}
	return nil
}
