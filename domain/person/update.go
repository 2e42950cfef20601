package person

import (
	"strings"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/property"
	"lyceum/domain/text"
)

// Changes contains new values for the attributes of a person. A nil field leaves its attribute
// unchanged.
type Changes struct {
	Email, FirstName, LastName *string
	AvatarURL                  *string // blank removes the avatar
	Unsubscribed               *bool
	Properties                 property.Changes

	// Check receives the state before the changes. If it returns an error, nothing is changed.
	Check func(State) error
}

// Update applies e and reports whether the person changed. Only a change sets UpdatedAt. The email
// address must satisfy text.Email, the names text.OptionalName and the avatar text.URL. All faults
// are returned together; if there are any, nothing is changed.
func (p *Person) Update(e Changes, now time.Time) (changed bool, err error) {
	if e.Check != nil {
		if err := e.Check(p.s); err != nil {
			return false, err
		}
	}
	s := p.s
	picture := ""
	if s.AvatarURL != nil {
		picture = *s.AvatarURL
	}
	before := picture
	var errProperties error
	s.Properties, errProperties = s.Properties.Update(e.Properties)
	err = fault.Join(
		replace(&s.Email, e.Email, "email", text.Email),
		replace(&s.FirstName, e.FirstName, "first_name", text.OptionalName),
		replace(&s.LastName, e.LastName, "last_name", text.OptionalName),
		replace(&picture, e.AvatarURL, "custom_avatar_url", avatar),
		errProperties,
	)
	if err != nil {
		return false, err
	}
	if picture != before {
		s.AvatarURL = nil
		if picture != "" {
			s.AvatarURL = &picture
		}
	}
	if e.Unsubscribed != nil {
		s.Unsubscribed = *e.Unsubscribed
	}
	if s == p.s { // the pointers in s change only with their values
		return false, nil
	}
	s.UpdatedAt = now
	p.s = s
	return true, nil
}

// replace assigns *sent, normalized by rule, to *attribute. It does nothing if sent is nil or if
// rule returns a fault.
func replace(attribute, sent *string, field string, rule func(field, s string) (string, error)) error {
	if sent == nil {
		return nil
	}
	s, err := rule(field, *sent)
	if err == nil {
		*attribute = s
	}
	return err
}

// avatar checks s like text.URL, but accepts a blank s.
func avatar(field, s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", nil
	}
	return text.URL(field, s)
}
