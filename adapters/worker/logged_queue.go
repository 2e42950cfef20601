package worker

import (
	"context"
	"log/slog"
	"time"

	"lyceum/domain/job"
	"lyceum/ports"
)

// LoggedQueue is a queue that logs failed jobs: a warning for a job that is rescheduled, an error
// for a job that is marked dead. Only the command "lyceum jobs list" shows the cause, because it may
// quote another program, such as a mail server, and so contain personal data, which must not be
// logged.
type LoggedQueue struct {
	ports.Queue
	log *slog.Logger
}

// NewLoggedQueue returns a queue that wraps queue and logs failed jobs to log.
func NewLoggedQueue(queue ports.Queue, log *slog.Logger) LoggedQueue { return LoggedQueue{queue, log} }

// Reschedule implements ports.Queue and logs the job.
func (q LoggedQueue) Reschedule(ctx context.Context, j job.Job, until time.Time, cause string) error {
	err := q.Queue.Reschedule(ctx, j, until, cause)
	if err == nil {
		q.log.Warn("job failed, will be retried", append(jobAttrs(j), slog.Time("until", until))...)
	}
	return err
}

// MarkDead implements ports.Queue and logs the job.
func (q LoggedQueue) MarkDead(ctx context.Context, j job.Job, cause string) error {
	err := q.Queue.MarkDead(ctx, j, cause)
	if err == nil {
		q.log.Error("job failed permanently", jobAttrs(j)...)
	}
	return err
}

func jobAttrs(j job.Job) []any {
	return []any{
		slog.String("work", string(j.Kind)), slog.String("job", j.ID.String()), slog.String("school_id", j.School.String()),
		slog.Int("attempts", j.Attempts),
	}
}
