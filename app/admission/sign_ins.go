package admission

import (
	"context"
	"time"

	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/domain/signin"
	"lyceum/ports"
)

// LeaveMailbox ends everything that the holder of a person's previous mailbox could use to sign in
// as the person: invitation links, sign-in links and sessions. Call it after a person was saved. It
// does nothing if the addresses before and after are those of one mailbox. Addresses with the same
// unique key can be those of different mailboxes.
func LeaveMailbox(ctx context.Context, tx ports.Tx, s school.ID, before, after person.State, now time.Time) error {
	if signin.SameAddress(before.Email, after.Email) {
		return nil
	}
	// The links expire in the past, because another server may compare them with an earlier time.
	if err := tx.Invitations.ExpireLinks(ctx, before.ID, time.Time{}); err != nil {
		return err
	}
	return EndSignIns(ctx, tx, s, before, now)
}

// EndSignIns ends the sessions of a person and revokes the sign-in links to the person's address,
// which another client may hold. If the person gets another address, the links would also keep the
// old one after the person is deleted. The records of used entry links and sign-ins at a provider
// have no address, so they remain.
func EndSignIns(ctx context.Context, tx ports.Tx, s school.ID, p person.State, now time.Time) error {
	if err := tx.SignIns.DeleteSessions(ctx, p.ID); err != nil {
		return err
	}
	return tx.SignIns.RevokeLinks(ctx, invitation.HashAddress(s, p.Email), now)
}
