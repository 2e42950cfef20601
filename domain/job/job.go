// Package job defines background jobs, such as the delivery of an invitation email or a part of a
// bulk request. A job waits until it is due and is then leased to one worker. Afterwards it is
// complete and deleted, is rescheduled, or is marked dead after too many failures. An operator can
// retry a dead job.
package job

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/school"
)

// ID identifies a job. It is the same in every attempt, so that repeated deliveries can be
// recognized.
type ID struct{ uuid.UUID }

// Kind names the kind of a job. It determines the handler.
type Kind string

// Job is a unit of background work of one school.
type Job struct {
	ID        ID
	School    school.ID
	Kind      Kind
	Payload   string // input of the handler, in a format that the handler defines
	State     State
	Attempts  int       // number of leases since the job was added or retried
	RunAt     time.Time // earliest start of a waiting job; end of the lease of a leased job
	LastError string    // why the last attempt failed; blank: no failure
	CreatedAt time.Time
	UpdatedAt time.Time
}

// New returns a job of school s that can run immediately.
func New(id ID, s school.ID, kind Kind, payload string, now time.Time) Job {
	return Job{
		ID: id, School: s, Kind: kind, Payload: payload, State: Waiting, RunAt: now, CreatedAt: now, UpdatedAt: now,
	}
}

// SanitizeError returns why as valid UTF-8 without NUL, for LastError. Error messages of other
// programs may contain NUL or invalid UTF-8.
func SanitizeError(why string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(why, "\uFFFD"), "\x00", "\uFFFD")
}

// State is the state of a job.
type State struct{ name string }

// The states of a job.
var (
	Waiting = State{"waiting"} // may run from RunAt on
	Leased  = State{"leased"}  // a worker runs it; it may be leased again when the lease expires
	Dead    = State{"dead"}    // failed too often; an operator may retry it
)

// ParseState returns the state with the given name and reports whether there is one.
func ParseState(name string) (State, bool) {
	for _, s := range []State{Waiting, Leased, Dead} {
		if s.name == name {
			return s, true
		}
	}
	return State{}, false
}

// String returns the state's name.
func (s State) String() string { return s.name }
