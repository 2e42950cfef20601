package school

import (
	"time"

	"lyceum/domain/text"
)

// Type is what documents call schools.
const Type = "schools"

// Edit is what is to be changed of a school; nil leaves an attribute as it is.
type Edit struct {
	Name *string
	Auth *AuthMethod
}

// Edit changes the school and tells whether anything is different then; the time
// of the change is noted only if so. The name obeys text.Name; when it is wrong
// nothing is changed.
func (s *School) Edit(e Edit, now time.Time) (changed bool, err error) {
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
