package person

import (
	"strings"
	"time"

	"lyceum/domain/fault"
	"lyceum/domain/text"
)

// Edit is what is to be changed of a person; nil leaves an attribute as it is.
type Edit struct {
	Email, FirstName, LastName *string
	AvatarURL                  *string // blank takes the picture away
	Unsubscribed               *bool
}

// Edit changes the person and tells whether anything is different then; the time
// of the change is noted only if so. The e-mail obeys text.Email, the names
// text.Line, the picture's address text.URL; all that is wrong is told at once,
// and then nothing is changed.
func (p *Person) Edit(e Edit, now time.Time) (changed bool, err error) {
	s := p.s
	picture := ""
	if s.AvatarURL != nil {
		picture = *s.AvatarURL
	}
	before := picture
	err = fault.Join(
		replace(&s.Email, e.Email, "email", text.Email),
		replace(&s.FirstName, e.FirstName, "first_name", text.Line),
		replace(&s.LastName, e.LastName, "last_name", text.Line),
		replace(&picture, e.AvatarURL, "custom_avatar_url", avatar),
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
	if s == p.s { // the picture's address is the same pointer unless it is another
		return false, nil
	}
	s.UpdatedAt = now
	p.s = s
	return true, nil
}

// replace makes attribute what rule says of sent, if anything was sent.
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

// avatar is text.URL for an address that may be missing.
func avatar(field, s string) (string, error) {
	if strings.TrimSpace(s) == "" {
		return "", nil
	}
	return text.URL(field, s)
}
