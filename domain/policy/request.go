package policy

import (
	"time"

	"lyceum/domain/school"
)

// Request is the part of every decision that describes the request.
type Request struct {
	By Actor
	// At is the time of the request. For an event, answer, completion, attempt or redemption that
	// is imported, it is the original time.
	At time.Time
	// Past means that the decision is about something that has already happened, which an import
	// adds.
	Past bool
	// School is loaded if a rule needs School, and always when a person is created or invited.
	School school.State
}

// Actor identifies the caller on whose behalf a request is executed.
type Actor struct {
	// Key is zero for work that no API request does: operator commands. The rows of a bulk request,
	// which jobs apply, have the key of the request, even if it was revoked in the meantime.
	Key   school.KeyID
	Scope school.Scope
}

// When returns r for something that happened at an earlier time.
func (r Request) When(at time.Time) Request {
	r.At, r.Past = at, true
	return r
}
