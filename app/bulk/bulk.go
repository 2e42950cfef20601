package bulk

import (
	"context"
	"time"

	"lyceum/app/usecase"
	"lyceum/domain/audit"
	"lyceum/domain/bulk"
	"lyceum/domain/change"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/ports"
)

// Bulk accepts bulk requests and applies their parts in jobs.
type Bulk struct {
	deps     usecase.Deps
	queue    ports.Queue
	onDefect func(context.Context, Defect)

	retention time.Duration // of finished bulk jobs
}

// Retention is how long finished bulk jobs are kept if the operator configures no other time.
const Retention = 90 * 24 * time.Hour

// sweepBatch is how many bulk jobs are deleted at a time. Each may have 150 parts and more.
const sweepBatch = 20

// maxUnfinished is the number of unfinished parts from which a school's requests are refused. A
// request has about a hundred parts, and workers apply some hundred rows per second. Without a limit, a
// client could send rows much faster than they are applied, and fill the memory or the disk.
const maxUnfinished = 1000

// KeepFor sets how long finished bulk jobs are kept; 0: until their school is deleted. It must be
// called before Sweep.
func (u *Bulk) KeepFor(d time.Duration) { u.retention = d }

// Sweep deletes bulk jobs of all schools that were finished longer ago than the configured time.
// more reports whether there may be further ones.
func (u *Bulk) Sweep(ctx context.Context) (more bool, err error) {
	if u.retention == 0 {
		return false, nil
	}
	n, err := u.deps.Schools.DeleteExpiredBulkJobs(ctx, u.deps.Clock.Now().Add(-u.retention), sweepBatch)
	return n == sweepBatch, err
}

// Defect is an error other than a fault that made a row fail, such as the panic of a rule. The
// client sees only fault.DefectDetail.
type Defect struct {
	Job job.Job // job that applied the row
	Row int     // 0-based, in the request
	Err error
}

// New returns a Bulk whose jobs are in queue.
func New(d usecase.Deps, queue ports.Queue) *Bulk {
	return &Bulk{d, queue, func(context.Context, Defect) {}, Retention}
}

// OnDefect makes ApplyNext call log for each row that failed because of a defect. It must be called
// before any use case.
func (u *Bulk) OnDefect(log func(context.Context, Defect)) { u.onDefect = log }

// CheckBacklog returns Unavailable if many parts of earlier requests of the school are not finished.
// It takes much less time than reading the rows of a request.
func (u *Bulk) CheckBacklog(ctx context.Context, a usecase.Actor) error {
	waiting, err := u.queue.CountUnfinished(ctx, a.School(), bulk.JobKind, maxUnfinished)
	if err == nil && waiting >= maxUnfinished {
		err = fault.Unavailablef("Too many rows of earlier bulk requests are waiting. Try again later")
	}
	return err
}

// Accept saves a request with the given rows and returns its bulk job. Jobs apply or refuse the
// rows later. If the school uses URL authentication, Accept refuses a request about people. It
// returns the error of CheckBacklog.
func (u *Bulk) Accept(ctx context.Context, a usecase.Actor, kind bulk.Kind, rows []bulk.Row) (bulk.Job, error) {
	if err := u.CheckBacklog(ctx, a); err != nil {
		return bulk.Job{}, err
	}
	now := u.deps.Clock.Now()
	accepted, err := bulk.New(bulk.ID{UUID: u.deps.IDs.New()}, kind, usecase.RequestOf(a, now).By, len(rows), now)
	if err != nil {
		return bulk.Job{}, err
	}
	parts := bulk.Parts(accepted, rows, u.deps.IDs.New)
	jobs := make([]job.Job, len(parts))
	for i, p := range parts {
		jobs[i] = job.New(job.ID{UUID: u.deps.IDs.New()}, a.School(), bulk.JobKind, p.ID.String(), now)
	}
	err = u.deps.InTx(ctx, a, func(ctx context.Context, tx ports.Tx) error {
		s, err := tx.School.Get(ctx)
		if err != nil {
			return err
		}
		if kind == bulk.People {
			if err := s.CheckLearnerCreation(); err != nil {
				return err
			}
		}
		if err := tx.Bulk.Add(ctx, accepted, parts); err != nil {
			return err
		}
		if err := tx.Audit.Add(ctx, audit.Created, change.Record{Type: bulk.Type, ID: accepted.ID.String()}); err != nil {
			return err
		}
		return tx.Jobs.Add(ctx, jobs...)
	})
	return accepted, err
}

func (u *Bulk) Get(ctx context.Context, a usecase.Actor, id bulk.ID) (bulk.Job, error) {
	return u.deps.Read(a).Bulk.Get(ctx, id)
}
