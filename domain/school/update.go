package school

import (
	"time"

	"lyceum/domain/text"
)

// Type is the plural noun for schools in documents.
const Type = "schools"

// Changes is the attributes of a school to update; nil leaves one as it is.
type Changes struct {
	Name *string
	Auth *AuthMethod
}

// Update applies e and reports whether the school changed; only then it sets UpdatedAt. The name
// must satisfy text.Name; otherwise nothing is changed.
func (s *School) Update(e Changes, now time.Time) (changed bool, err error) {
	next := s.s
	if e.Name != nil {
		if next.Name, err = text.Name("name", *e.Name); err != nil {
			return false, err
		}
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
