package job_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/job"
	"lyceum/domain/school"
)

func TestNew(t *testing.T) {
	is := is.New(t)
	id, s := job.ID{UUID: uuid.New()}, school.ID{UUID: uuid.New()}
	is.Equal(job.New(id, s, "letter", "to ada", now), job.Job{
		ID: id, School: s, Kind: "letter", Payload: "to ada", State: job.Waiting,
		RunAt: now, CreatedAt: now, UpdatedAt: now,
	})
}

func TestParseState(t *testing.T) {
	for _, s := range []job.State{job.Waiting, job.Leased, job.Dead} {
		is := is.New(t)
		got, ok := job.ParseState(s.String())
		is.True(ok)
		is.Equal(got, s)
	}
	_, ok := job.ParseState("asleep")
	is.New(t).True(!ok)
}

func TestSanitizeError(t *testing.T) {
	is := is.New(t)
	is.Equal(job.SanitizeError("550 no \x00 such \xff user"), "550 no \uFFFD such \uFFFD user")
	is.Equal(job.SanitizeError("späte Antwort"), "späte Antwort")
}
