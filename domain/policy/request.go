package policy

import (
	"time"

	"lyceum/domain/school"
)

// Request is what each decision contains about the request.
type Request struct {
	By Actor
	// At is the time of the request. An import brings events, answers, completions, attempts and
	// redemptions that have already happened; At is when they did.
	At time.Time
	// Past means that an import brings what has already happened.
	Past bool
	// School is loaded if a rule needs School, and always on creation and invitation of a person.
	School school.State
}

// Actor is on whose behalf a request is carried out.
type Actor struct {
	// Key is zero for what no client does directly: commands of the operator, and the rows of bulk
	// requests, which jobs apply.
	Key   school.KeyID
	Scope school.Scope
}

// When returns r about what has already happened at an earlier time.
func (r Request) When(at time.Time) Request {
	r.At, r.Past = at, true
	return r
}
