// Package school is the tenant: the school itself, how its learners sign in,
// and the API keys that open it.
package school

import (
	"time"

	"github.com/google/uuid"
	"lyceum/domain/text"
)

// ID identifies a school.
type ID struct{ uuid.UUID }

// School is an online school, the tenant to which everything else belongs.
type School struct{ s State }

// State is the plain record of a school.
type State struct {
	ID                   ID
	Name                 string
	Auth                 AuthMethod
	CreatedAt, UpdatedAt time.Time
}

// New returns a school called name whose people sign in by auth,
// Preregistration when that is zero. The name obeys text.Name.
func New(id ID, name string, auth AuthMethod, now time.Time) (School, error) {
	name, err := text.Name("name", name)
	if err != nil {
		return School{}, err
	}
	if auth.IsZero() {
		auth = Preregistration
	}
	return School{State{ID: id, Name: name, Auth: auth, CreatedAt: now, UpdatedAt: now}}, nil
}

// Restore returns the school that a store kept as s.
func Restore(s State) School { return School{s} }

// State returns the school's record.
func (s School) State() State { return s.s }

// CheckLearnerCreation is CheckLearnerCreation of the authentication method.
func (s School) CheckLearnerCreation() error { return s.s.Auth.CheckLearnerCreation() }
