package storetest

import (
	"context"

	"lyceum/domain/person"
	"lyceum/ports"
	"lyceum/test/kit/fake"
)

// partnershipMethods contains the methods of ports.PartnershipReader and ports.PartnershipRepo.
var partnershipMethods = []portMethod{
	{port: "Partnerships", method: "List", foreign: empty, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return listed(ctx, r.Partnerships, func(p person.Partnership) bool { return p.ID == theirs.partnership.ID })
	}},
	{port: "Partnerships", method: "Get", foreign: missing, read: func(ctx context.Context, r ports.Reader, _, theirs fixture) (any, error) {
		return result(r.Partnerships.Get(ctx, theirs.partnership.ID))
	}},
	{port: "Partnerships", method: "GetManyForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, ours, theirs fixture) (any, error) {
		found, err := tx.Partnerships.GetManyForShare(ctx, []person.PartnershipID{ours.partnership.ID, theirs.partnership.ID})
		delete(found, ours.partnership.ID)
		return len(found), err
	}},
	{port: "Partnerships", method: "ExistsForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.Partnerships.ExistsForShare(ctx, theirs.partnership.ID)
		return ordinal(found), err
	}},
	{port: "Partnerships", method: "InstructsForShare", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.Partnerships.InstructsForShare(ctx, theirs.partnership.ID, theirs.course.ID)
		return ordinal(found), err
	}},
	{port: "Partnerships", method: "OwnersForUpdate", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, _ fixture) (any, error) {
		// The method takes no record. A fixture has no owner.
		found, err := tx.Partnerships.OwnersForUpdate(ctx)
		return len(found), err
	}},
	{port: "Partnerships", method: "Delete", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return nil, tx.Partnerships.Delete(ctx, theirs.partnership.ID)
	}},
	{port: "Partnerships", method: "AddIfAbsent", foreign: missing, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		return result(tx.Partnerships.AddIfAbsent(ctx, person.Partnership{
			ID: person.PartnershipID{UUID: theirs.ids.New()}, Person: theirs.learner.ID, Role: person.Owner, CreatedAt: fake.Start,
		}))
	}},
	{port: "Partnerships", method: "ByPerson", foreign: empty, write: func(ctx context.Context, tx ports.Tx, _, theirs fixture) (any, error) {
		found, err := tx.Partnerships.ByPerson(ctx, theirs.partner.ID)
		return len(found), err
	}},
}
