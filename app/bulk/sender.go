package bulk

import (
	"context"
	"slices"

	"lyceum/domain/fault"
	"lyceum/domain/person"
	"lyceum/domain/policy"
	"lyceum/domain/school"
	"lyceum/ports"
)

var (
	errKeyRevoked = fault.Forbiddenf("The API key of this request was revoked before the row was applied")
	errRoleEnded  = fault.Forbiddenf("The role of the person who sent this request ended before the row was applied")
)

// checkSender returns a Forbidden fault if the request was sent with an API key that has been
// revoked, or by a person of the staff who is no longer an owner or a manager. Otherwise it returns
// the partnership of the person, which is zero for other senders. Rows of an expired key are applied.
func checkSender(ctx context.Context, tx ports.Tx, by policy.Actor) (person.PartnershipID, error) {
	switch {
	case by.Key != school.KeyID{}:
		k, err := tx.Keys.Get(ctx, by.Key)
		if err == nil && k.RevokedAt != nil {
			err = errKeyRevoked
		}
		return person.PartnershipID{}, err
	case by.Staff != person.ID{}:
		held, err := tx.Partnerships.ByPerson(ctx, by.Staff)
		if err != nil {
			return person.PartnershipID{}, err
		}
		i := slices.IndexFunc(held, func(p person.Partnership) bool { return p.Role != person.Instructor })
		if i < 0 {
			return person.PartnershipID{}, errRoleEnded
		}
		return held[i].ID, nil
	}
	return person.PartnershipID{}, nil
}

// lockRole locks the role until the end of the transaction, so that no row is applied after the end
// of the role. It returns ErrChanged if the role has ended since checkSender. A zero role is not
// locked. Like that of a form of the staff, the lock is the last one of the transaction, so that the
// end of a role waits for the commit only.
func lockRole(ctx context.Context, tx ports.Tx, role person.PartnershipID) error {
	if role == (person.PartnershipID{}) {
		return nil
	}
	held, err := tx.Partnerships.ExistsForShare(ctx, role)
	if err == nil && !held {
		err = ports.ErrChanged
	}
	return err
}
