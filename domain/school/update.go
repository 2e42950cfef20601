package school

import (
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// Type is the resource type of schools in documents.
const Type = "schools"

// Changes contains new values for the attributes of a school. A nil field leaves its attribute
// unchanged.
type Changes struct {
	Name *string
	Slug *string
	Auth *AuthMethod

	PublicCovers    *bool
	AdmitsNewPeople *bool
	EntrySecret     *string // encrypted; blank: no entry links
	Provider        ProviderChanges
	RefuseLockout   bool // refuse changes after which no person can sign in, because the method is not set up

	Properties property.Changes

	// Check receives the state before the changes. If it returns an error, nothing is changed.
	Check func(State) error
}

// Update applies e, whose secrets must be encrypted, and reports whether the school changed. Only a
// change sets UpdatedAt. The name must satisfy text.Name, the slug text.Slug, and neither may be a
// UUID. All faults are returned together; if there are any, nothing is changed.
func (s *School) Update(e Changes, now time.Time) (changed bool, err error) {
	if e.Check != nil {
		if err := e.Check(s.s); err != nil {
			return false, err
		}
	}
	next := s.s
	var errName, errSlug, errProvider, errProperties error
	if e.Name != nil {
		next.Name, errName = checkName(*e.Name)
	}
	if e.Slug != nil {
		next.Slug, errSlug = checkSlug(*e.Slug)
	}
	setIf(&next.Entry.Secret, e.EntrySecret)
	next.Entry.Provider, errProvider = next.Entry.Provider.update(e.Provider)
	next.Properties, errProperties = next.Properties.Update(e.Properties)
	if err := fault.Join(errName, errSlug, errProvider, errProperties); err != nil {
		return false, err
	}
	if e.Auth != nil && !e.Auth.IsZero() {
		next.Auth = *e.Auth
	}
	if e.RefuseLockout && s.s.Entry.checkMethod(s.s.Auth) == nil {
		if err := next.Entry.checkMethod(next.Auth); err != nil {
			return false, err
		}
	}
	setIf(&next.Entry.PublicCovers, e.PublicCovers)
	setIf(&next.Entry.AdmitsNewPeople, e.AdmitsNewPeople)
	if next == s.s {
		return false, nil
	}
	next.UpdatedAt = now
	s.s = next
	return true, nil
}

// setIf sets *field to *value unless value is nil.
func setIf[T any](field, value *T) {
	if value != nil {
		*field = *value
	}
}
