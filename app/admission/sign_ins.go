package admission

import (
	"context"
	"time"

	"lyceum/domain/invitation"
	"lyceum/domain/person"
	"lyceum/domain/school"
	"lyceum/ports"
)

// EndSignIns ends the sessions of a person, who must be locked, and revokes the sign-in links to
// the person's address p.Email. Every use case that gives a person a role or another mailbox calls
// it, because another client may hold a session or a link. If the person gets another address, the
// links would also keep the old one after the person is deleted. The records of used entry links
// and sign-ins at a provider have no address, so they remain.
func EndSignIns(ctx context.Context, tx ports.Tx, in school.ID, p person.State, now time.Time) error {
	if err := tx.SignIns.DeleteSessions(ctx, p.ID); err != nil {
		return err
	}
	return tx.SignIns.RevokeLinks(ctx, invitation.HashAddress(in, p.Email), now)
}
