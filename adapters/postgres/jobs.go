package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"lyceum/adapters/postgres/listsql"
	"lyceum/adapters/postgres/pgdb"
	"lyceum/domain/fault"
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

var jobColumns = listsql.RowColumns[jobRow]()

type jobRepo struct{ *session }

var jobTable = newTable("jobs", []column[job.Job]{
	{"id", "uuid", func(j job.Job) any { return j.ID.UUID }},
	{"kind", "text", func(j job.Job) any { return string(j.Kind) }},
	{"payload", "text", func(j job.Job) any { return j.Payload }},
	{"state", "text", func(j job.Job) any { return j.State.String() }},
	{"attempts", "integer", func(j job.Job) any { return j.Attempts }},
	{"run_at", "timestamptz", func(j job.Job) any { return j.RunAt }},
	{"last_error", "text", func(j job.Job) any { return j.LastError }},
	{"created_at", "timestamptz", func(j job.Job) any { return j.CreatedAt }},
	{"updated_at", "timestamptz", func(j job.Job) any { return j.UpdatedAt }},
})

const deleteJobs = `DELETE FROM jobs WHERE school_id = $1 AND kind = $2 AND payload = $3`

// Delete implements ports.JobRepo.
func (r jobRepo) Delete(ctx context.Context, kind job.Kind, payload string) error {
	_, err := changeJobs(ctx, r.session, deleteJobs, r.SchoolID, string(kind), payload)
	return err
}

const retryJobOfSchool = `
	UPDATE jobs SET state = 'waiting', attempts = 0, run_at = $3, updated_at = $3
	WHERE school_id = $1 AND id = $2 AND kind = $4 AND (state <> 'leased' OR run_at <= $3)`

// Retry implements ports.JobRepo. Workers are notified after the commit.
func (r jobRepo) Retry(ctx context.Context, kind job.Kind, id job.ID, now time.Time) error {
	n, err := changeJobs(ctx, r.session, retryJobOfSchool, r.SchoolID, id.UUID, now, string(kind))
	if err != nil {
		return err
	}
	if n == 0 {
		return fault.RecordNotFound()
	}
	r.AddedJobs(kind)
	return nil
}

// Add implements ports.JobRepo. Workers are notified after the commit.
func (r jobRepo) Add(ctx context.Context, js ...job.Job) error {
	for _, j := range js {
		if j.School.UUID != r.SchoolID {
			return fmt.Errorf("postgres: job %s belongs to a different school than the transaction", j.ID)
		}
	}
	err := r.write(ctx, jobTable.insertMany, jobTable.arrays(r.SchoolID, js)...)
	switch {
	case pq.As(err, pqerror.UniqueViolation) != nil:
		return pgdb.Unavailable(errExists)
	case err != nil:
		return err
	}
	for _, j := range js {
		r.store.floors.include(j.Kind, j.RunAt)
		r.AddedJobs(j.Kind)
	}
	return nil
}
