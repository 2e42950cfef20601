package invitation_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

func acme(auth school.AuthMethod) school.School {
	return school.Restore(school.State{Name: "Acme", Auth: auth})
}

func TestRequired(t *testing.T) {
	for _, auth := range school.AuthMethods() {
		t.Run(auth.String(), func(t *testing.T) {
			is := is.New(t)
			is.Equal(invitation.Required(auth), auth != school.SSO)
		})
	}
}

func TestStillNeeded(t *testing.T) {
	now := time.Now()
	for name, tc := range map[string]struct {
		person person.State
		due    bool
	}{
		"new":          {person.State{}, true},
		"unsubscribed": {person.State{Unsubscribed: true}, true}, // an administrator requested the invitation
		"activated":    {person.State{ActivatedAt: &now}, false},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			is.Equal(invitation.StillNeeded(tc.person), tc.due)
		})
	}
}

func TestNewMessage(t *testing.T) {
	is := is.New(t)
	id, end := job.ID{UUID: uuid.New()}, time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	is.Equal(
		invitation.NewMessage(id, acme(school.Open), person.State{Email: "ada@example.test", FirstName: "Ada"}, "5eed", end),
		invitation.Message{ID: id, School: "Acme", To: "ada@example.test", Name: "Ada", Token: "5eed", ExpiresAt: end})
}
