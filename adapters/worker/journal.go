package worker

import (
	"context"
	"log/slog"
	"time"

	"lyceum/domain/job"
	"lyceum/ports"
)

// Journal is a queue that logs what becomes of jobs that fail, of every kind in
// the same words: one that is put off is a warning, one that is given up an error.
// Why it failed stands in the operator's outbox alone: what other programs say may
// name a person, and no log does.
type Journal struct {
	ports.Queue
	log *slog.Logger
}

// Keep returns queue with a journal in log.
func Keep(queue ports.Queue, log *slog.Logger) Journal { return Journal{queue, log} }

// Postpone logs the job that is put off.
func (q Journal) Postpone(ctx context.Context, j job.Job, until time.Time, cause string) error {
	err := q.Queue.Postpone(ctx, j, until, cause)
	if err == nil {
		q.log.Warn("a job failed and is put off", append(about(j), slog.Time("until", until))...)
	}
	return err
}

// Bury logs the job that is given up.
func (q Journal) Bury(ctx context.Context, j job.Job, cause string) error {
	err := q.Queue.Bury(ctx, j, cause)
	if err == nil {
		q.log.Error("a job failed and is given up", about(j)...)
	}
	return err
}

func about(j job.Job) []any {
	return []any{
		slog.String("work", string(j.Kind)), slog.String("job", j.ID.String()), slog.String("school_id", j.School.String()),
		slog.Int("attempts", j.Attempts),
	}
}
