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

// shelf is a queue to which jobs are given back with the answer err.
type shelf struct {
	ports.Queue
	err error
}

func (s shelf) Postpone(context.Context, job.Job, time.Time, string) error { return s.err }

func (s shelf) Bury(context.Context, job.Job, string) error { return s.err }

func TestAJobThatFailsIsInTheJournal(t *testing.T) {
	var written bytes.Buffer
	log := slog.New(slog.NewTextHandler(&written, nil))
	j := job.Job{
		ID: job.ID{UUID: uuid.UUID{1}}, School: school.ID{UUID: uuid.UUID{2}}, Kind: "discard", Attempts: 3,
	}
	about := ` work=discard job=` + j.ID.String() + ` school_id=` + j.School.String() + ` attempts=3`
	until := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	kept, lost := worker.Keep(shelf{}, log), worker.Keep(shelf{err: fault.Missing()}, log)
	for name, tt := range map[string]struct {
		do   func(q worker.Journal) error
		want string
	}{
		"put off": {
			func(q worker.Journal) error { return q.Postpone(t.Context(), j, until, "disk is full") },
			`level=WARN msg="a job failed and is put off"` + about + " until=2026-01-02T03:04:05.000Z\n",
		},
		"given up": {
			func(q worker.Journal) error { return q.Bury(t.Context(), j, "disk is full") },
			`level=ERROR msg="a job failed and is given up"` + about + "\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			written.Reset()
			is.NoErr(tt.do(kept))
			is.True(strings.HasSuffix(written.String(), tt.want))
			written.Reset()
			is.True(fault.Is(tt.do(lost), fault.NotFound)) // somebody else has the job, and tells
			is.Equal(written.String(), "")
		})
	}
}
