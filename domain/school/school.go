// Package school defines the tenant: the school, its authentication method and its API keys.
package school

import (
	"strings"
	"time"

	"github.com/google/uuid"
	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// ID identifies a school.
type ID struct{ uuid.UUID }

// School is an online school. It is the tenant to which all other records belong.
type School struct{ s State }

// State is the plain record of a school.
type State struct {
	ID                   ID
	Name                 string
	Slug                 string // unique on the server; identifies the school in addresses
	Auth                 AuthMethod
	Entry                Entry
	Properties           property.Values
	SuspendedAt          time.Time // zero: active
	CreatedAt, UpdatedAt time.Time
}

// Summary is a school as it appears in documents.
type Summary struct {
	State
	Defined []string // names of the properties that the school has defined for itself, sorted
}

// New returns a school. The name must satisfy text.Name and must not be a UUID. The slug is the
// first of Slugs. A zero auth becomes Preregistration.
func New(id ID, name string, auth AuthMethod, now time.Time) (School, error) {
	name, err := checkName(name)
	if err != nil {
		return School{}, err
	}
	if auth.IsZero() {
		auth = Preregistration
	}
	return School{State{ID: id, Name: name, Slug: firstSlug(name), Auth: auth, CreatedAt: now, UpdatedAt: now}}, nil
}

// checkName returns the name without surrounding white space. A UUID is Invalid, because operators
// refer to a school by its ID or its name.
func checkName(name string) (string, error) {
	name, err := text.Name("name", name)
	if _, isID := text.UUID(name); isID {
		return "", fault.Invalidf("name", "must not be a UUID")
	}
	return name, err
}

// SameName reports whether two names of schools count as equal. They may differ in case and in the
// white space between words.
func SameName(a, b string) bool { return NameKey(a) == NameKey(b) }

// NameKey returns the form of a name that SameName compares. Stores lock it.
func NameKey(name string) string { return text.UniqueKey(strings.Join(strings.Fields(name), " ")) }

// Restore returns the school that a store saved as s.
func Restore(s State) School { return School{s} }

// State returns the school's record.
func (s School) State() State { return s.s }

// CheckLearnerCreation calls CheckLearnerCreation of the school's authentication method.
func (s School) CheckLearnerCreation() error { return s.s.Auth.CheckLearnerCreation() }
