// Package job is work that was accepted now and is done later: an invitation to
// deliver, a bulk request to carry out.
//
// A job waits until its time has come, is leased to one worker, and is then
// forgotten (done), put off (to be tried again) or dead (tried in vain too
// often), until an operator gives it another round.
package job

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/school"
)

// ID identifies a job; it never changes, so that a delivery that is repeated can
// be recognised by it.
type ID struct{ uuid.UUID }

// Kind says which worker a job is for.
type Kind string

// Job is one piece of work of one school.
type Job struct {
	ID        ID
	School    school.ID
	Kind      Kind
	Payload   string // what the worker needs, in a form of its own
	State     State
	Attempts  int       // how often it was leased since it was added or revived
	RunAt     time.Time // a waiting job: not before; a leased one: when the lease ends
	LastError string    // why the last attempt failed; blank when none did
	CreatedAt time.Time
	UpdatedAt time.Time
}

// New returns a job of school s that may run at once.
func New(id ID, s school.ID, kind Kind, payload string, now time.Time) Job {
	return Job{
		ID: id, School: s, Kind: kind, Payload: payload, State: Waiting, RunAt: now, CreatedAt: now, UpdatedAt: now,
	}
}

// Cause returns why as a text that LastError can be: what other programs said may
// hold what is no text.
func Cause(why string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(why, "\uFFFD"), "\x00", "\uFFFD")
}

// State is where a job stands.
type State struct{ name string }

// The states of a job.
var (
	Waiting = State{"waiting"} // its time has come or will
	Leased  = State{"leased"}  // a worker has it; it waits again when the lease ends
	Dead    = State{"dead"}    // tried in vain too often; an operator may revive it
)

// ParseState returns the state called name.
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
