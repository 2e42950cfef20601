package invitation_test

import (
	"encoding/hex"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/matryer/is"
	"lyceum/domain/fault"
	"lyceum/domain/invitation"
	"lyceum/domain/job"
	"lyceum/domain/person"
	"lyceum/domain/school"
)

func TestCheckUsable(t *testing.T) {
	at := time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	message, later := job.ID{UUID: uuid.UUID{15: 1}}, job.ID{UUID: uuid.UUID{15: 2}}
	l := invitation.Link{MessageID: message, CreatedAt: at, ExpiresAt: at.Add(time.Hour)}
	for _, tc := range []struct {
		name    string
		message job.ID
		person  person.State
		now     time.Time
		open    bool
	}{
		{"at once", message, person.State{}, at, true},
		{"in the last millisecond", message, person.State{}, at.Add(time.Hour - time.Millisecond), true},
		{"at the end", message, person.State{}, at.Add(time.Hour), false},
		{"after a later message", later, person.State{}, at, false},
		{"after it was accepted", message, person.State{ActivatedAt: &at}, at, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			is := is.New(t)
			err := l.CheckUsable(invitation.Invitation{MessageID: tc.message}, tc.person, tc.now)
			is.Equal(err == nil, tc.open)
			if !tc.open {
				is.Equal(err.Error(), "gone: This invitation has already been used or has expired") // the same text for every reason
			}
		})
	}
}

func TestAnInvitationIsFreshForAMinute(t *testing.T) {
	is := is.New(t)
	at := time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	i := invitation.Invitation{RequestedAt: at}
	is.True(i.SentRecently(at))
	is.True(i.SentRecently(at.Add(time.Minute - time.Millisecond)))
	is.True(!i.SentRecently(at.Add(time.Minute)))
}

func TestCheckResend(t *testing.T) {
	at := time.Date(2026, 1, 31, 15, 4, 5, 123e6, time.UTC)
	for _, m := range school.AuthMethods() {
		is := is.New(t)
		s := school.Restore(school.State{Auth: m})
		err := invitation.CheckResend(s, person.State{})
		is.Equal(fault.Is(err, fault.Forbidden), m == school.SSO) // only SSO forbids resending invitations
		is.Equal(err == nil, m != school.SSO)
		is.True(invitation.CheckResend(s, person.State{ActivatedAt: &at}) != nil)
	}
}

func TestHashToken(t *testing.T) {
	is := is.New(t)
	h := invitation.HashToken("abc")
	is.Equal(hex.EncodeToString(h[:]), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
}
