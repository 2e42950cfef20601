package policy

import (
	"time"

	"lyceum/domain/person"
	"lyceum/domain/school"
)

// Request is the part of every decision that describes the request.
type Request struct {
	By Actor
	// At is the time of the request. For an event, answer, completion, attempt or redemption that
	// is imported, it is the original time.
	At time.Time
	// Past is true if the request imports something that has already happened.
	Past bool
	// School is loaded if a rule needs School, and always when a person is created or invited.
	School school.State
}

// Actor identifies the caller on whose behalf a request is executed.
type Actor struct {
	// Key is zero for learners, the staff and operator commands. Each row of a bulk request has
	// the key of the request, even if the key was revoked before a job applied the row.
	Key   school.KeyID
	Scope school.Scope
	// Learner is the caller if the caller is a learner with a token or a session; otherwise zero.
	Learner person.ID
	// Staff is the caller if the caller is a person of the staff with a session; otherwise zero. Each
	// row of an import in the teaching app has the person who sent the import.
	Staff person.ID
}

// When returns r for an import of something that happened at the given time.
func (r Request) When(at time.Time) Request {
	r.At, r.Past = at, true
	return r
}
