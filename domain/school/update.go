package school

import (
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/property"
)

// Type is the plural noun for schools in documents.
const Type = "schools"

// Changes holds new values for the attributes of a school. A nil field leaves its attribute
// unchanged.
type Changes struct {
	Name *string
	Auth *AuthMethod

	Properties property.Changes
}

// Update applies e and reports whether the school changed. Only a change sets UpdatedAt. The name
// must satisfy text.Name and must not be a UUID. All faults are returned together; if there are
// any, nothing is changed.
func (s *School) Update(e Changes, now time.Time) (changed bool, err error) {
	next := s.s
	var errName, errProperties error
	if e.Name != nil {
		next.Name, errName = checkName(*e.Name)
	}
	next.Properties, errProperties = next.Properties.Update(e.Properties)
	if err := fault.Join(errName, errProperties); err != nil {
		return false, err
	}
	if e.Auth != nil && !e.Auth.IsZero() {
		next.Auth = *e.Auth
	}
	if next == s.s {
		return false, nil
	}
	next.UpdatedAt = now
	s.s = next
	return true, nil
}
