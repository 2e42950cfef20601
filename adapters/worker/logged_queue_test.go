package worker_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/adapters/worker"
	"lyceum/domain/fault"
	"lyceum/domain/job"
	"lyceum/domain/school"
	"lyceum/ports"
)

// jobStore is a queue whose methods return err.
type jobStore struct {
	ports.Queue
	err error
}

func (s jobStore) Reschedule(context.Context, job.Job, time.Time, string) error { return s.err }

func (s jobStore) MarkDead(context.Context, job.Job, string) error { return s.err }

func TestFailedJobIsLogged(t *testing.T) {
	var written bytes.Buffer
	log := slog.New(slog.NewTextHandler(&written, nil))
	j := job.Job{
		ID: job.ID{UUID: uuid.UUID{1}}, School: school.ID{UUID: uuid.UUID{2}}, Kind: "discard", Attempts: 3,
	}
	about := ` work=discard job=` + j.ID.String() + ` school_id=` + j.School.String() + ` attempts=3`
	until := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	kept, lost := worker.NewLoggedQueue(jobStore{}, log), worker.NewLoggedQueue(jobStore{err: fault.RecordNotFound()}, log)
	for name, tt := range map[string]struct {
		do   func(q worker.LoggedQueue) error
		want string
	}{
		"rescheduled": {
			func(q worker.LoggedQueue) error { return q.Reschedule(t.Context(), j, until, "disk is full") },
			`level=WARN msg="job failed, will be retried"` + about + " until=2026-01-02T03:04:05.000Z\n",
		},
		"given up": {
			func(q worker.LoggedQueue) error { return q.MarkDead(t.Context(), j, "disk is full") },
			`level=ERROR msg="job failed permanently"` + about + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			written.Reset()
			is.NoErr(tt.do(kept))
			is.True(strings.HasSuffix(written.String(), tt.want))
			written.Reset()
			is.True(fault.Is(tt.do(lost), fault.NotFound)) // another worker has the job and logs its outcome
			is.Equal(written.String(), "")
		})
	}
}
