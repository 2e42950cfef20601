package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
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
		return job.Job{}, corrupt("jobs", r.ID, fmt.Errorf("no state %q", r.State))
	}
	return job.Job{
		ID: job.ID{UUID: r.ID}, School: school.ID{UUID: r.School}, Kind: job.Kind(r.Kind), Payload: r.Payload,
		State: state, Attempts: r.Attempts, RunAt: r.RunAt.UTC(), LastError: r.LastError,
		CreatedAt: r.CreatedAt.UTC(), UpdatedAt: r.UpdatedAt.UTC(),
	}, nil
}

type jobRepo struct{ *session }

const addJob = `
	INSERT INTO jobs (school_id, id, kind, payload, state, attempts, run_at, last_error, created_at, updated_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

// Add keeps a new job, which workers hear of once the transaction is committed.
func (c jobRepo) Add(ctx context.Context, j job.Job) error {
	if j.School.UUID != c.school {
		return fmt.Errorf("postgres: job %s is of another school than the transaction", j.ID)
	}
	_, err := c.exec(ctx, addJob, c.school, j.ID.UUID, string(j.Kind), j.Payload, j.State.String(),
		j.Attempts, j.RunAt, j.LastError, j.CreatedAt, j.UpdatedAt)
	if err == nil {
		c.tx.added = append(c.tx.added, j.Kind)
	}
	return err
}
